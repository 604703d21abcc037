import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerText, comparisonText, monteCarloText } from '../../../wasm/command/text.js';
import { tradeoffText } from '../../../wasm/command/tradeoff.js';
import { createEngine } from '../../../wasm/node.js';
import type { Adjacency, Engine, Phase, Query } from '../../../wasm/node.js';
import { neighboursOf, otherNeighbours, rowsOfOthers } from '../../../wasm/words/neighbours.js';
import { buildReport, formats, gather } from '../../../wasm/report/index.js';
import { deltaSentence } from '../../../web/src/words/sentence.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ workers: 2 });
});
afterAll(() => {
  engine.close();
});

const run = (sampler: Phase['sampler'], adjacency: Adjacency): Query => ({
  phases: [{ sampler, adjacency, noiseMultiplier: 2, datasetSize: 640, batchSize: 64, epochs: 1 }],
  delta: 1e-5,
});

test.each([
  ['without-replacement', 'zero-out', 'for add/remove neighbours'],
  ['deterministic', 'add-remove', 'for zero-out neighbours'],
] as const)(
  'neighbours: %s asked for %s says %s wherever its number stands',
  async (sampler, asked, words) => {
    const query = run(sampler, asked);
    const answer = await engine.epsilon(query);
    expect(neighboursOf(answer)).toBe(words);
    expect(otherNeighbours(answer)).toBe(words);
    expect(answerText(answer, 'epsilon').split('\n')[0]).toContain(words);
    expect(
      deltaSentence(answer)
        .map(({ text }) => text)
        .join(''),
    ).toContain(words);
    const [head] = tradeoffText(await engine.tradeoff({ phases: query.phases })).split('\n');
    expect(head).toContain(words);
    const text = comparisonText(await engine.compare(query), 'epsilon');
    expect(text).toMatch(new RegExp(`proved +${words}$|bound +${words}$`, 'm'));
    const facts = await gather(engine, query, { date: '2025-11-30' });
    const report = formats.text.render(buildReport(facts));
    expect(report).toContain(words);
    expect(report).toContain('Not as requested');
  },
);

test('neighbours: a Monte Carlo run says those that it holds for', async () => {
  const shuffled = { sampler: 'shuffle', noiseMultiplier: 1, stepsPerEpoch: 2 } as const;
  const query = { ...shuffled, adjacency: 'add-remove', epsilons: [1], samples: 4096 } as const;
  const result = await engine.monteCarlo(query);
  expect(result.adjacency).toBe('zero-out');
  expect(monteCarloText(result).split('\n')[0]).toContain('for zero-out neighbours');
});

test('neighbours: what was asked for goes without saying beside the number', async () => {
  const answer = await engine.epsilon(run('poisson', 'add-remove'));
  expect(neighboursOf(answer)).toBe('for add/remove neighbours');
  expect(otherNeighbours(answer)).toBeUndefined();
});

test('neighbours: of a comparison’s rows those are named that answer for others', () => {
  const held = (code: string) =>
    ({ adjacency: 'add-remove', warnings: [{ code, text: '' }] }) as const;
  const rows = new Map([
    ['a', held('other-neighbours')],
    ['b', held('wide-interval')],
  ]);
  expect([...rowsOfOthers(rows as unknown as Parameters<typeof rowsOfOthers>[0])]).toEqual([
    ['a', 'for add/remove neighbours'],
  ]);
});
