// Prints what a package answers, with the digits that tell each double from every other one:
//   node tests/agreement/digits.mjs PACKAGE/dist/node/index.js > digits.txt
// and, given such a file, fails where an answer differs:
//   node tests/agreement/digits.mjs PACKAGE/dist/node/index.js digits.txt

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Every sampler, mechanism and kind of neighbour, asked both ways; a composition; a calibration. */
export const questionsFor = (/** @type {readonly string[]} */ samplers) => [
  ...samplers.flatMap((sampler) =>
    ['gaussian', 'laplace', 'randomized-response'].flatMap((mechanism) =>
      ['zero-out', 'substitution'].map((adjacency, i) => ({
        ...(i === 0 ? { question: 'epsilon', delta: 1e-7 } : { question: 'delta', epsilon: 1.5 }),
        width: 0.01,
        phases: [{ sampler, mechanism, adjacency, noiseMultiplier: 0.9, stepsPerEpoch: 97 }],
      })),
    ),
  ),
  {
    question: 'epsilon',
    delta: 1e-6,
    width: 0.01,
    phases: [
      { sampler: 'poisson', noiseMultiplier: 1.1, samplingProbability: 0.003, steps: 700 },
      { sampler: 'shuffle', noiseMultiplier: 2, stepsPerEpoch: 50, epochs: 2 },
      { mu: 0.3 },
      { epsilon: 0.2, delta: 1e-9 },
    ],
  },
  {
    question: 'calibrate',
    solveFor: 'noise',
    epsilon: 2,
    delta: 1e-5,
    phases: [{ sampler: 'poisson', datasetSize: 5000, batchSize: 50, epochs: 3 }],
  },
];

/** One line per question; how long an answer took is no part of it. */
async function lines(/** @type {string} */ entry) {
  const { createEngine, samplers } = await import(pathToFileURL(resolve(entry)).href);
  const engine = await createEngine({ workers: 1 });
  try {
    const names = samplers.map((/** @type {{name: string}} */ { name }) => name);
    const all = [];
    for (const question of questionsFor(names)) {
      const answer = await engine.answer(question);
      answer.work.milliseconds = 0;
      all.push(JSON.stringify({ question, answer }));
    }
    return all;
  } finally {
    engine.close();
  }
}

if (process.argv[1] && pathToFileURL(process.argv[1]).href === import.meta.url) {
  const [entry = '', file] = process.argv.slice(2);
  const answered = await lines(entry);
  if (file === undefined) {
    console.log(answered.join('\n'));
  } else {
    const wanted = readFileSync(file, 'utf8').trim().split(/\r?\n/);
    const wrong = answered.flatMap((line, i) => (line === wanted[i] ? [] : [i]));
    for (const i of wrong) console.log(`wanted ${wanted[i] ?? 'nothing'}\ngot    ${answered[i]}`);
    const same = wrong.length === 0 && wanted.length === answered.length;
    console.log(`${answered.length - wrong.length} of ${wanted.length} answers are the same`);
    process.exitCode = same ? 0 : 1;
  }
}
