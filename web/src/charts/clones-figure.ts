import type { SamplerName } from '../../../wasm/generated/schema.js';
import { drawnSampler, isSo } from '../../../wasm/words/samplers.js';
import { clonesWords as words, drawOf, type Draw } from '../words/clones.js';

/*
 * Records and batches of one epoch, one record marked. The methods page has the figure of a shuffled
 * epoch in its text and needs no script; below the plot a reader moves the marked record.
 */

/** Records, and batches. */
export const places = 8;
const marked = 2;
export const usualBatch = 5;

/** The batches of each record. Where all are full, the marked one's has no other record. */
const draws: Readonly<Record<Draw, readonly (readonly number[])[]>> = {
  known: [[0], [1], [2], [3], [4], [5], [6], [7]],
  shuffled: [[3], [0], [5], [1], [7], [2], [6], [4]],
  'alone in an epoch': [[3], [0], [], [1], [3], [2], [6], [0]],
  'alone in a step': [[3, 6], [0], [], [1, 4], [], [2], [6], [0, 7]],
  // Every batch has one; what is beside the marked record fills its place.
  'of fixed size': [[2], [0, 7], [], [1, 3], [5], [], [6], [4]],
};

const clones = [0, 6];

type Role = 'own' | 'clone' | 'other' | 'fill';

interface RecordMark {
  role: Role;
  record: number;
  batch: number;
}

/** Where the other records are while the marked one is in a batch. */
function others(sampler: SamplerName, batch: number): RecordMark[] {
  const draw = drawOf(sampler);
  const [left] = draws[draw][marked] ?? [];
  const roleOf = (record: number, at: number): Role => {
    if (draw === 'shuffled' && clones.includes(record)) return 'clone';
    return draw === 'of fixed size' && at === batch ? 'fill' : 'other';
  };
  return draws[draw].flatMap((batches, record) =>
    record === marked
      ? []
      : batches.map((at) => ({
          role: roleOf(record, at),
          record,
          // The record in the way takes the place that the marked one left.
          batch: at === batch ? (left ?? at) : at,
        })),
  );
}

/** The batches that may hold the marked record, given where the others are. */
export function batchesLeft(sampler: SamplerName, batch: number): number[] {
  const all = Array.from({ length: places }, (_, at) => at);
  if (!isSo(sampler, 'cutsTheData')) return all;
  const open = others(sampler, batch).filter(({ role }) => role === 'clone');
  return all.filter((at) => at === batch || open.some((clone) => clone.batch === at));
}

const columnAt = (batch: number) => 92 + 32 * batch;
const rowAt = (record: number) => 30 + 18 * record;
const [left, right] = [columnAt(0) - 16, columnAt(places - 1) + 16];
const [top, bottom] = [rowAt(0) - 10, rowAt(places - 1) + 11];

export const batchAt = (x: number) =>
  Math.min(places - 1, Math.max(0, Math.round((x - columnAt(0)) / 32)));

/** How a drawing is put together: lit's own `svg`, or text. */
type Tag<Part> = (strings: TemplateStringsArray, ...values: readonly unknown[]) => Part;

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
  )}${text((left + right) / 2, 12, 'middle', words.batches)}${(isSo(sampler, 'cutsTheData')
    ? words.records
    : words.loose
  ).map((line, index) => text(left - 4, 96 + 16 * index, 'end', line))}${key.map((role, index) => [
    dot(role, left + 16, keyAt(index)),
    text(
      left + 28,
      keyAt(index) + 4,
      'start',
      words[role === 'other' && !isSo(sampler, 'permutes') ? 'another' : role],
    ),
  ])}${box('left', left + 9, keyAt(key.length) - 7, 14, 14)}${text(left + 28, keyAt(key.length) + 4, 'start', words.left)}`;
}

export const clonesBox = '-12 -4 372 260';

export const clonesFigure = `<figure class="clones">
  <svg viewBox="${clonesBox}" role="img" aria-labelledby="clones-name clones-words">
    <title id="clones-name">${words.title}</title>
    <desc id="clones-words">${words.description}</desc>
    ${clonesDrawing(inText, drawnSampler, usualBatch)}
  </svg>
  <figcaption>${words.caption}</figcaption>
</figure>`;
