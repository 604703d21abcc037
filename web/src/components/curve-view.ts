import type { Frame } from '../charts/axes.js';
import type { Scale } from '../charts/scale.js';
import type { CurveField, CurveKind } from '../../../wasm/curve-kinds.js';
import type { RowCurve } from '../live/curves.js';
import type { RowName } from '../state/scenario.js';
import { ownProofsMark, restsOnOwnProofs } from '../../../wasm/words/claims.js';
import { format } from '../../../wasm/words/numbers.js';
import { rowLabel } from '../words/sentence.js';
import { fieldInfo } from '../../../wasm/words/fields.js';
import { endNote } from '../../../wasm/curve-range.js';

export interface CurveView {
  kind: CurveKind;
  /** The fields along the curves and up. */
  field: CurveField;
  value: CurveField;
  shown: readonly RowCurve[];
  own: RowName;
  neighbours: ReadonlyMap<string, string>;
  /** The curve that the reader points at; only one that is drawn may fade the others. */
  highlight: string | undefined;
  point: { x: number; y: number } | undefined;
  /** Where the cross-hair stands. */
  at: number | undefined;
  x: Scale;
  y: Scale;
  frame: Frame;
  /** How wide the names right of the frame may be. */
  room: number;
}

/** Whether a curve rests on a theorem of this project's own somewhere. */
export const isMarked = ({ points }: RowCurve): boolean => points.some(restsOnOwnProofs);

/** A curve's names, by the room that there is, and how it looks among the others. */
export interface CurveLine extends Pick<RowCurve, 'name' | 'points'> {
  text: string;
  note: string | undefined;
  title: string;
  classes: string;
}

export function curveLine(
  { neighbours, own, highlight }: Pick<CurveView, 'neighbours' | 'own' | 'highlight'>,
  curve: RowCurve,
): CurveLine {
  const { name, points, stale } = curve;
  const mark = isMarked(curve) ? ` ${ownProofsMark}` : '';
  const text = `${rowLabel(name)}${mark}`;
  const note = neighbours.get(name);
  const classes = [
    `s-${name}`,
    points.some(({ y }) => y.kind === 'estimate') ? 'estimated' : '',
    stale ? 'stale' : '',
    name === own ? 'own' : '',
    highlight === undefined ? '' : name === highlight ? 'lit' : 'quiet',
  ];
  return {
    ...{ name, text, note, points },
    title: [text, note].filter(Boolean).join(' '),
    classes: classes.filter(Boolean).join(' '),
  };
}

/** Why curves of delta end within the frame, above the axis. */
export const endNotes = (view: CurveView): string[] =>
  view.kind === 'delta-epsilon'
    ? view.shown.flatMap(({ name, done, points }) => {
        const ends = done && (points.at(-1)?.x ?? Infinity) < view.x.most;
        const note = ends ? endNote(points, view.y.least) : undefined;
        return note === undefined ? [] : `${rowLabel(name)}: the curve ${note}.`;
      })
    : [];

export const fieldLabel = (field: CurveField) => fieldInfo(field).label;
/** The letter of the papers, or the label of what has none. */
export const symbolOf = (field: CurveField) =>
  fieldInfo(field).symbol || fieldLabel(field).toLowerCase();
/** What stands along an axis: noise multiplier σ. */
export const axisName = (field: CurveField) =>
  [fieldLabel(field).toLowerCase(), fieldInfo(field).symbol].filter(Boolean).join(' ');
export const isWhole = (field: CurveField) => fieldInfo(field).type === 'count';

/** A place along the curves, as people write it. */
export const placeText = (field: CurveField, at: number) =>
  format(isWhole(field) ? Math.round(at) : at, { side: 'given' });
