import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { unknowns } from '../../wasm/command/flags.js';
import { readJson } from '../../wasm/command/json.js';
import { startedAs } from '../../wasm/command/ran.js';
import type { ImportedRun } from '../../wasm/import/index.js';
import { kebab } from '../../wasm/words/kebab.js';
import { multiplierOf } from '../../wasm/words/noise.js';
import {
  initialisationQueryFields,
  mixturesQueryFields,
  phaseFields,
  samplers,
  shuffleModelQueryFields,
} from '../../wasm/generated/schema.js';
import type { Answer, Phase, TradeOffAnswer } from '../../wasm/generated/schema.js';
import { isRecord, isResult } from '../../wasm/protocol.js';
import { command, runCommand as run, start } from './run-command.js';
import type { Ending } from './run-command.js';
import { isAnswer, isAnswers } from './shapes.js';

const run64 = ['--noise-multiplier', '1', '--steps-per-epoch', '64', '--epochs', '1'];

function parse(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new Error('not an object');
  return value;
}

async function epsilonOf(...words: string[]): Promise<Answer> {
  const { code, out, err } = await run(['epsilon', '--json', ...words]);
  expect(err).toBe('');
  expect(code).toBe(0);
  const answer: unknown = JSON.parse(out);
  if (!isAnswer(answer)) throw new Error(`not an answer: ${out}`);
  return answer;
}

/** The same, its streams as a shell sets them up. */
const inShell = (line: string): Promise<Ending> =>
  start('bash', ['-c', line], { env: { COMMAND: command } }).ending;

const poisson64 = JSON.stringify({
  question: 'epsilon',
  phases: [{ sampler: 'poisson', noiseMultiplier: 1, stepsPerEpoch: 64 }],
  delta: 1e-5,
});

/** Rows that are wider than a terminal, in one line each. */
const unwrapped = (out: string) => out.replaceAll(/\n {6,}/g, ' ');

