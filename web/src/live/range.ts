import type { Engine } from '../../../wasm/client.js';
import type { Drawn, KindInfo } from '../../../wasm/curve-kinds.js';
import { rangeOf, type CurveEnds } from '../../../wasm/curve-range.js';
import type { Query } from '../../../wasm/generated/schema.js';
import { endNames, type EndName } from '../state/curve-ends.js';
import { troubleOf, type Trouble } from './trouble.js';

/** An end that is refused, and why: under its own name or that of the field along the curve. */
export interface RefusedEnd extends Trouble {
  end: EndName;
}

type Settled = { range: readonly [number, number] } | { refused: RefusedEnd };

/** The ends of a run's curve. Those that the reader sets are ends once the engine has a value there. */
export async function settleRange(
  engine: Engine,
  kind: KindInfo,
  drawn: Drawn,
  ends: CurveEnds,
  signal: AbortSignal,
): Promise<Settled> {
  const options = { signal, background: true };
  let tried: EndName = 'from';
  try {
    const range = await rangeOf(kind, drawn, ends, (asked: Query) =>
      engine.epsilon(asked, options),
    );
    for (tried of ['from', 'to'] as const) {
      const place = ends[tried];
      if (place === undefined) continue;
      const one = { kind: kind.name, phase: drawn.phase, from: place, points: 1 };
      await engine.curve(drawn.query, { ...one, ...options });
    }
    return { range };
  } catch (error) {
    const trouble = troubleOf(error);
    const named = endNames.find((name) => name === trouble.field);
    if (named === undefined && trouble.field !== kind.x(drawn)) throw error;
    return { refused: { ...trouble, end: named ?? tried } };
  }
}
