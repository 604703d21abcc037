import { csv, type CsvCell } from '../words/csv.js';
import type { ExhibitState } from './reproduce.js';

export function exhibitCsv(
  comments: readonly string[],
  { exhibit, panels, claims }: ExhibitState,
): string {
  const stated = claims.map(({ claim, value, verdict }): CsvCell[] => [
    ...['stated', claim.what, ''],
    ...[value?.lower, value?.upper, value?.kind, claim.relation, claim.printed, verdict],
  ]);
  const points = panels.flatMap((lines, index) =>
    lines.flatMap(({ series, line }) =>
      line.map(({ x, y }): CsvCell[] => [
        ...[exhibit.panels[index]?.title, series.label, x, y.lower, y.upper, y.kind],
        ...['', '', ''],
      ]),
    ),
  );
  return csv(
    comments,
    ['exhibit', 'part', 'line', 'x', 'lower', 'upper', 'kind', 'relation', 'printed', 'verdict'],
    [...stated, ...points].map((row) => [exhibit.id, ...row]),
  );
}
