import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command, runCommand, start } from './run-command.js';
import type { Ending } from './run-command.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'honest-epsilon-'));
  await writeFile(join(folder, 'query.json'), JSON.stringify(query));
});
afterAll(() => rm(folder, { recursive: true }));

const phase = { sampler: 'deterministic', noiseMultiplier: 1, datasetSize: 640, batchSize: 10 };
const query = { phases: [phase], delta: 1e-5 };
const line = JSON.stringify({ question: 'epsilon', ...query });
const words = ['--sampler=deterministic', '--noise-multiplier=1', '--steps-per-epoch=64'];

/** How long an answer took is another number each time. */
const timeless = ({ out, ...rest }: Ending) => ({
  ...rest,
  out: out.replace(/(?<="milliseconds":)[\d.e-]+/g, '0'),
});

/** Asks the same both ways; how it ended. */
async function same(words: readonly string[], input = '', folder = '/') {
  const served = await runCommand(words, input, folder);
  const own = await start(command, words, { input, folder }).ending;
  expect(timeless(served)).toEqual(timeless(own));
  return served;
}

test('the built command alone, outside its package, says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'alone-'));
  await cp(dirname(command), folder, { recursive: true });
  const words = [join(folder, basename(command)), 'tradeoff', '--steps', '1'];
  const { code, err } = await start(process.execPath, words).ending;
  await rm(folder, { recursive: true });
  expect(code).not.toBe(0);
  expect(err).toContain('dist/node works inside the package honest-epsilon only');
});

describe('the process that serves many commands ends each as its own process would', () => {
  test.each<[number, readonly string[], string?]>([
    [0, ['--version']],
    [0, ['help', 'epsilon']],
    [0, ['epsilon', ...words, '--delta', '1e-5']],
    [0, ['compare', ...words, '--delta', '1e-5', '--json']],
    [0, ['batch'], `\uFEFF${line}\r\nno json\n${line}`],
    [0, ['batch']],
    [0, ['import', '-'], 'sigma = 1.1, batch size 256, 10 epochs, n = 60,000, δ = 1e-5'],
    [2, ['epsilom']],
    [2, ['epsilon', ...words, '--delta', 'small', '--json']],
    [2, ['epsilon', '--query', '-'], ''],
    [2, ['report', '-'], '{ bad }'],
    [2, ['report', '--format', 'latx', 'none.json']],
  ])('code %i: %j', async (code, words, input) => {
    expect(await same(words, input)).toMatchObject({ code });
  });

  test('code 1, and 0 again: a report that is not confirmed, and one that is', async () => {
    const { out } = await runCommand(['report', '--query', 'query.json', '--json'], '', folder);
    const wrong = out.replace(/(?<="upper":\s*)4\.37\d*/g, '4.3');
    expect((await same(['report', '--check', '-'], wrong)).code).toBe(1);
    expect((await same(['report', '--check', '-'], out)).code).toBe(0);
  });

  test('files and paths are those of the folder that it runs in', async () => {
    expect((await same(['epsilon', '--query', 'query.json'], '', folder)).code).toBe(0);
    expect((await same(['epsilon', '--query', 'query.json'])).code).toBe(2);
    await same(['--help'], '', folder);
    const bins = ['--sampler=balls-and-bins', '--noise-multiplier=1', '--steps-per-epoch=9'];
    const drawn = ['monte-carlo', ...bins, '--epsilon=1', '--samples=1000', '--seed=1', '--tally'];
    expect((await runCommand([...drawn, 'served.json'], '', folder)).code).toBe(0);
    await start(command, [...drawn, 'process.json'], { folder }).ending;
    const [one, other] = await Promise.all(
      ['served.json', 'process.json'].map((name) => readFile(join(folder, name), 'utf8')),
    );
    expect(one).toBe(other);
  });

  test('runs that are asked for at once do not mix', async () => {
    const asked = ['epsilon', 'delta', 'compare', 'epsilom'].map((name) =>
      runCommand([name, '--help']),
    );
    const alone = ['epsilon', 'delta', 'compare', 'epsilom'].map(
      (name) => start(command, [name, '--help']).ending,
    );
    expect(await Promise.all(asked)).toEqual(await Promise.all(alone));
  });

  test('what ends the process fails, and the next run has another one', async () => {
    await expect(runCommand(['--version'], '', join(folder, 'none'))).rejects.toThrow(
      /^the command ended its process with code 1: [^]*ENOENT/,
    );
    expect((await runCommand(['--version'])).code).toBe(0);
  });
});
