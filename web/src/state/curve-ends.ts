import { endsKind, type CurveEnds } from '../../../wasm/curve-range.js';
import type { CurveKind } from '../../../wasm/curve-kinds.js';
import { typedNumber } from './typed.js';

export const endNames = ['from', 'to', 'floor'] as const satisfies readonly (keyof CurveEnds)[];
export type EndName = (typeof endNames)[number];
export type EndTexts = Readonly<Record<EndName, string>>;

export const endLabels: EndTexts = { from: 'from', to: 'to', floor: 'least δ' };

const startOf = (name: EndName) => endLabels[name].replace(/^./, (letter) => letter.toUpperCase());

export interface EndsReading {
  /** NaN where the text is no number: the panel refuses it. */
  ends: CurveEnds;
  problems: ReadonlyMap<EndName, string>;
}

/** The ends as they were typed; one that is empty is left to the engine. */
export function readEnds(kind: CurveKind, texts: EndTexts): EndsReading {
  const ends: CurveEnds = {};
  const problems = new Map<EndName, string>();
  for (const name of endNames) {
    const text = texts[name].trim();
    if (text === '') continue;
    const wanted = 'a number, such as 0.5, 1e-5 or 1/60000';
    const read = typedNumber(
      text,
      startOf(name),
      name === 'floor' ? 'number' : endsKind(kind),
      wanted,
    );
    ends[name] = typeof read === 'number' ? read : NaN;
    if (typeof read === 'string') problems.set(name, read);
  }
  return { ends, problems };
}

/** The engine's complaint about an end, which it calls by its own name, as a sentence. */
export const inEndWords = (name: EndName, text: string) =>
  `${text.replace(new RegExp(`^${name}\\b`), startOf(name))}.`;
