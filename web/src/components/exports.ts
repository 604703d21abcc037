import { html } from 'lit';
import { version } from '../../../wasm/generated/schema.js';
import { pictureOf, pngOf, save } from '../export/files.js';
import type { Picture } from '../export/files.js';

const maker = `Honest Epsilon ${version}`;

/** Which program made a file, and of what. */
export const source = (link: string | undefined) =>
  link === undefined ? maker : `${maker}; ${link}`;

/** A drawing that is to leave the page. */
export interface Drawing {
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
  picture: () => Drawing;
  csv: () => string;
  json: () => string;
}

const asFile = (name: string, type: string, text: string): void => {
  save(name, new Blob([text], { type }));
};

function made({ drawing, title, description }: Drawing): Picture | undefined {
  if (!drawing) return undefined;
  return pictureOf(drawing, { title, maker, description });
}

export function saveSvg(name: string, drawing: Drawing): void {
  const picture = made(drawing);
  if (picture) asFile(`${name}.svg`, 'image/svg+xml', picture.text);
}

async function savePng(name: string, drawing: Drawing): Promise<void> {
  const picture = made(drawing);
  if (picture) save(`${name}.png`, await pngOf(picture));
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
