import type { SamplerName } from '../../../wasm/generated/schema.js';
import { clonesWords as words } from '../words/clones.js';

/*
 * Records and batches of one epoch, one record marked. The methods page has the figure of a shuffled
 * epoch in its text and needs no script; below the plot a reader moves the marked record.
 */

/** Records, and batches. */
export const places = 8;
const marked = 2;
export const usualBatch = 5;

/** The batches of each record where a record's batches do not depend on another's. */
const drawnAlone = {
  'balls-and-bins': [[3], [0], [], [1], [3], [2], [6], [0]],
  poisson: [[3, 6], [0], [], [1, 4], [], [2], [6], [0, 7]],
} as const;

/** The batch of each record where every batch holds one. */
const ordered = {
  deterministic: [0, 1, 2, 3, 4, 5, 6, 7],
  shuffle: [3, 0, 5, 1, 7, 2, 6, 4],
} as const;

/** A fresh record for every batch; it is what fills the marked one's place. */
const fresh = [1, 3, 0, 3, 7, 4, 6, 1];
const clones = [0, 6];

type Role = 'own' | 'clone' | 'other' | 'fill';

interface RecordMark {
  role: Role;
  record: number;
  batch: number;
}

/** Where the other records are while the marked one is in a batch. */
function others(sampler: SamplerName, batch: number): RecordMark[] {
  const mark = (record: number, at: number, role: Role = 'other') => ({ role, record, batch: at });
  if (sampler === 'without-replacement')
    return fresh.map((record, at) => mark(record, at, at === batch ? 'fill' : 'other'));
  if (sampler === 'poisson' || sampler === 'balls-and-bins')
    return drawnAlone[sampler].flatMap((batches, record) => batches.map((at) => mark(record, at)));
  const order: readonly number[] = ordered[sampler];
  return order.flatMap((at, record) => {
    if (record === marked) return [];
    const role = sampler === 'shuffle' && clones.includes(record) ? 'clone' : 'other';
    // The record in the way takes the place that the marked one left.
    return [mark(record, at === batch ? (order[marked] ?? at) : at, role)];
  });
}

/** The batches that may hold the marked record, given where the others are. */
export function batchesLeft(sampler: SamplerName, batch: number): number[] {
  if (sampler === 'deterministic') return [batch];
  const all = Array.from({ length: places }, (_, at) => at);
  if (sampler !== 'shuffle') return all;
  const open = others(sampler, batch).filter(({ role }) => role === 'clone');
  return all.filter((at) => at === batch || open.some((clone) => clone.batch === at));
}

const columnAt = (batch: number) => 92 + 32 * batch;
const rowAt = (record: number) => 30 + 18 * record;
const [left, right] = [columnAt(0) - 16, columnAt(places - 1) + 16];
const [top, bottom] = [rowAt(0) - 10, rowAt(places - 1) + 11];

/** The batch at a place of the drawing. */
export const batchAt = (x: number) =>
  Math.min(places - 1, Math.max(0, Math.round((x - columnAt(0)) / 32)));

/** How a drawing is put together: lit's own `svg`, or text. */
export type Tag<Part> = (strings: TemplateStringsArray, ...values: readonly unknown[]) => Part;

const inText: Tag<string> = (strings, ...values) =>
  String.raw(
    { raw: strings },
    ...values.map((value) => (Array.isArray(value) ? value.flat().join('') : value)),
  );

/** The grid and its key. */
export function clonesDrawing<Part>(svg: Tag<Part>, sampler: SamplerName, batch: number): Part {
  const dot = (role: Role, x: number, y: number) =>
    role === 'own' || role === 'clone'
      ? svg`<circle class="${role}" cx="${x}" cy="${y}" r="${role === 'own' ? 6 : 5}" />`
      : svg`<rect class="${role}" x="${x - 4}" y="${y - 4}" width="8" height="8" />`;
  const box = (name: string, x: number, y: number, width: number, height: number) =>
    svg`<rect class="${name}" x="${x}" y="${y}" width="${width}" height="${height}" />`;
  const text = (x: number, y: number, anchor: string, said: string) =>
    svg`<text x="${x}" y="${y}" text-anchor="${anchor}">${said}</text>`;
  const open = batchesLeft(sampler, batch);
  const own: RecordMark = { role: 'own', record: marked, batch };
  const marks = [...others(sampler, batch), own];
  const key = (['own', 'clone', 'fill', 'other'] as const).filter((role) =>
    marks.some((mark) => mark.role === role),
  );
  const keyAt = (index: number) => 184 + 20 * index;
  return svg`${Array.from({ length: places }, (_, at) =>
    box(open.includes(at) ? 'left' : 'gone', columnAt(at) - 14, top, 28, bottom - top),
  )}<path class="row" d="${Array.from({ length: places }, (_, at) => `M${left} ${rowAt(at)}H${right}`).join('')}" />${marks.map(
    (mark) => dot(mark.role, columnAt(mark.batch), rowAt(mark.record)),
  )}${text((left + right) / 2, 12, 'middle', words.batches)}${(sampler in ordered
    ? words.records
    : words.loose
  ).map((line, index) => text(left - 4, 96 + 16 * index, 'end', line))}${key.map((role, index) => [
    dot(role, left + 16, keyAt(index)),
    text(
      left + 28,
      keyAt(index) + 4,
      'start',
      words[role === 'other' && sampler !== 'shuffle' ? 'another' : role],
    ),
  ])}${box('left', left + 9, keyAt(key.length) - 7, 14, 14)}${text(left + 28, keyAt(key.length) + 4, 'start', words.left)}`;
}

export const clonesBox = '-12 -4 372 260';

export const clonesFigure = `<figure class="clones">
  <svg viewBox="${clonesBox}" role="img" aria-labelledby="clones-name clones-words">
    <title id="clones-name">${words.title}</title>
    <desc id="clones-words">${words.description}</desc>
    ${clonesDrawing(inText, 'shuffle', usualBatch)}
  </svg>
  <figcaption>${words.caption}</figcaption>
</figure>`;
