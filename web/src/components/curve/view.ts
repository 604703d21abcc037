import type { Frame } from '../../charts/axes.js';
import type { Scale } from '../../charts/scale.js';
import type { Labelled } from '../../charts/line-names.js';
import type { CurveField, CurveKind } from '../../../../wasm/curve-kinds.js';
import type { RowCurve } from '../../live/curves.js';
import type { RowName } from '../../state/scenario.js';
import { ownProofsMark, restsOnOwnProofs } from '../../../../wasm/words/claims.js';
import { format } from '../../../../wasm/words/numbers.js';
import { rowLabel } from '../../words/sentence.js';
import { fieldInfo } from '../../../../wasm/words/fields.js';
import { endNote } from '../../../../wasm/curve-range.js';

export interface CurveView {
  kind: CurveKind;
  /** The fields along the curves and up. */
  field: CurveField;
  value: CurveField;
  shown: readonly RowCurve[];
  own: RowName;
  beside: ReadonlyMap<string, string>;
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

type CurveNames = Pick<CurveView, 'beside'>;

const curveName = (
  { beside }: CurveNames,
  { name, sampler }: Pick<RowCurve, 'name' | 'sampler'>,
): string => beside.get(name) ?? rowLabel(sampler);

/** Whether a curve rests on a theorem of this project's own somewhere. */
export const isMarked = ({ points }: RowCurve): boolean => points.some(restsOnOwnProofs);

const marked = (name: string, curve: RowCurve): string =>
  isMarked(curve) ? `${name} ${ownProofsMark}` : name;

/** The same where there is little room. */
export const shortName = (view: CurveNames, curve: RowCurve): string =>
  marked(curveName(view, curve).replace(/ batches$/, ''), curve);

/** The same with its neighbours, where they are not those asked for. */
export const fullName = (view: CurveView, curve: RowCurve): string =>
  [marked(curveName(view, curve), curve), view.neighbours.get(curve.name)]
    .filter(Boolean)
    .join(' ');

/** A curve as its name is placed. */
export const named = (
  view: Pick<CurveView, 'beside' | 'neighbours'>,
  curve: RowCurve,
): Labelled => ({
  name: curve.name,
  text: marked(curveName(view, curve), curve),
  note: view.neighbours.get(curve.name),
  points: curve.points,
});

/** How a curve looks, by its sampler, its place beside the others, and what the reader points at. */
export function lineClasses(
  { beside, own, highlight }: Pick<CurveView, 'beside' | 'own' | 'highlight'>,
  { name, sampler, points, stale }: RowCurve,
): string {
  const place = [...beside.keys()].indexOf(name);
  return [
    `s-${sampler}`,
    points.some(({ y }) => y.kind === 'estimate') ? 'estimated' : '',
    place >= 0 ? `beside dash-${place % 3}` : '',
    stale ? 'stale' : '',
    name === own ? 'own' : '',
    highlight === undefined ? '' : name === highlight ? 'lit' : 'quiet',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Why curves of delta end within the frame, above the axis. */
export const endNotes = (
  view: Pick<CurveView, 'kind' | 'shown' | 'beside'> & {
    x: { most: number };
    y: { least: number };
  },
): string[] =>
  view.kind === 'delta-epsilon'
    ? view.shown.flatMap((curve) => {
        const { done, points } = curve;
        const ends = done && (points.at(-1)?.x ?? Infinity) < view.x.most;
        const note = ends ? endNote(points, view.y.least) : undefined;
        return note === undefined ? [] : `${curveName(view, curve)}: the curve ${note}.`;
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
