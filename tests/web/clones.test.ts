import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { phaseFields } from '../../wasm/generated/schema.js';
import { clonesFigure, clonesPlace } from '../../web/src/charts/clones-figure.js';
import { clonesWords, ghostSentence } from '../../web/src/words/clones.js';
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
    const { records: lines, ...words } = clonesWords;
    for (const said of [...lines, ...Object.values(words)]) expect(clonesFigure).toContain(said);
    expect(clonesFigure).toMatch(/role="img" aria-labelledby="clones-name clones-words"/);
    expect(clonesWords.caption.match(/[.!?]/g)).toEqual(['.']);
    expect(clonesFigure).not.toMatch(/ style=|<style|<script/);
  });

  test('is drawn once: the methods page has its place, and no copy of it', () => {
    const methods = readFileSync(new URL('../../web/methods.html', import.meta.url), 'utf8');
    expect(methods.split(clonesPlace)).toHaveLength(2);
    expect(methods).not.toContain('class="clones"');
  });
});

test('clones: the ghost’s sentence rounds both ends up', () => {
  expect(ghostSentence(4.3771, 1.32640001)).toContain('at most 4.38.');
  expect(ghostSentence(4.3771, 1.32640001)).toMatch(/to 1\.33\.$/);
});

test('fields: where the dataset’s size is not given, batches are said to be full', () => {
  for (const name of ['stepsPerEpoch', 'samplingProbability']) {
    const field = phaseFields.find((other) => other.name === name);
    if (!field) throw new Error(`no field ${name}`);
    expect(meaningOf(field)).toContain(field.meaning);
    expect(meaningOf(field)).toContain('taken as full');
  }
  const epochs = { name: 'epochs', meaning: 'Passes over the dataset.' };
  expect(meaningOf(epochs)).toBe(epochs.meaning);
});
