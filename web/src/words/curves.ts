import type { CurveKind } from '../../../wasm/curve-kinds.js';
import type { Query } from '../../../wasm/generated/schema.js';
import { givenAs } from '../../../wasm/words/numbers.js';
import type { settingParts } from './sentence.js';

type SettingParts = ReturnType<typeof settingParts>;

/** The parts of a run's title that each kind varies. */
const drawnOver: Readonly<Record<CurveKind, readonly (keyof SettingParts)[]>> = {
  'delta-epsilon': [],
  'epsilon-noise': ['noise'],
  'epsilon-epochs': ['steps'],
  'noise-sampling': ['noise', 'steps', 'rate'],
};

/** The settings that all points of the curves share. */
export function headingOf(kind: CurveKind, { delta, epsilon }: Query, whole: SettingParts): string {
  const texts = Object.entries(whole).flatMap(([part, text]) =>
    drawnOver[kind].some((drawn) => drawn === part) ? [] : [text],
  );
  if (kind === 'noise-sampling' && epsilon !== undefined) texts.push(givenAs('ε', epsilon));
  if (kind !== 'delta-epsilon' && delta !== undefined) texts.push(givenAs('δ', delta));
  return texts.join(', ');
}
