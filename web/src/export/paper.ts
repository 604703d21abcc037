/** The widths of exported figures. */
export const papers = {
  screen: { label: 'as on the screen', inches: undefined },
  single: { label: 'one column, 3.35 in', inches: 3.35 },
  double: { label: 'two columns, 7 in', inches: 7 },
} as const satisfies Record<string, { label: string; inches: number | undefined }>;
export type PaperName = keyof typeof papers;

/** CSS pixels in an inch. */
const perInch = 96;
/** Dots in an inch of a printed picture: what journals ask of line drawings. */
const dots = 600;

export function pixelsOf(name: PaperName): number | undefined {
  const { inches } = papers[name];
  return inches === undefined ? undefined : inches * perInch;
}

/** Dots per CSS pixel: twice as fine as the screen, or as fine as print. */
export const finenessOf = (name: PaperName): number =>
  papers[name].inches === undefined ? 2 : dots / perInch;
