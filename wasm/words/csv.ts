import type { Band } from '../generated/schema.js';

export type CsvCell = string | number | null | undefined;

/** Rows as RFC 4180 text, led by comment lines that say what they are. */
export function csv(
  comments: readonly string[],
  header: readonly string[],
  rows: readonly (readonly CsvCell[])[],
): string {
  const cell = (value: CsvCell) => {
    const text = String(value ?? '');
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [
    ...comments.map((comment) => `# ${comment.replaceAll('\n', ' ')}`),
    header.join(','),
    ...rows.map((row) => row.map(cell).join(',')),
  ];
  return `${lines.join('\n')}\n`;
}

/** Every vertex of the bands' polygons, with all its digits; `what` the bands are. */
export const verticesCsv = (
  comments: readonly string[],
  what: string,
  bands: readonly ({ name: string } & Pick<Band, 'lower' | 'upper'>)[],
): string =>
  csv(
    comments,
    [what, 'bound', 'false_positive_rate', 'false_negative_rate'],
    bands.flatMap((band) =>
      (['lower', 'upper'] as const).flatMap((bound) =>
        band[bound].map((rates) => [
          band.name,
          bound,
          rates.falsePositiveRate,
          rates.falseNegativeRate,
        ]),
      ),
    ),
  );
