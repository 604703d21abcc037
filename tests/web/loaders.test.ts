import { expect, test } from 'vitest';
import { samplers } from '../../wasm/generated/schema.js';
import { loadedBy, loaderOf, loaders } from '../../web/src/state/loaders.js';
import { defaultPhase } from '../../web/src/state/scenario.js';
import { loaderNotes } from '../../web/src/words/loaders.js';

test('loaders: each makes the batches that it says, is told from the run, and every sampler has one', () => {
  for (const loader of loaders) {
    const entry = { ...defaultPhase, ...loadedBy(defaultPhase, loader) };
    expect(entry.sampler).toBe(loader.sampler);
    expect(loaderOf(entry)).toBe(loader);
    // Another sampler is not what the loader makes, whatever was chosen before.
    const other = samplers.find(({ name }) => name !== loader.sampler)?.name ?? 'poisson';
    expect(loaderOf({ ...entry, sampler: other })?.sampler).toBe(other);
  }
  expect(new Set(loaders.map(({ sampler }) => sampler)).size).toBe(samplers.length);
  expect(loaders.find(({ name }) => name === 'unsure')?.sampler).toBe('deterministic');
  const named = Object.keys(loaderNotes).filter(
    (note) => !loaders.some(({ name }) => name === note),
  );
  expect(named).toEqual([]);
});

test('loaders: one that keeps the order, or draws again, is left by choosing another', () => {
  const by = (name: string, entry = defaultPhase) => {
    const loader = loaders.find((one) => one.name === name);
    if (!loader) throw new Error(`no loader ${name}`);
    return { ...entry, ...loadedBy(entry, loader) };
  };
  expect(by('kept-order').texts.reshuffle).toBe('once');
  expect(by('dataloader', by('kept-order'))).toEqual(defaultPhase);
  expect(by('repeats').texts.replacement).toBe('true');
  expect(by('subset', by('repeats')).texts.replacement).toBe('false');
});
