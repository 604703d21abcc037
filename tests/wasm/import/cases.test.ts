import { expect, test } from 'vitest';
import { samplers } from '../../../wasm/generated/schema.js';
import { importRun } from '../../../wasm/import-run.js';
import { queryOf, readRun } from '../../../wasm/import/index.js';
import type { Choices, ImportedRun } from '../../../wasm/import/index.js';

// Telling ones, by name; `readings.golden` has hundreds of texts and all that is read of each.

/** A run, which the text must be. */
function runOf(text: string, choices?: Choices): ImportedRun {
  const run = readRun(text, choices);
  if ('wrong' in run) throw new Error(run.wrong.join(' '));
  return run;
}
const phasesOf = (text: string, choices?: Choices) =>
  queryOf(runOf(text, choices), undefined).phases;
const readingsOf = (text: string) => runOf(text).ambiguous.map(({ readings }) => readings);

const counts = 'n = 60000\nbatch_size = 256\nepochs = 10\nsigma = 1.1\n';
const mnist = { datasetSize: 60000, batchSize: 256, epochs: 10, noiseMultiplier: 1.1 };

test.each([
  ['1 / (2 * n)', 1 / 120000],
  ['n ** -1.1', 60000 ** -1.1],
  ['1e-1 * 1e-4', 1e-5],
  ['1 / len(test_set)', undefined],
  ['1e-5 if private else 1', undefined],
])('import: the formula %s is computed whole or not at all', (formula, delta) => {
  const { phases, delta: read } = queryOf(runOf(`${counts}delta = ${formula}`), undefined);
  expect(phases).toEqual([mnist]);
  if (delta === undefined) expect(read).toBeUndefined();
  else expect(read).toBeCloseTo(delta, 15);
});

test('import: a batch beside devices may be the whole one, and the reader says which', () => {
  const text =
    'We train on 8 GPUs for 5 epochs, batch size 1,024, on 50,000 examples, noise multiplier 1.';
  expect(readingsOf(text)).toEqual([['1,024 in a step', '8,192 in a step']]);
  expect(phasesOf(text, { batch: 0 })[0]).not.toHaveProperty('devices');
  expect(phasesOf(text, { batch: 1 })).toMatchObject([{ batchSize: 1024, devices: 8 }]);
});

test('import: points between thousands and decimal commas are asked about, in code, too', () => {
  const text = 'n = 60.000, b = 256, 10 epochs, sigma = 1,1';
  expect(readingsOf(text)).toEqual([['60,000', '60'], ['1.1']]);
  const [n, sigma] = runOf(text).ambiguous;
  expect(phasesOf(text, { [n?.id ?? '']: 0, [sigma?.id ?? '']: 0 })).toEqual([mnist]);
  const none = phasesOf(text, { [n?.id ?? '']: 2, [sigma?.id ?? '']: 1 });
  expect(none).toEqual([{ batchSize: 256, epochs: 10 }]);
  const code = 'n = 60.000; sigma = 1,1; batch = 256; epochs = 20';
  expect(readingsOf(code)[0]).toEqual(['60,000', '60']);
});

test('import: a reader who chooses none leaves the field empty', () => {
  const { missing } = runOf(`${counts}sigma = 2.0`, { noiseMultiplier: 2 });
  expect(missing.map(({ field }) => field)).toEqual(['noiseMultiplier']);
});

test('import: of a table of several runs, one is chosen', () => {
  const text = 'n,batch_size,epochs,sigma\n60000,256,10,1.1\n60000,256,10,0.8';
  expect(phasesOf(text)).toEqual([{}]);
  expect(phasesOf(text, { run: 0 })).toEqual([mnist]);
});

test('import: every value of the question stands among the facts', () => {
  const run = runOf(`${counts}delta = 1e-5\nmax_batch_size = 300`);
  expect(run.facts.map(({ field }) => field).sort()).toEqual([
    ...['batchSize', 'datasetSize', 'delta', 'epochs', 'maxBatchSize', 'noiseMultiplier'],
  ]);
  expect(run.facts[0]).toEqual({
    ...{ quote: 'n = 60000', line: 1, column: 1 },
    ...{ field: 'datasetSize', means: 'Dataset size 60,000' },
  });
});

test('import: nothing is run', () => {
  const evil = `${counts}__import__("os").system("rm -rf /")\ndelta = eval("1e-5")\n`;
  expect(phasesOf(evil)).toEqual([mnist]);
  expect(runOf(evil).delta).toBeUndefined();
});

test('import: its question has the sampler that was told, or compares them all', () => {
  const run = runOf('n = 60,000, b = 256, 10 epochs, sigma = 1.1, δ = 10^-5');
  expect(queryOf(run, undefined)).toEqual({ question: 'compare', phases: [mnist], delta: 1e-5 });
  for (const { name } of samplers)
    expect(queryOf(run, name).phases).toEqual([{ sampler: name, ...mnist }]);
  const replaced = runOf('q: 0.1\nsteps: 10\nsigma: 1\nreplacement: true');
  expect(queryOf(replaced, 'poisson').phases[0]).not.toHaveProperty('replacement');
  expect(queryOf(replaced, 'without-replacement').phases[0]).toHaveProperty('replacement', true);
  expect(queryOf(runOf('q = 0.1, 10 steps, ε = 2'), 'poisson')).toMatchObject({
    ...{ question: 'calibrate', solveFor: 'noise', epsilon: 2 },
  });
});

test('import: the package has a run with its question, none while one is asked back, or the refusal', async () => {
  const text = 'n = 60.000, b = 256, 10 epochs, sigma = 1.1, delta = 1e-5';
  const asked = await importRun(text, { sampler: 'poisson' });
  expect(asked).toMatchObject({ query: null, ambiguous: [{ readings: ['60,000', '60'] }] });
  const [{ id } = { id: '' }] = 'wrong' in asked ? [] : asked.ambiguous;
  expect(await importRun(text, { sampler: 'poisson', choices: { [id]: 0 } })).toMatchObject({
    query: { question: 'epsilon', delta: 1e-5, phases: [{ sampler: 'poisson', ...mnist }] },
  });
  expect(await importRun('lunch')).toEqual({
    wrong: [expect.stringMatching(/^No training settings/)],
  });
});
