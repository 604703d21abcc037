import type { Query } from '../../../wasm/generated/schema.js';
import type { Point } from '../charts/point.js';
import { csv } from '../../../wasm/words/csv.js';
import { snake } from '../../../wasm/words/kebab.js';

export interface CurvesFile {
  /** What is shown, and where it came from. */
  caption: string;
  version: string;
  link: string | undefined;
  kind: string;
  /** The fields that x and y are values of. */
  x: string;
  y: string;
  curves: readonly { name: string; run: Query; points: readonly Point[] }[];
}

/** A row for each point; each curve's run in a comment line. */
export function curvesCsv({ caption, version, link, x, y, curves }: CurvesFile): string {
  return csv(
    [
      caption,
      `Honest Epsilon ${version}${link === undefined ? '' : `; ${link}`}`,
      ...curves.map(({ name, run }) => `${name}: ${JSON.stringify(run)}`),
    ],
    ['sampler', snake(x), `${snake(y)}_lower`, `${snake(y)}_upper`, 'kind'],
    curves.flatMap(({ name, points }) =>
      points.map((point) => [name, point.x, point.y.lower, point.y.upper, point.y.kind]),
    ),
  );
}

export const curvesJson = (file: CurvesFile) => `${JSON.stringify(file, null, 1)}\n`;
