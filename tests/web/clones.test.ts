import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { phaseFields, samplers } from '../../wasm/generated/schema.js';
import {
  batchAt,
  batchesLeft,
  clonesDrawing,
  clonesFigure,
  places,
} from '../../web/src/charts/clones-figure.js';
import { ghostSentence } from '../../web/src/words/clone-theorem.js';
import { clonesSentence, clonesWords } from '../../web/src/words/clones.js';
import { fieldInfo } from '../../wasm/words/fields.js';
import { meaningOf } from '../../web/src/words/fields.js';

describe('clones: the figure', () => {
  const marks = [
    ...clonesFigure.matchAll(/<circle class="(own|clone)" cx="(\d+)" cy="(\d+)"/g),
  ].map(([, role = '', x, y]) => ({ role, x: Number(x), y: Number(y) }));
  const others = [...clonesFigure.matchAll(/<rect class="other" x="(\d+)" y="(\d+)"/g)].map(
    ([, x, y]) => ({ role: 'other', x: Number(x) + 4, y: Number(y) + 4 }),
  );
  // Those below the grid belong to the key.
  const records = [...marks, ...others].filter(({ y }) => y < 170);
  const shaded = [...clonesFigure.matchAll(/<rect class="left" x="(\d+)" y="20" width="(\d+)"/g)];

  test('has every record in one batch, and one record in every batch', () => {
    expect(records).toHaveLength(8);
    expect(new Set(records.map(({ x }) => x)).size).toBe(8);
    expect(new Set(records.map(({ y }) => y)).size).toBe(8);
    expect(records.filter(({ role }) => role === 'own')).toHaveLength(1);
  });

  test('shades the batches of the record in question and of its clones, and no other', () => {
    const holding = records.filter(({ x }) =>
      shaded.some(([, from, width]) => Math.abs(Number(from) + Number(width) / 2 - x) < 1),
    );
    expect(shaded).toHaveLength(3);
    expect(holding.map(({ role }) => role).sort()).toEqual(['clone', 'clone', 'own']);
  });

  test('has a name, a description, a key and one sentence, and no style of its own', () => {
    const {
      title,
      description,
      batches,
      records: lines,
      own,
      clone,
      other,
      left,
      caption,
    } = clonesWords;
    for (const said of [title, description, batches, ...lines, own, clone, other, left, caption])
      expect(clonesFigure).toContain(said);
    expect(clonesFigure).toMatch(/role="img" aria-labelledby="clones-name clones-words"/);
    expect(clonesWords.caption.match(/[.!?]/g)).toEqual(['.']);
    expect(clonesFigure).not.toMatch(/ style=|<style|<script/);
  });

  test('is drawn once: the proofs have its place, and no copy of it', () => {
    const proofs = readFileSync(new URL('../../web/docs/proofs.md', import.meta.url), 'utf8');
    expect(proofs.split('<!-- clones figure -->')).toHaveLength(2);
    expect(proofs).not.toContain('class="clones"');
  });
});

describe('clones: the marked record in another batch', () => {
  const text = (strings: TemplateStringsArray, ...values: readonly unknown[]) =>
    String.raw({ raw: strings }, ...values.map((value) => [value].flat(3).join('')));
  const batches = Array.from({ length: places }, (_, batch) => batch);
  const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);
  const inGrid = (drawing: string) =>
    [...drawing.matchAll(/"(own|clone|other|fill)" c?x="(\d+)" c?y="(\d+)"/g)].flatMap(
      ([, role = '', x, y]) => {
        const edge = role === 'other' || role === 'fill' ? 4 : 0;
        const [at, down] = [Number(x) + edge, Number(y) + edge];
        return down < 170 ? [{ role, batch: batchAt(at), down }] : [];
      },
    );
  const cases = samplers.flatMap(({ name }) => batches.map((batch) => [name, batch] as const));

  test.each(cases)('%s, batch %d: it is there, and the shaded ones may hold it', (name, batch) => {
    const drawing = clonesDrawing(text, name, batch);
    const marks = inGrid(drawing);
    expect(marks.filter(({ role }) => role === 'own').map((mark) => mark.batch)).toEqual([batch]);
    const left = batchesLeft(name, batch);
    expect(left).toContain(batch);
    // One more is in the key.
    expect(drawing.split('class="left"')).toHaveLength(left.length + 2);
    expect(clonesSentence(name, batch, left)).toContain(`in batch ${batch + 1}.`);
    // No two marks on one another.
    expect(new Set(marks.map((mark) => `${mark.batch} ${mark.down}`)).size).toBe(marks.length);
  });

  test.each(batches)('full batches stay full, and the clones’ stay open: batch %d', (batch) => {
    for (const name of ['deterministic', 'shuffle'] as const) {
      const marks = inGrid(clonesDrawing(text, name, batch));
      expect(sorted(marks.map((mark) => mark.batch))).toEqual(batches);
    }
    const clones = inGrid(clonesDrawing(text, 'shuffle', batch)).filter(
      ({ role }) => role === 'clone',
    );
    const left = sorted([batch, ...clones.map((mark) => mark.batch)]);
    expect(batchesLeft('shuffle', batch)).toEqual(left);
    expect(left).toHaveLength(3);
  });

  test('who draws alone moves nobody; a fixed size needs another record in its place', () => {
    const others = (name: 'poisson' | 'balls-and-bins', batch: number) =>
      inGrid(clonesDrawing(text, name, batch)).filter(({ role }) => role !== 'own');
    for (const name of ['poisson', 'balls-and-bins'] as const)
      expect(others(name, 0)).toEqual(others(name, 7));
    for (const batch of batches) {
      const marks = inGrid(clonesDrawing(text, 'without-replacement', batch));
      expect(marks.filter(({ role }) => role === 'fill').map((mark) => mark.batch)).toEqual([
        batch,
      ]);
    }
  });

  test('a place of the drawing is the nearest batch', () => {
    expect([-50, 92, 107, 109, 316, 900].map(batchAt)).toEqual([0, 0, 0, 1, 7, 7]);
  });
});

test('clones: the ghost’s sentence rounds both ends up', () => {
  expect(ghostSentence(4.3771, 1.32640001)).toContain('at most 4.378.');
  expect(ghostSentence(4.3771, 1.32640001)).toMatch(/to 1\.327\.$/);
});

test('fields: where the dataset’s size is not given, batches are said to be full', () => {
  for (const name of ['stepsPerEpoch', 'samplingProbability']) {
    const field = phaseFields.find((other) => other.name === name);
    if (!field) throw new Error(`no field ${name}`);
    expect(meaningOf(field)).toContain(field.meaning);
    expect(meaningOf(field)).toContain('assumed to be full');
  }
  const epochs = { name: 'epochs', meaning: 'Passes over the dataset.' };
  expect(meaningOf(epochs)).toBe(epochs.meaning);
  expect(meaningOf(fieldInfo('maxBatchSize'), true)).toMatch(/^Batches with more clients than/);
});
