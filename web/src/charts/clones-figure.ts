import { clonesWords as words } from '../words/clones.js';

/*
 * The figure of one shuffled epoch as markup: the methods page has it in its text and needs no script,
 * the page has it folded below the plot.
 */

/** Where the methods page has it. */
export const clonesPlace = '<!-- clones figure -->';

/** Which batch holds each record, and what the record acts as. */
const records = [
  [3, 'clone'],
  [0, 'other'],
  [5, 'own'],
  [1, 'other'],
  [7, 'other'],
  [2, 'other'],
  [6, 'clone'],
  [4, 'other'],
] as const;
type Role = (typeof records)[number][1];

const columnAt = (batch: number) => 92 + 32 * batch;
const rowAt = (record: number) => 30 + 18 * record;
const [left, right] = [columnAt(0) - 16, columnAt(records.length - 1) + 16];
const [top, bottom] = [rowAt(0) - 10, rowAt(records.length - 1) + 11];

function dot(role: Role, x: number, y: number): string {
  if (role === 'other')
    return `<rect class="other" x="${x - 4}" y="${y - 4}" width="8" height="8" />`;
  return `<circle class="${role}" cx="${x}" cy="${y}" r="${role === 'own' ? 6 : 5}" />`;
}

const text = (x: number, y: number, anchor: string, said: string) =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${said}</text>`;

const box = (name: string, x: number, y: number, width: number, height: number) =>
  `<rect class="${name}" x="${x}" y="${y}" width="${width}" height="${height}" />`;

/** A batch, shaded where it may hold the record in question. */
const column = ([batch, role]: (typeof records)[number]) =>
  box(role === 'other' ? 'gone' : 'left', columnAt(batch) - 14, top, 28, bottom - top);

export const clonesFigure = `<figure class="clones">
  <svg viewBox="-12 -4 372 260" role="img" aria-labelledby="clones-name clones-words">
    <title id="clones-name">${words.title}</title>
    <desc id="clones-words">${words.description}</desc>
    ${records.map(column).join('')}
    <path class="row" d="${records.map((_, record) => `M${left} ${rowAt(record)}H${right}`).join('')}" />
    ${records.map(([batch, role], record) => dot(role, columnAt(batch), rowAt(record))).join('')}
    ${text((left + right) / 2, 12, 'middle', words.batches)}
    ${words.records.map((line, index) => text(left - 4, 96 + 16 * index, 'end', line)).join('')}
    ${(['own', 'clone', 'other'] as const)
      .map((role, index) => {
        const y = 184 + 20 * index;
        return dot(role, left + 16, y) + text(left + 28, y + 4, 'start', words[role]);
      })
      .join('')}
    ${box('left', left + 9, 237, 14, 14) + text(left + 28, 248, 'start', words.left)}
  </svg>
  <figcaption>${words.caption}</figcaption>
</figure>`;
