import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryOf, readRun } from '../../../wasm/import/index.js';

/** What a text is, and how much of a processor's time that took: a busy machine has no say. */
function timed(text: string) {
  const start = process.cpuUsage();
  const run = readRun(text);
  const { user, system } = process.cpuUsage(start);
  return {
    run,
    wrong: 'wrong' in run ? run.wrong.join(' ') : undefined,
    ms: (user + system) / 1000,
  };
}

test.each([
  [
    'bytes of a file',
    `PK\u0003\u0004\u0000\u0000${'\u0001\u0002'.repeat(1000)}`,
    /bytes of a file/,
  ],
  ['5 MB', 'epochs: 3 x\n'.repeat(420_000), /longer than 120,000 characters/],
  ['1e5 lines', 'loss = 1\n'.repeat(100_000), /longer than 120,000 characters/],
  ['an open quote', '{"epochs": 3, "batch_size: 10, "sigma": 1', /left open/],
  ['open brackets', '['.repeat(50_000), /left open|Nothing/],
  ['control characters alone', '\u0007\u0008\u0007\u0008', /bytes of a file/],
])('import: %s: one clear sentence, and soon', (_, text, words) => {
  const { wrong, ms } = timed(text);
  expect(wrong).toMatch(words);
  expect(ms).toBeLessThan(2000);
});

test('import: marks of direction hide no digits, and change none', () => {
  expect(readRun('sigma = \u202e1.2\u202c\nepochs = 10')).toHaveProperty('wrong');
  const run = readRun('sigma = \u20671.1\u2069\nn = 60000\nbatch_size = 256\nepochs = 10');
  expect('wrong' in run ? run : queryOf(run, undefined).phases).toEqual([
    { noiseMultiplier: 1.1, datasetSize: 60000, batchSize: 256, epochs: 10 },
  ]);
  const arabic = readRun('عدد الدورات 10 وحجم الدفعة 256');
  expect('wrong' in arabic ? arabic.wrong.join() : '').toMatch(/No training settings/);
});

test('import: long texts of every kind are read soon', () => {
  const pieces = [
    ...'(·[1,·{"a":·F(·1 ·a=·60,000 ·x = 1\n·- a: 1\n·--a 1 ·| a | b |\n·σ = 1, '.split('·'),
    ...'$\\sigma$ ·"·`·a.b(c=·\\\n·1 and 2 ·( ε, δ ) = (·batch size of ·\n\n- ·```\n·&'.split('·'),
  ];
  // A sixth of them, and all in the full run.
  const isFullRun = process.env.HONEST_EPSILON_LONG !== undefined;
  for (const piece of pieces.filter((_, at) => isFullRun || at % 6 === 0)) {
    const { ms } = timed(piece.repeat(Math.floor(119_000 / piece.length)));
    expect({ piece, soon: ms < 2000 }).toEqual({ piece, soon: true });
  }
});

test.each(['\n', ' ', '\t', ' \n'])('import: many of %j between two settings', (blank) => {
  const { ms, run } = timed(`sigma = 1\n${blank.repeat(100_000 / blank.length)}\nn = 9`);
  expect(ms).toBeLessThan(2000);
  expect('wrong' in run ? run : queryOf(run, undefined).phases).toEqual([
    { noiseMultiplier: 1, datasetSize: 9 },
  ]);
});

test('import: histories of a million rows', () => {
  const rows = (count: number, row: (at: number) => string) =>
    `{"history": [${Array.from({ length: count }, (_, at) => row(at)).join(', ')}], "delta": 1e-6}`;
  const alike = timed(rows(1_000_000, () => '[1.1, 0.01, 1]'));
  expect(alike.ms).toBeLessThan(2000);
  expect('wrong' in alike.run ? alike.run : queryOf(alike.run, undefined)).toMatchObject({
    phases: [{ noiseMultiplier: 1.1, samplingProbability: 0.01, steps: 1_000_000 }],
    delta: 1e-6,
  });
  const unlike = timed(rows(300_000, (at) => `[${1 + at / 1e6}, ${0.01 + (at % 7) / 1e5}, 2]`));
  expect(unlike.ms).toBeLessThan(2000);
  expect(unlike.wrong).toBe('The history has more than 1,000 unlike rows in turn.');
}, 20_000);

test('import: whatever is pasted, it is a run or a refusal in sentences', () => {
  const pieces = [
    ...'sigma· = ·1.1·(·)·[·]·{·}·,·:·"·\'·\n·--n ·6·60,000·history·GaussianDpEvent·count='.split(
      '·',
    ),
    ...'SelfComposedDpEvent· epochs·n/0·10^-5·\\·σ·#·|·---·&·\\\\·- ·  ·def f():·batch size'.split(
      '·',
    ),
    ...'%·$·for epoch in range(·>>> ·```·*a·&a'.split('·'),
  ];
  const piece = fc.constantFrom(...pieces);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.array(piece, { maxLength: 60 }).map((all) => all.join('')),
      ),
      (text) => {
        const run = readRun(text);
        if ('wrong' in run)
          expect(run.wrong.every((one) => /[.”]$/.test(one) && one.length > 9)).toBe(true);
        else {
          expect(run.entries.length).toBeGreaterThan(0);
          for (const one of run.ambiguous) expect(one.readings.length).toBeGreaterThan(0);
        }
      },
    ),
    { numRuns: 800 },
  );
});
