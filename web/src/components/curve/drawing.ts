import { html, nothing, svg } from 'lit';
import { axes, clip } from '../../charts/axes.js';
import { curvePaths, interpolate } from '../../charts/curve-geometry.js';
import { mark } from '../../charts/glyphs.js';
import type { Label } from '../../charts/line-names.js';
import { crossLine, lineMarks, lineNames, strokes } from '../../charts/lines.js';
import type { RowCurve } from '../../live/curves.js';
import { axisName, fullName, type CurveView } from './view.js';

type Light = (name: string | undefined) => void;

/** The curves on their axes, with their names and the cross-hair; `handle` lies over them. */
export function drawing(
  view: CurveView,
  size: { width: number; height: number },
  labels: ReadonlyMap<string, Label>,
  light: Light,
  handle: unknown,
) {
  const { shown, x, y, frame, field, value } = view;
  const { width, height } = size;
  const empty = shown.length === 0;
  return html`<svg
    class="plot curve"
    width=${width}
    height=${height}
    viewBox=${`0 0 ${width} ${height}`}
    aria-hidden="true"
  >
    ${clip('curve-clip', frame)}
    ${axes(frame, empty ? { ticks: [] } : x, y, { x: axisName(field), y: axisName(value) })}
    ${target(view)}
    <g clip-path="url(#curve-clip)">
      ${shown.map((curve, index) => line(view, curve, light, index))}
    </g>
    ${lineNames(labels, (name) => nameClass(view, name))} ${cross(view)} ${handle}
  </svg>`;
}

const nameClass = (view: CurveView, name: string) => {
  const sampler = view.shown.find((curve) => curve.name === name)?.sampler ?? '';
  return `s-${sampler}${isQuiet(view, name) ? ' quiet' : ''}`;
};

const isQuiet = ({ highlight }: CurveView, name: string) =>
  highlight !== undefined && highlight !== name;

function target({ point, shown, y, frame: { left, right } }: CurveView) {
  if (!point || point.y < y.least || shown.length === 0) return nothing;
  const at = y.at(point.y);
  return svg`<line class="asked" x1=${left} x2=${right} y1=${at} y2=${at}></line>`;
}

export function lineClasses({ beside }: CurveView, { name, sampler, points }: RowCurve): string {
  const place = [...beside.keys()].indexOf(name);
  const isEstimate = points.some(({ y }) => y.kind === 'estimate');
  return `s-${sampler}${isEstimate ? ' estimated' : ''}${place >= 0 ? ` beside dash-${place % 3}` : ''}`;
}

function line(view: CurveView, curve: RowCurve, light: Light, index: number) {
  const { name, sampler, points, stale } = curve;
  const paths = curvePaths(points, view.x, view.y);
  const classes = [
    'line',
    lineClasses(view, curve),
    stale ? 'stale' : '',
    isQuiet(view, name) ? 'quiet' : '',
    name === view.own ? 'own' : '',
    name === view.highlight ? 'lit' : '',
  ];
  const place = [index, view.shown.length] as const;
  return svg`<g class=${classes.join(' ')} data-line=${fullName(view, curve)}
    @pointerenter=${() => light(name)}
    @pointerleave=${() => light(undefined)}>
    ${strokes(paths)} ${lineMarks(sampler, points, view, place)}
    <path class="hit" data-passing d=${paths.upper}></path>
  </g>`;
}

function cross({ at, looking, shown, x, y, frame }: CurveView) {
  if (at === undefined || shown.length === 0) return nothing;
  const pixel = x.at(at);
  const marks = shown.map(({ points, sampler }) => {
    const upper = interpolate(points, at, (place) => x.at(place))?.upper;
    if (upper === undefined || upper === null || upper < y.least || upper > y.most) return nothing;
    return svg`<g class=${`s-${sampler}`} data-passing>${mark(sampler, pixel, y.at(upper), 4)}</g>`;
  });
  return svg`${crossLine(pixel, frame, !looking)}${marks}`;
}
