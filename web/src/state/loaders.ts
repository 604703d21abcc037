import type { SamplerName } from '../../../wasm/generated/schema.js';
import { samplerInfo } from '../../../wasm/words/samplers.js';
import type { PhaseEntry } from './scenario.js';

/** How people say that batches were loaded, and the batches that this makes. */
export interface Loader {
  name: string;
  label: string;
  sampler: SamplerName;
  reshuffle?: 'each-epoch' | 'once';
  replacement?: boolean;
}

/** The first of a sampler is what its batches are called when nothing else is known. */
export const loaders: readonly Loader[] = [
  { name: 'dataloader', label: 'PyTorch DataLoader(shuffle=True)', sampler: 'shuffle' },
  { name: 'distributed', label: 'PyTorch DistributedSampler', sampler: 'shuffle' },
  { name: 'full-buffer', label: 'tf.data, buffer of the whole dataset', sampler: 'shuffle' },
  { name: 'shards', label: 'Fixed shards, each shuffled by its worker', sampler: 'shuffle' },
  {
    ...{ name: 'kept-order', label: 'Shuffled once, the order kept' },
    ...{ sampler: 'shuffle', reshuffle: 'once' },
  },
  { name: 'opacus', label: 'Opacus (Poisson sampling)', sampler: 'poisson' },
  {
    ...{ name: 'subset', label: 'A random subset at every step' },
    ...{ sampler: 'without-replacement', replacement: false },
  },
  {
    ...{ name: 'repeats', label: 'PyTorch RandomSampler(replacement=True)' },
    ...{ sampler: 'without-replacement', replacement: true },
  },
  { name: 'balls', label: 'Balls-and-bins', sampler: 'balls-and-bins' },
  {
    name: 'fixed-order',
    label: 'A fixed order, or one that others know',
    sampler: 'deterministic',
  },
  { name: 'small-buffer', label: 'tf.data, a smaller buffer', sampler: 'deterministic' },
  { name: 'unsure', label: 'Not sure', sampler: 'deterministic' },
];

/** Whether a phase draws as a loader does. */
const drawsAs = ({ sampler, texts }: PhaseEntry, loader: Loader): boolean =>
  sampler === loader.sampler &&
  (loader.reshuffle === undefined || texts.reshuffle === loader.reshuffle) &&
  (loader.replacement === undefined || texts.replacement === String(loader.replacement));

/** The loader of a phase: the one that was named, while the phase draws as it does. */
export function loaderOf(entry: PhaseEntry): Loader | undefined {
  const named = loaders.find(({ name }) => name === entry.loader);
  return named && drawsAs(entry, named) ? named : loaders.find((one) => drawsAs(entry, one));
}

/** What changes in a phase whose batches are loaded in another way. */
export function loadedBy(entry: PhaseEntry, loader: Loader): Partial<Omit<PhaseEntry, 'kind'>> {
  const { name, sampler, reshuffle = 'each-epoch', replacement } = loader;
  const texts = {
    ...entry.texts,
    ...(samplerInfo(sampler).canKeepDraw ? { reshuffle } : {}),
    ...(replacement === undefined ? {} : { replacement: String(replacement) }),
  };
  const change = { sampler, texts };
  // The first of a sampler need not be remembered.
  const usual = loaderOf({ ...entry, ...change, loader: '' }) === loader;
  return { ...change, loader: usual ? '' : name };
}
