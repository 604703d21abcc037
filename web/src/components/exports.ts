import { html } from 'lit';
import { version } from '../../../wasm/generated/schema.js';
import { pictureOf, pngOf, printPicture, save, type Picture } from '../export/files.js';
import { finenessOf, papers, type PaperName } from '../export/paper.js';
import { button, selection } from './fields.js';
import type { Measured } from './measured.js';

const maker = `Honest Epsilon ${version}`;

/** The program that made a file, and the link to its run. */
export const source = (link: string | undefined) =>
  link === undefined ? maker : `${maker}; ${link}`;

interface OutgoingDrawing {
  drawing: SVGSVGElement | null;
  title: string;
  /** Which run it is of: how its batches are drawn, and its numbers. */
  run: string;
  /** What is to be seen in it, as a sentence; may be empty. */
  finding: string;
  description: string;
}

interface Exports {
  label: string;
  name: string;
  empty: boolean;
  /** Draws the picture as wide as the reader chose. */
  chart: Measured;
  picture: () => OutgoingDrawing;
  csv: () => string;
  json: () => string;
}

const asFile = (name: string, type: string, text: string): void =>
  save(name, new Blob([text], { type }));

/** What becomes of a picture, by the name of its button. */
const pictures = {
  SVG: (name: string, { text }: Picture) => asFile(`${name}.svg`, 'image/svg+xml', text),
  PNG: async (name: string, picture: Picture, paper: PaperName) =>
    save(`${name}.png`, await pngOf(picture, finenessOf(paper))),
  PDF: printPicture,
};

export async function savePicture(
  format: keyof typeof pictures,
  name: string,
  chart: Measured,
  drawn: () => OutgoingDrawing,
): Promise<void> {
  const picture = await chart.drawnFor(() => {
    const { drawing, ...legend } = drawn();
    return drawing ? pictureOf(drawing, { ...legend, maker }, chart.paper !== 'screen') : undefined;
  });
  if (picture) await pictures[format](name, picture, chart.paper);
}

/** How wide the pictures are. */
const paperChoice = (chart: Measured, empty: boolean) =>
  selection({
    ...{ label: 'Width of the figure', disabled: empty, chosen: chart.paper },
    choices: Object.entries(papers).map(([name, { label }]) => [name, label]),
    onChoice: (name) => {
      chart.paper = name as PaperName;
    },
  });

export function exportButtons({ label, name, empty, chart, picture, csv, json }: Exports) {
  const as = (what: string, does: () => void, title?: string) =>
    button(what, does, { title, disabled: empty });
  return html`<span class="exports screen" role="group" aria-label=${label}>
    ${paperChoice(chart, empty)}
    ${(['SVG', 'PNG', 'PDF'] as const).map((format) =>
      as(
        format,
        () => void savePicture(format, name, chart, picture),
        format === 'PDF' ? 'Opens the print dialog: save as PDF' : undefined,
      ),
    )}
    ${as('CSV', () => asFile(`${name}.csv`, 'text/csv', csv()))}
    ${as('JSON', () => asFile(`${name}.json`, 'application/json', json()))}
  </span>`;
}