describe('command', () => {
  test.each([
    ['"$COMMAND" batch < /', 'batch cannot read standard input: it is a folder; it reads'],
    ['"$COMMAND" epsilon --query - < /', 'query: cannot read standard input: it is a folder'],
    ['"$COMMAND" epsilon --query - < /dev/null', 'standard input must hold an object such as'],
    [`printf '[1]' | "$COMMAND" report -`, 'got a list'],
    [`printf '{\\n bad }' | "$COMMAND" report -`, 'as JSON; it is wrong at line 2, column 2'],
    ['"$COMMAND" report /no.json', 'query: cannot read /no.json: no such file or directory'],
    ['"$COMMAND" report /dev/zero', 'cannot read /dev/zero: it is too large'],
    ['"$COMMAND" epsilon --query - < /dev/zero', 'cannot read standard input: it is too large'],
    [`"$COMMAND" $'a\\e[31m\\a\\nb'`, String.raw`no command "a\u001b[31m\u0007\nb"`],
    [`"$COMMAND" epsilon $'--a\\e\\nb=1'`, String.raw`no flag --a\u001b\nb`],
    [`"$COMMAND" epsilon --delta $'\\e\\n'`, String.raw`got "\u001b\n"`],
    [`"$COMMAND" epsilon --sampler $'\\e\\n'`, String.raw`got "\u001b\n"`],
    [`"$COMMAND" report $'/no\\n\\e.json'`, String.raw`cannot read /no\n\u001b.json`],
  ])('%s exits 2 and says why', async (line, why) => {
    const { code, out, err } = await inShell(line);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.trimEnd().split('\n')).toEqual([expect.stringContaining(why)]);
  });

  test('reads what editors on Windows write', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'honest-epsilon-'));
    const file = join(folder, 'bom.json');
    await writeFile(file, `\uFEFF${poisson64}\r\n`);
    const one = await run(['epsilon', '--query', file, '--json']);
    expect(one.err).toBe('');
    const many = await run(['batch'], `\uFEFF${poisson64}\r\n\r\n${poisson64}\r\n`);
    const epsilons = [one.out, ...many.out.trim().split('\n')].map((line) => parse(line).epsilon);
    expect(epsilons).toHaveLength(3);
    expect(new Set(epsilons.map((epsilon) => JSON.stringify(epsilon))).size).toBe(1);
    await rm(folder, { recursive: true });
  });

  test('what has no bound is not called certified', async () => {
    const capped = [
      ...['--noise-multiplier', '1', '--dataset-size', '60000', '--batch-size', '256'],
      ...['--max-batch-size', '260', '--delta', '1e-5'],
    ];
    const own = [...capped, '--sampler', 'balls-and-bins'];
    const { out } = await run(['epsilon', ...own]);
    expect(out).toMatch(/^no bound on ε {2}at δ = 10⁻⁵$/m);
    expect(out).toMatch(/^ +Rényi +no bound$/m);
    expect((await run(['compare', ...capped])).out).toMatch(/^Balls-and-bins( +no bound){3}$/m);
    const report = (await run(['report', ...own])).out;
    expect(report.replaceAll('\n', ' ')).toContain('No finite ε is proved for training at δ');
    expect(report).not.toContain('proved bounds');
    expect(report).toMatch(/^ +ε at δ = 10⁻⁵ +no bound$/m);
  });

  test('a full disk is told, a reader that has seen enough is not', async () => {
    const lines = `for i in 1 2 3 4 5 6 7 8; do echo '${poisson64}'; done`;
    const full = await inShell(`echo '${poisson64}' | "$COMMAND" batch > /dev/full`);
    expect(full).toEqual({
      code: 1,
      out: '',
      err: 'honest-epsilon: cannot write the output: no space left on device\n',
    });
    const cut = await inShell(`set -o pipefail; ${lines} | "$COMMAND" batch | head -1`);
    expect(cut).toMatchObject({ code: 0, err: '' });
    expect(cut.out.split('\n')).toHaveLength(2);
    expect(await inShell('"$COMMAND" epsilom 2> /dev/full')).toMatchObject({ code: 2 });
  });

  test('the file that bin names is executable and says so', () => {
    expect(readFileSync(command, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test.each(samplers.map(({ name }) => name))('epsilon --json answers for %s', async (name) => {
    const answer = await epsilonOf('--sampler', name, ...run64, '--delta', '1e-5');
    expect(answer.sampler).toBe(name);
    expect(answer.delta.lower).toBe(1e-5);
  });

  test.each([
    ['--delta', '1e-5'],
    ['--delta', '1E-5'],
    ['--delta', '1/100000'],
    ['--delta', '1 / 100_000'],
    ['--delta', '0.000_01'],
    ['--delta=1e-5'],
  ])('reads %s %s', async (...flag) => {
    const answer = await epsilonOf('--sampler=deterministic', ...run64, ...flag);
    expect(answer.delta.lower).toBe(1e-5);
    expect(answer.epsilon.upper).toBeCloseTo(4.377178, 6);
  });

  test.each([
    [['--drop-last'], 64],
    [['--drop-last', '--delta', '1e-5'], 64],
    [['--drop-last', 'true'], 64],
    [['--drop-last=false'], 65],
    [['--drop-last', 'false'], 65],
    [[], 65],
  ])('reads the flag %j', async (flag, steps) => {
    const delta = flag.includes('--delta') ? [] : ['--delta=1e-5'];
    const answer = await epsilonOf(
      ...['--sampler=poisson', '--noise-multiplier=1', '--dataset-size=6450'],
      ...['--batch-size=25', '--accumulation-steps=2', '--devices=2', ...flag, ...delta],
    );
    expect(answer.derived).toMatchObject({ steps, batchSize: 100 });
  });

  test('delta and compare speak the same names', async () => {
    const delta = await run([
      'delta',
      '--sampler',
      'deterministic',
      ...run64,
      '--epsilon',
      '1',
      '--json',
    ]);
    expect(parse(delta.out)).toHaveProperty('directions.remove.upper');
    expect(parse(delta.out)).toHaveProperty('epsilon', { lower: 1, upper: 1, kind: 'certified' });
    const compare = await run(['compare', ...run64, '--delta', '1e-5', '--json']);
    const { question, answers } = parse(compare.out);
    expect(question).toBe('compare');
    if (!isAnswers(answers)) throw new Error('no answers');
    expect(answers.map(({ sampler }) => sampler)).toEqual(samplers.map(({ name }) => name));
  });

  test('text has real symbols, both directions and the method', async () => {
    const { out } = await run([
      'epsilon',
      '--sampler',
      'deterministic',
      ...run64,
      '--delta',
      '1e-5',
    ]);
    const lines = out.split('\n');
    expect(lines[0]).toBe('ε ≤ 4.378  at δ = 10⁻⁵, exact to four digits  (proved)');
    expect(lines[1]).toBe('Deterministic batches');
    expect(out).toContain('\n\nAssumes\n  - ');
    for (const word of ['remove', 'add', 'method', 'schedule']) {
      expect(lines.filter((line) => line.startsWith(`  ${word} `))).not.toHaveLength(0);
    }
  });

  test('compare prints an aligned row for each sampler', async () => {
    const { out } = await run(['compare', ...run64, '--epsilon', '1']);
    expect(out).toMatch(/^δ at ε = 1,/);
    const rows = out.split('\n').filter((line) => line.includes('['));
    expect(rows).toHaveLength(samplers.length);
    const columns = new Set(rows.map((row) => row.indexOf('[')));
    expect(columns.size).toBe(1);
  });

  test('help shows each command as it can be run where it was asked for', async () => {
    const overall = (await run(['--help'])).out;
    const names = [...overall.matchAll(/^ {2}([a-z-]+) {2}/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const { out } = await run(['help', name]);
      const shown = out.split('\n').filter((line) => line.includes('honest-epsilon'));
      expect(shown.length).toBeGreaterThan(0);
      const [, example = ''] = out.split('Example:');
      for (const line of shown)
        expect(`${line} ${example.replaceAll(/ \\\n +/g, ' ')}`).toContain(
          `node ${command.slice(1)} ${name}`,
        );
    }
    for (const name of ['mixtures', 'import']) {
      const example = /Example:\n {2}([^]*)/.exec((await run([name, '--help'])).out)?.[1] ?? '';
      const { stdout } = await promisify(execFile)('sh', ['-c', example], { cwd: '/' });
      expect(stdout).toMatch(/δ|sampler/);
    }
  });

  test('where the command is: the shorter path, quoted where a shell needs it', () => {
    expect(startedAs('/a/b/dist/x.js', '/a/b')).toBe('node dist/x.js');
    expect(startedAs('/x.js', '/a/b')).toBe('node /x.js');
    expect(startedAs('/a/my clone/x.js', '/a')).toBe('node "my clone/x.js"');
  });

  test('help is overall and a command’s own, with every flag', async () => {
    const overall = await run(['--help']);
    expect(overall.code).toBe(0);
    for (const name of ['epsilon', 'delta', 'compare', 'calibrate', 'batch'])
      expect(overall.out).toContain(name);
    for (const name of ['epsilon', 'delta', 'compare', 'calibrate', 'tradeoff', 'audit']) {
      const { out, code } = await run([name, '--help']);
      expect(code).toBe(0);
      for (const field of phaseFields) expect(out).toContain(`--${kebab(field.name)} `);
      for (const { sentence } of samplers) expect(out.replaceAll(/\s+/g, ' ')).toContain(sentence);
    }
    expect((await run(['epsilon', '--help'])).out).not.toContain('--epsilon ');
    expect((await run(['epsilon', '--help'])).out).not.toContain('--cap-delta');
    const calibrate = (await run(['calibrate', '--help'])).out;
    for (const word of ['--epsilon ', '--delta ', '--cap-delta ', '--query '])
      expect(calibrate).toContain(word);
    for (const word of unknowns) expect(calibrate).toContain(word);
    expect((await run(['batch', '--help'])).out).toContain('"phases"');
    expect((await run(['--version'])).out).toBe(`${packageJson.version}\n`);
    const [number, compiler] = (await run(['--version', '--verbose'])).out.split('\n');
    expect(number).toBe(packageJson.version);
    expect(compiler).toMatch(/^Emscripten \d+\.\d+\.\d+, .*clang/i);
  });

  test.each([
    ['epsilom', 'unknown-command', '', 'did you mean epsilon?'],
    ['help epsilom', 'unknown-command', '', 'did you mean epsilon?'],
    ['constructor', 'unknown-command', '', '"constructor"'],
    ['calibrate noise steps RUN', 'unexpected-word', '', '"noise" and "steps"'],
    ['epsilon -d 1e-5', 'unexpected-word', '', '"-d"'],
    ['epsilon poisson', 'unexpected-word', '', '"poisson"'],
    ['curve epsilon-noise RUN --points x', 'wrong-type', 'points', '"x"'],
    ['curve epsilon-noise --from 1 --from 2', 'repeated-flag', 'from', '--from'],
    ['epsilon --noise-mutliplier 1', 'unknown-flag', 'noise-mutliplier', '--noise-multiplier?'],
    ['epsilon --noise 1', 'unknown-flag', 'noise', '--noise-multiplier?'],
    ['epsilon --sigma 1', 'unknown-flag', 'sigma', '--noise-multiplier?'],
    ['epsilon --colour 1', 'unknown-flag', 'colour', '--help'],
    ['shuffle-model --local-eps 1', 'unknown-flag', 'local-eps', '--local-epsilon?'],
    ['calibrate RUN --sampler poisson', 'missing', 'solveFor', 'is required: one of noise'],
    ['calibrate noize RUN --epsilon 1', 'unknown-choice', 'solveFor', 'noize'],
    ['epsilon --query /no/such/file.json', 'unreadable', 'query', 'file.json'],
    [`epsilon --query ${command}`, 'bad-json', 'query', 'JSON'],
    ['epsilon --query a --query b', 'repeated-flag', 'query', 'more than once'],
    ['epsilon --query a --epochs 3', 'contradiction', 'epochs', '--query gives the phases'],
    ['epsilon --delta', 'missing-value', 'delta', '--delta'],
    ['epsilon --delta --epochs 3', 'missing-value', 'delta', '--delta'],
    ['epsilon --delta 1 --delta 2', 'repeated-flag', 'delta', 'more than once'],
    ['epsilon --delta small', 'wrong-type', 'delta', '"small"'],
    ['initialisation --offset 1 --epsilon 1,x', 'wrong-type', 'epsilon', '"1,x"'],
    ['epsilon --dataset-size 60.000', 'ambiguous-number', 'datasetSize', 'mean 60,000 or 60?'],
    ['epsilon --noise-multiplier 1,1', 'ambiguous-number', 'noiseMultiplier', 'mean 1.1?'],
    [
      ...['compare --sampling-probability=256/60.000', 'ambiguous-number'],
      ...['samplingProbability', '256/60,000 or 256/60?'],
    ],
    ['monte-carlo --workers 1.000', 'ambiguous-number', 'workers', '1000 or 1?'],
    ['curve epsilon-noise RUN --points 1.000', 'ambiguous-number', 'points', '1000 or 1?'],
    ['curve epsilon-noise RUN --from 0,5', 'ambiguous-number', 'from', '0.5?'],
    ['shuffle-model --users 10.000', 'ambiguous-number', 'users', '10,000 or 10?'],
    ['report --reported 7,4', 'ambiguous-number', 'reported', '7.4?'],
    // What the core refuses, of each kind of question.
    ['epsilon RUN --delta 1e-5 --sampler possion', 'unknown-choice', 'sampler', 'possion'],
    ['epsilon RUN --delta 1/0 --sampler poisson', 'not-finite', 'delta', 'Infinity'],
    ['shuffle-model --users 10', 'missing', 'localEpsilon', 'required'],
    ['mixtures --weight 2', 'out-of-domain', 'weight', '2'],
    ['audit --canaries 9 --guesses 10 --correct 1 --delta 1e-5', 'out-of-domain', 'guesses', '10'],
    ['tradeoff RUN --sampler poisson --delta 0.1', 'contradiction', 'delta', 'absent'],
  ])('%s exits 2 with one line', async (line, code, field, hint) => {
    const words = line.replace('RUN', run64.join(' ')).split(' ');
    const { code: exit, out, err } = await run([...words, '--json']);
    expect(exit).toBe(2);
    expect(err.trimEnd().split('\n')).toEqual([expect.stringContaining(hint)]);
    expect(parse(out)).toEqual({
      error: { code, field, text: expect.stringContaining(hint) as string },
    });
  });

  test('the noise that a deviation makes is the engine’s', async () => {
    for (const unit of ['sum', 'average']) {
      const phase = { sampler: 'poisson', datasetSize: 3400, batchSize: 17, devices: 3 } as const;
      const noise = { noiseUnit: unit, noiseStddev: 0.7, clippingNorm: 0.3 } as const;
      const flags = Object.entries({ ...phase, ...noise });
      const answer = await epsilonOf(
        ...flags.flatMap(([name, value]) => [`--${kebab(name)}`, String(value)]),
        ...['--delta', '1e-5'],
      );
      expect(answer.derived.noiseMultiplier).toBe(multiplierOf({ ...phase, ...noise } as Phase));
    }
  });

  test('fields are called as federated learning calls them', async () => {
    const flags = ['--sampler', 'poisson', '--noise-multiplier', '1', '--rounds', '500'];
    const clients = [...flags, '--clients-per-round', '100', '--delta', '1e-5', '--clients'];
    const answer = await epsilonOf(...clients, '3400', '--local-epochs', '5');
    expect(answer.privacyUnit).toBe('client');
    expect(answer.derived).toMatchObject({ steps: 500, batchSize: 100 });
    const { code, err } = await run(['epsilon', ...clients, '50']);
    expect(code).toBe(2);
    expect(err).toBe('honest-epsilon: --clients-per-round must be at most --clients 50; got 100\n');
    const text = await run(['epsilon', ...clients, '3400']);
    expect(text.out).toMatch(/holds +for zero-out neighbours that differ in one client/);
    expect(text.out).toMatch(/rounds 500/);
  });

  const target = ['--epsilon', '2', '--delta', '1e-5'];
  const dataset = ['--dataset-size', '6400', '--batch-size', '100', '--epochs', '2'];

  test.each(unknowns)('calibrate %s meets its target, and says what it found', async (what) => {
    const schedules: Record<string, string[]> = {
      steps: ['--sampling-probability', '0.01'],
      'sampling-probability': ['--steps', '100'],
      epochs: ['--dataset-size', '6400', '--batch-size', '100'],
      'batch-size': ['--dataset-size', '6400', '--epochs', '2'],
    };
    const words = [
      ...['calibrate', what, '--sampler', 'poisson', ...(schedules[what] ?? dataset)],
      ...(what === 'noise' ? [] : ['--noise-multiplier', '1.5']),
      ...(what === 'delta' ? target.slice(0, 2) : target),
    ];
    const { code, out, err } = await run([...words, '--json']);
    expect(err).toBe('');
    expect(code).toBe(0);
    const answer: unknown = JSON.parse(out);
    if (!isAnswer(answer) || !answer.solution) throw new Error(`no solution: ${out}`);
    if (what === 'delta') {
      expect(answer.solution).toMatchObject({ field: 'delta', value: answer.delta.upper });
    } else {
      expect(answer.epsilon.upper).toBeLessThanOrEqual(2);
    }
    const plain = await run(words);
    const [found, , sampler] = plain.out.split('\n');
    expect(found).toMatch(/^[A-Z][a-z ]+ [\d.×⁻⁰¹²³⁴-⁹]+$/u);
    expect(sampler).toBe('Poisson batches');
  });

  test('what calibration finds is found again', async () => {
    const { out } = await run([
      ...['calibrate', 'noise', '--sampler', 'balls-and-bins', ...dataset, ...target, '--json'],
    ]);
    const { solution } = JSON.parse(out) as Answer;
    const noise = ['--noise-multiplier', String(solution?.value)];
    const answer = await epsilonOf(
      ...['--sampler', 'balls-and-bins', ...dataset, ...noise],
      ...target.slice(2),
    );
    expect(answer.epsilon.upper).toBeLessThanOrEqual(2);
    expect(answer.epsilon.upper).toBeGreaterThan(2 * (1 - 2e-3));
  });

  const programme = {
    phases: [
      { sampler: 'poisson', noiseMultiplier: 1, samplingProbability: 0.01, steps: 100 },
      { sampler: 'deterministic', noiseMultiplier: 4, stepsPerEpoch: 10, epochs: 1 },
      { mu: 0.25 },
      { epsilon: 0.1, delta: 1e-9 },
    ],
    width: 0.1,
  };

  test('a run of several phases is read from standard input, and flags add the question', async () => {
    const { out, code } = await run(
      ['epsilon', '--query', '-', '--delta', '1e-5', '--json'],
      JSON.stringify(programme),
    );
    expect(code).toBe(0);
    const answer: unknown = JSON.parse(out);
    if (!isAnswer(answer)) throw new Error(`not an answer: ${out}`);
    expect(answer.sampler).toBe('composition');
    expect(answer.derived).toEqual({ steps: 110 });
    const text = await run(
      ['epsilon', '--query', '-'],
      JSON.stringify({ ...programme, delta: 1e-5 }),
    );
    expect(text.out.split('\n')[1]).toBe('All phases together');
    const every = await run(
      ['compare', '--query', '-', '--delta', '1e-5'],
      JSON.stringify(programme),
    );
    for (const { label } of samplers) expect(every.out).toContain(label);
    const wrong = await run(['epsilon', '--query', '-', '--json'], '[1]');
    expect(parse(wrong.out)).toMatchObject({ error: { code: 'wrong-type', field: 'query' } });
  });

  test('the other accountants are asked for, and told as what they are', async () => {
    const words = ['epsilon', '--sampler', 'poisson', ...dataset, '--noise-multiplier', '1'];
    const best = (await run([...words, '--delta', '1e-5'])).out;
    expect(best).toMatch(/^ {2}Rényi +≤ [\d.]+ \(upper bound\)$/m);
    expect(best).toMatch(/^ {2}GDP +≈ [\d.]+ \(estimate\)$/m);
    expect(unwrapped(best)).toMatch(
      /^ {2}batch sizes +100 records on average, at most \d+ in 99 of 100, and at most \d+ in 999 of 1000 whole runs$/m,
    );
    const rdp = (await run([...words, '--delta', '1e-5', '--accountant', 'rdp'])).out;
    expect(rdp).toMatch(/^ε ≤ [\d.]+ {2}at δ = 10⁻⁵ {2}\(upper bound\)$/m);
    const gdp = (await run([...words, '--delta', '1e-5', '--accountant', 'gdp'])).out;
    expect(gdp).toMatch(/^ε ≈ [\d.]+ {2}at δ = 10⁻⁵ {2}\(estimate\)$/m);
  });

  test('tradeoff prints what is read off, all points as CSV, the exact answer as JSON', async () => {
    const words = ['tradeoff', '--sampler', 'deterministic', '--noise-multiplier', '1'];
    const one = [...words, '--steps-per-epoch', '1', '--false-positive-rates', '1e-3, 1/20'];
    const { out } = await run(one);
    expect(out.split('\n')[0]).toBe(
      'Trade-off between false positives and false negatives of the best attack  (proved)',
    );
    expect(out).toMatch(/^true positive rate at false positive rate 0\.05 +\[0\.259/m);
    expect(out).toMatch(/^advantage +\[0\.3829/m);
    const csv = (await run([...one, '--csv'])).out.trimEnd().split('\n');
    expect(csv[0]).toMatch(/^# tradeoff, honest-epsilon /);
    expect(csv[2]).toBe('direction,bound,false_positive_rate,false_negative_rate');
    const rows = csv.slice(3).map((line) => line.split(','));
    expect(new Set(rows.map(([direction, bound]) => `${direction} ${bound}`)).size).toBe(6);
    expect(rows.every(([, , x, y]) => Number(x) + Number(y) <= 1 + 1e-12)).toBe(true);
    const answer: unknown = JSON.parse((await run([...one, '--json'])).out);
    expect(isResult('tradeoff', answer)).toBe(true);
    expect((await run([...one, '--csv', '--json'])).code).toBe(2);
    expect((await run(['tradeoff', '--help'])).out).toContain(
      '--false-positive-rates <number,...>',
    );
    expect((await run(['epsilon', '--help'])).out).not.toContain('--false-positive-rates');
  });

  test('a calibration meets another target than ε, and the trade-off curve confirms it', async () => {
    const words = ['--sampler', 'deterministic', '--steps-per-epoch', '1'];
    const aim = ['--target', 'true-positive-rate', '--target-value', '0.05', '--target-at', '0.01'];
    const asked = ['calibrate', 'noise', ...words, ...aim, '--delta', '1e-5'];
    expect(unwrapped((await run(asked)).out)).toMatch(
      /^ {2}target +true positive rate of the best attack at a false positive rate of 0\.01 \(at most 0\.05 requested\): \[0\.0499/m,
    );
    const { solution, target } = JSON.parse((await run([...asked, '--json'])).out) as Answer;
    const noise = String(solution?.value);
    const curve = ['tradeoff', ...words, '--false-positive-rates', '0.01'];
    const confirmed = JSON.parse(
      (await run([...curve, '--noise-multiplier', noise, '--json'])).out,
    ) as TradeOffAnswer;
    expect(confirmed.symmetric.attackRates[0]?.truePositiveRate).toEqual(target?.value);
    expect(target?.value.upper).toBeLessThanOrEqual(0.05);
  });

  test('a search names its mean, one run beside it, and what it assumes of the score', async () => {
    const words = ['epsilon', ...run64, '--sampler', 'deterministic', '--delta', '1e-5'];
    const { out } = await run([...words, '--tuning', 'geometric', '--runs', '10']);
    expect(out).toMatch(/^ {2}runs tried +mean 10, gamma 0\.1, eta 1$/m);
    expect(out).toMatch(/^ {2}one run +/m);
    expect(out.replaceAll(/\s+/g, ' ')).toContain('independent randomness');
    const one = JSON.parse((await run([...words, '--json'])).out) as Answer;
    const best = JSON.parse(
      (await run([...words, '--tuning', 'geometric', '--runs', '10', '--json'])).out,
    ) as Answer;
    expect(best.tuning?.oneRun).toEqual(one.epsilon);
    expect(best.epsilon.lower ?? 0).toBeGreaterThan(one.epsilon.upper ?? Infinity);
    const fixed = (await run([...words, '--tuning', 'fixed', '--runs', '10'])).out;
    expect(fixed).toContain('All 10 runs count');
  });

  test('what is left of a budget is asked after a run of a file', async () => {
    const done = JSON.stringify({
      phases: [{ sampler: 'poisson', noiseMultiplier: 1, stepsPerEpoch: 100, epochs: 5 }],
    });
    const next = ['--sampler', 'poisson', '--noise-multiplier', '1', '--steps-per-epoch', '100'];
    const asked = ['calibrate', 'steps', ...next, '--epsilon', '3', '--delta', '1e-5'];
    const left = await run([...asked, '--after', '-'], done);
    const steps = Number(/^steps (\d+)/i.exec(left.out)?.[1]);
    expect(steps).toBeGreaterThan(0);
    const whole = ['epsilon', ...next, '--steps', String(500 + steps), '--delta', '1e-5'];
    expect((await run(whole)).out.split('\n')[0]).toMatch(/^ε ≤ (?:2\.9|3\b)/);
    expect((await run([...asked, '--after', '-'], '[]')).err).toMatch(/after: standard input must/);
    expect((await run([...asked, '--after', '-'], '{}')).err).toMatch(/must have "phases"/);
  });

  test('an audit is answered with a run and without, in words and as JSON', async () => {
    const seen = '--canaries 1000 --guesses 100 --correct 95 --delta 1e-5'.split(' ');
    const alone = await run(['audit', ...seen]);
    expect(alone.out).toMatch(/^By the audit ε ≥ 2\.\d+ at δ = 10⁻⁵, with 95 % confidence/);
    expect(alone.out).not.toContain('as described');
    const quiet = ['--sampler', 'poisson', '--steps-per-epoch', '10', '--noise-multiplier', '3'];
    const refuted = await run(['audit', ...seen, ...quiet]);
    expect(refuted.out).toContain('contradicts Poisson batches as described');
    const loud = ['--sampler', 'poisson', '--steps-per-epoch', '10', '--noise-multiplier', '0.3'];
    const consistent = await run(['audit', ...seen, ...loud]);
    expect(consistent.out).toContain('is consistent with Poisson batches as described');
    const counts = ['--members', '500', '--true-positives', '450,200', '--non-members', '500'];
    const many = await run(['audit', ...counts, '--false-positives', '20,0', '--delta', '1e-5']);
    expect(many.out).toMatch(/^By the audit ε ≥ 3\.693 at/);
    const answer: unknown = JSON.parse((await run(['audit', ...seen, ...quiet, '--json'])).out);
    expect(isResult('audit', answer)).toBe(true);
    expect(answer).toMatchObject({ contradicts: true, epsilon: { kind: 'confidence' } });
  });

  test.each([
    ['shuffle-model', ['--local-epsilon', '4.444', '--users', '10_000', '--delta', '1e-6']],
    ['initialisation', ['--offset', '1', '--clip', '1', '--epsilon', '0.1,0.5']],
    ['mixtures', '--weight 1/3 --p1 1 --p2 0 --q1 0 --q2 1 --epsilon 0.5'.split(' ')],
  ])('%s answers as text and as JSON, and has its own help', async (name, flags) => {
    const text = await run([name, ...flags]);
    expect(text.err).toBe('');
    expect(text.code).toBe(0);
    expect(text.out).toMatch(/\(proved\)$/m);
    expect(text.out).toMatch(/^advantage /m);
    expect(text.out).toMatch(/^ {2}method /m);
    const { out } = await run([name, ...flags, '--json']);
    expect(parse(out)).toHaveProperty('tradeOff.advantage.kind', 'certified');
    const fields = {
      'shuffle-model': shuffleModelQueryFields,
      initialisation: initialisationQueryFields,
      mixtures: mixturesQueryFields,
    }[name];
    const help = await run(['help', name]);
    for (const field of fields ?? []) expect(help.out).toContain(`--${kebab(field.name)} `);
    expect((await run([name, '--help'])).out).toBe(help.out);
    expect((await run(['--help'])).out).toContain(`  ${name} `);
  });

  test('batch answers line by line, in order, and goes on after an error', async () => {
    const query = (steps: number) =>
      JSON.stringify({
        question: 'epsilon',
        delta: 1e-5,
        phases: [{ sampler: 'deterministic', noiseMultiplier: 1, stepsPerEpoch: steps, epochs: 1 }],
      });
    const steps = Array.from({ length: 50 }, (_, i) => i + 1);
    const lines = [
      'not json',
      ...steps.map(query),
      '{"question":"epsilon","phases":[{"sampler":"poisson"}],"delta":"x"}',
      query(7).replace('"epsilon"', '"compare"'),
      '[1]',
    ];
    const { code, out, err } = await run(['batch'], lines.join('\r\n'));
    expect(err).toBe('');
    expect(code).toBe(0);
    const answers = out.trimEnd().split('\n').map(parse);
    expect(answers).toHaveLength(lines.length);
    expect(answers[0]).toMatchObject({ error: { code: 'bad-json', line: 1 } });
    expect(answers[0]).not.toHaveProperty('error.text', expect.stringMatching(/Unexpected|token/));
    steps.forEach((count, i) => {
      expect(answers[i + 1]).toHaveProperty('derived.stepsPerEpoch', count);
    });
    expect(answers.at(-3)).toMatchObject({ error: { code: 'wrong-type', field: 'delta' } });
    expect(answers.at(-2)).toHaveProperty('answers.length', samplers.length);
    expect(answers.at(-1)).toMatchObject({ error: { code: 'wrong-type' } });
    answers.forEach((answer, index) => {
      if (!isRecord(answer.error)) return;
      expect(answer.error.line).toBe(index + 1);
      expect(answer.error.text).toMatch(new RegExp(`^line ${String(index + 1)}: `));
    });
  });

  test.each([
    ['{', 'it ends too early'],
    ['{"phases": [', 'it ends too early'],
    ['{"a": 1} 2', 'it is wrong at column 10'],
    ['{"a": 01}', 'it is wrong at column 8'],
    ['{"a": 1,\n b}', 'it is wrong at line 2, column 2'],
    ['NaN', 'it cannot be read as JSON'],
  ])('%j is no JSON: %s', (text, wrong) => {
    expect(readJson(text)).toEqual({ wrong });
  });

  test('batch with nothing to read writes nothing', async () => {
    expect(await run(['batch'])).toEqual({ code: 0, out: '', err: '' });
  });

  test('a reader that closes the pipe early is no error', async () => {
    const { err } = await inShell(
      '"$COMMAND" compare --help | head -1; "$COMMAND" batch --help | true',
    );
    expect(err).toBe('');
  });
});

describe('command: import', () => {
  const sentence = 'sigma = 1.1, batch size 256, 10 epochs, n = 60,000, delta = 1e-5';

  test('it prints what it understood, and a command that asks it', async () => {
    const { code, out, err } = await run(['import', '-'], `${sentence}, learning rate 0.25`);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /^Found in a description in words:\n {2}1: sigma = 1\.1 +Noise multiplier 1\.1\n/,
    );
    expect(out).toContain('Ignored:\n  learning rate 0.25');
    expect(out).toContain('It does not say how batches were really sampled.');
    expect(out).toMatch(
      /Run this command:\n.* compare --noise-multiplier 1\.1 --dataset-size 60000 /,
    );
    const told = await run(['import', '-', '--sampler', 'poisson'], sentence);
    const asks = told.out.trimEnd().split('\n').at(-1)?.trim().split(' ').slice(2) ?? [];
    const answer = await run(asks);
    expect(answer.code).toBe(0);
    expect(answer.out).toMatch(/^ε is between|0\.9/);
  });

  test('of the samplers it offers those that can take the run', async () => {
    const { out } = await run(['import', '-'], `${sentence}\nbands: 4`);
    expect(out).toContain('Choose with --sampler: poisson.');
  });

  test('several phases become a question of their own, and what is missing is named', async () => {
    const { out } = await run(['import', '-'], '[(1.1, 0.01, 100), (0.9, 0.01, 50)]');
    const [add, asks] = out.trimEnd().split('\n').slice(-2);
    expect(add).toBe('Add --delta to this command:');
    const line = `${(asks ?? '').trim().replace('node path/to/honest-epsilon/dist/node/honest-epsilon.js', '"$COMMAND"')} --delta 1e-5`;
    const { code, out: table } = await inShell(line);
    expect(code).toBe(0);
    expect(table).toContain('Balls-and-bins');
    const args = '{"per_device_train_batch_size": 8, "num_train_epochs": 3}';
    expect((await run(['import', '-'], args)).out).toContain(
      'Add --dataset-size and --noise-multiplier and --delta to this command:',
    );
  });

  test('as JSON it is the run and its question; what it cannot read it names', async () => {
    const { out } = await run(['import', '-', '--json', '--sampler=shuffle'], sentence);
    expect(parse(out)).toMatchObject({
      source: 'a description in words',
      query: { question: 'epsilon', delta: 1e-5, phases: [{ sampler: 'shuffle', epochs: 10 }] },
    });
    const { facts, missing, ambiguous, ignored, dangerous } = parse(out) as unknown as ImportedRun;
    expect(facts[0]).toMatchObject({ quote: 'sigma = 1.1', line: 1, column: 1 });
    expect([missing, ambiguous, ignored, dangerous]).toEqual([[], [], [], []]);
    const asked = await run(['import', '-', '--json'], `${sentence}, 8 GPUs`);
    expect(parse(asked.out)).toMatchObject({ query: null, ambiguous: [{ id: 'batch' }] });
    const weighty = await run(['import', '-'], 'n: 9\nb: 3\nsigma: 1\nepochs: 2\nnoise_std: 3');
    expect(weighty.out).toMatch(
      /^Ignored, although these may change the answer:\n {2}noise_std: 3/,
    );
    const bad = await run(['import', '-'], 'GaussianDpEvent(noise_multiplier=sigma)');
    expect([bad.code, bad.err]).toEqual([
      2,
      'honest-epsilon: standard input: GaussianDpEvent: noise_multiplier must be a number; got “sigma”.\n',
    ]);
    for (const [words, says] of [
      [['import'], 'import needs a file'],
      [['import', '/no.json'], 'file: cannot read /no.json: no such file or directory'],
      [['import', '-', '--sampler', 'poison'], 'did you mean poisson?'],
    ] as const) {
      const { code, err } = await run(words, sentence);
      expect(code).toBe(2);
      expect(err).toContain(says);
    }
  });
});
