import { html } from 'lit';
import { version } from '../../../wasm/generated/schema.js';
import { pngOf, save, standaloneSvg } from '../export/files.js';

/** Which program made a file, and of what. */
export const source = () => `Honest Epsilon ${version}; ${location.href}`;

/** A drawing as it leaves the page. */
export interface Picture {
  drawing: SVGSVGElement | null;
  title: string;
  description: string;
}

/** What a chart can be saved as. */
export interface Exports {
  label: string;
  /** Of the files, without the ending. */
  name: string;
  empty: boolean;
  picture: () => Picture;
  csv: () => string;
  json: () => string;
}

const asFile = (name: string, type: string, text: string): void => {
  save(name, new Blob([text], { type }));
};

const svgText = ({ drawing, title, description }: Picture): string | undefined => {
  if (!drawing) return undefined;
  const paper = getComputedStyle(drawing).getPropertyValue('--paper').trim();
  return standaloneSvg(drawing, title, description, paper);
};

export function saveSvg(name: string, picture: Picture): void {
  const text = svgText(picture);
  if (text !== undefined) asFile(`${name}.svg`, 'image/svg+xml', text);
}

async function savePng(name: string, picture: Picture): Promise<void> {
  const text = svgText(picture);
  if (text === undefined || !picture.drawing) return;
  const { width, height } = picture.drawing.getBoundingClientRect();
  save(`${name}.png`, await pngOf(text, width, height));
}

export function exportButtons({ label, name, empty, picture, csv, json }: Exports) {
  const button = (what: string, does: () => void) =>
    html`<button class="plain" ?disabled=${empty} @click=${does}>${what}</button>`;
  return html`<span class="exports" role="group" aria-label=${label}>
    ${button('SVG', () => {
      saveSvg(name, picture());
    })}
    ${button('PNG', () => void savePng(name, picture()))}
    ${button('CSV', () => {
      asFile(`${name}.csv`, 'text/csv', csv());
    })}
    ${button('JSON', () => {
      asFile(`${name}.json`, 'application/json', json());
    })}
  </span>`;
}
