import { describe, expect, test } from 'vitest';
import { formatNames, quotationFormats, quotationNames } from '../../wasm/report/index.js';
import { runCommand } from './run-command.js';

const run = (words: readonly string[], input?: string) => runCommand(['report', ...words], input);

const flags = ['--sampler=deterministic', '--noise-multiplier=1', '--dataset-size=6400'];
const known = [...flags, '--batch-size', '100', '--delta', '1e-5'];
const question = {
  phases: [{ sampler: 'deterministic', noiseMultiplier: 1, datasetSize: 6400, batchSize: 100 }],
  delta: 1e-5,
};

describe('report command', () => {
  test.each(formatNames)('writes %s, the same from flags and from a file', async (format) => {
    const day = ['--date=2025-11-30', '--format', format];
    const [byFlags, byFile] = await Promise.all([
      run([...known, ...day]),
      run(['-', ...day], JSON.stringify(question)),
    ]);
    for (const { code, err } of [byFlags, byFile]) expect([code, err]).toEqual([0, '']);
    expect(byFlags.out).toContain(format === 'bibtex' ? '@inproceedings{HP24,' : '2025-11-30');
    // Flags and file name the fields in different orders.
    const unordered = (out: string) => out.split(/[{}",\s]+/).sort();
    expect(unordered(byFile.out)).toEqual(unordered(byFlags.out));
  });

  test('its numbers are those of the question', async () => {
    const { out } = await run([...known, '--json', '--clipping-norm', '2', '--reported=1']);
    // The Gaussian mechanism at mu = 1, delta = 1e-5, from 30-digit arithmetic.
    const report = JSON.parse(out) as {
      answer: { epsilon: { lower: number; upper: number } };
      clippingNorm: number;
      reported: number;
    };
    expect(report.answer.epsilon.lower).toBeLessThanOrEqual(4.377178095681225);
    expect(report.answer.epsilon.upper).toBeGreaterThanOrEqual(4.377178095681224);
    expect(report).toMatchObject({ clippingNorm: 2, reported: 1 });
  });

  test.each(quotationNames)('writes the quotation alone, as %s', async (name) => {
    const { format } = quotationFormats[name];
    const { out, code } = await run([...known, '--format', format, '--reported', '1']);
    expect(code).toBe(0);
    expect(out).toContain('We trained with DP-SGD on deterministic batches (');
    expect(out).toContain('(4.378, 10');
    expect(out).not.toContain('Reproduction');
    expect(out.includes('Erratum: we reported')).toBe(name !== 'model-card');
  });

  test('prints no address that only its writer can open', async () => {
    const { code, err } = await run([...known, '--link', 'http://localhost:4173/#v1']);
    expect(code).toBe(2);
    expect(err).toBe(
      'honest-epsilon: --link must be an address that others can open, such as https://example.org/; got "http://localhost:4173/#v1"\n',
    );
    const { out } = await run([...known, '--link', 'https://example.org/#v1']);
    expect(out).toContain('https://example.org/#v1');
    const odd = await run([...known, '--link', 'https://example.org/\n#a\u001b[31m']);
    expect(odd.out).toContain('https://example.org/#a%1B[31m');
  });

  test('a file says itself what is asked', async () => {
    const { phases: as } = question;
    const { out } = await run(['-'], JSON.stringify({ phases: as, question: 'delta', epsilon: 4 }));
    expect(out.replaceAll('\n', ' ')).toMatch(
      /training is \(4, [^)]+\)-differentially private under zero-out neighbours\. It is not \(4, δ\)-differentially private/,
    );
    const sought = { ...question, question: 'calibrate', solveFor: 'noise', epsilon: 2 };
    const phases = question.phases.map((phase) => ({ ...phase, noiseMultiplier: undefined }));
    const found = await run(['-', '--json'], JSON.stringify({ ...sought, phases }));
    const report = JSON.parse(found.out) as { answer: { epsilon: { upper: number } } };
    expect(report.answer.epsilon.upper).toBeLessThanOrEqual(2);
    expect(report.answer.epsilon.upper).toBeGreaterThan(2 * (1 - 2e-3));
  });

  test.each<[string[], string, string]>([
    [['--format', 'latx', ...known], 'unknown-choice', 'did you mean latex?'],
    [['--date', 'today', ...known], 'wrong-type', 'a day such as'],
    [['--date', '2025-02-30', ...known], 'wrong-type', 'got "2025-02-30"'],
    [['a.json', '--query', 'b.json'], 'unexpected-word', '"a.json" and "--query b.json"'],
    [['--clipping-norm', '0', ...known], 'out-of-domain', 'above 0; got "0"'],
    [['--reported', 'x', ...known], 'out-of-domain', 'of at least 0; got "x"'],
    [['--format'], 'missing-value', 'needs a value'],
    [['--date=2025-01-01', '--date=2025-01-02', ...known], 'repeated-flag', 'more than once'],
    [['a.json', 'b.json'], 'unexpected-word', '"a.json" and "b.json"'],
    [['nowhere.json'], 'unreadable', 'nowhere.json'],
    [['a.json', ...known], 'contradiction', '--query gives the phases'],
    [['--sigma', '1'], 'unknown-flag', '--noise-multiplier?'],
    [[...flags, '--delta=1e-5'], 'missing', '--batch-size is required'],
  ])('%j exits 2 with one line', async (words, code, hint) => {
    const { code: exit, out, err } = await run([...words, '--json']);
    expect(exit).toBe(2);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(err).toContain(hint);
    expect(JSON.parse(out)).toMatchObject({ error: { code } });
  });

  test('help names every format and flag', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    const quotations = quotationNames.map((name) => quotationFormats[name].format);
    for (const word of [
      ...formatNames,
      ...quotations,
      '--clipping-norm',
      '--noise-multiplier',
      '--drop-last',
    ])
      expect(out).toContain(word);
  });
});
