import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { kebab } from '../../wasm/words/kebab.js';
import { monteCarloQueryFields } from '../../wasm/generated/schema.js';
import { isRecord } from '../../wasm/protocol.js';
import { readTally } from '../../wasm/tally.js';
import { command, root, runCommand, start } from './run-command.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'honest-epsilon-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const run = (...words: string[]) => runCommand(words, '', folder);
const shell = (script: string, env: Record<string, string> = {}) =>
  start('sh', ['-eu', '-c', script], { folder, env }).ending;

const bins = [
  ...['--sampler', 'balls-and-bins', '--noise-multiplier', '0.5', '--steps-per-epoch', '50'],
  ...['--epsilon', '0.5,2', '--samples', '1e5', '--seed', '3'],
];

async function readJson(name: string): Promise<Record<string, unknown>> {
  const value: unknown = JSON.parse(await readFile(join(folder, name), 'utf8'));
  if (!isRecord(value)) throw new Error(`${name} holds no object`);
  return value;
}

describe('monte-carlo', () => {
  test('prints an interval an epsilon, and what they rest on', async () => {
    const { code, out, err } = await run('monte-carlo', ...bins);
    expect(err).toBe('');
    expect(code).toBe(0);
    const lines = out.split('\n');
    expect(lines[0]).toBe('δ by Monte Carlo, each with confidence 0.999');
    expect(lines[1]).toBe('Balls-and-bins');
    expect(lines[3]).toMatch(/^ {2}ε +δ +mean +std\. error$/);
    expect(lines[4]).toMatch(/^ {2}0\.5 +\[[\d.]+, [\d.]+\] +[\d.]+ +[\d.×⁻⁰-⁹¹²³]+$/u);
    expect(lines[5]).toMatch(/^ {2}2 +\[/);
    expect(out).toMatch(/^ {2}method +conditional$/m);
    expect(out).toMatch(/^ {2}samples +102400, seed 3, [\d.×⁰-⁹]+ a second$/mu);
    expect(out).toMatch(/^ {2}chunks +0:25$/m);
    expect(out).not.toContain('missing');
  });

  test('--json is the exact result, and --tally its tally', async () => {
    const { out } = await run('monte-carlo', ...bins, '--json', '--tally', 'whole.json');
    const result: unknown = JSON.parse(out);
    if (!isRecord(result)) throw new Error('no object');
    expect(result).toMatchObject({ question: 'monte-carlo', samples: 102400, missing: [] });
    expect(result).toHaveProperty('estimates.0.delta.upper');
    expect(result.tally).toEqual(await readJson('whole.json'));
    readTally(result.tally);
  });

  test('--resume alone says the run, and goes on to its end; a confidence may be another', async () => {
    await run('monte-carlo', ...bins, '--chunks', '0:10', '--tally', 'begun.json');
    const { out, err } = await run('monte-carlo', '--resume', 'begun.json', '--json');
    expect(err).toBe('');
    const whole = await run('monte-carlo', ...bins, '--json');
    const estimates = (text: string) => (JSON.parse(text) as { estimates: unknown }).estimates;
    expect(estimates(out)).toEqual(estimates(whole.out));
    const other = await run(
      ...['monte-carlo', '--resume', 'begun.json', '--confidence', '0.9', '--json'],
    );
    expect(JSON.parse(other.out)).toMatchObject({ confidence: 0.9, samples: 102400 });
  });

  test('reads lists, switches and a schedule by counts', async () => {
    const counts = ['--dataset-size', '5_000', '--batch-size', '100', '--epochs', '1'];
    const { out } = await run(
      ...['monte-carlo', ...bins.filter((_, i) => i !== 4 && i !== 5), ...counts],
      ...['--importance', '--order-statistics', '1,2,4,8,16', '--simultaneous', '--workers=1'],
      ...['--direction=add', '--json'],
    );
    const result: unknown = JSON.parse(out);
    expect(result).toMatchObject({
      simultaneous: true,
      orders: [1, 2, 4, 8, 16],
      tally: { query: { method: 'importance', stepsPerEpoch: 50, direction: 'add' } },
    });
  });

  test('of the shuffle pair a lower end is shown, and whose mean it is', async () => {
    const words = bins.map((word) => (word === 'balls-and-bins' ? 'shuffle' : word));
    const shuffled = await run('monte-carlo', ...words);
    expect(shuffled.out).toMatch(/^ {2}ε +δ +static attack, mean +std/m);
    expect(shuffled.out).toMatch(/^ {2}0\.5 +≥ 0\.\d+ +0\.\d+/m);
    expect(shuffled.out).toContain('one attack');
  });

  test('shards are merged to what one run draws', async () => {
    for (const k of [3, 1, 2]) {
      await run(
        'monte-carlo',
        ...bins,
        '--shard',
        `${String(k)}/3`,
        '--tally',
        `s${String(k)}.json`,
      );
    }
    const partial = await run('merge', 's3.json', 's1.json');
    expect(partial.out).toMatch(/^ {2}missing +8:16 of the run's 25 chunks$/m);
    const all = await run('merge', 's2.json', 's3.json', 's1.json', '--tally', 'merged.json');
    expect(all.code).toBe(0);
    expect(all.out).not.toContain('missing');
    await run('monte-carlo', ...bins, '--tally', 'whole.json');
    expect(await readFile(join(folder, 'merged.json'))).toEqual(
      await readFile(join(folder, 'whole.json')),
    );
    const kl = await run('merge', 'merged.json', '--ends', 'kl', '--confidence', '0.9', '--json');
    expect(JSON.parse(kl.out)).toMatchObject({ confidence: 0.9 });
  });

  /** Ends a long run by signals, once it has drawn something; where it had not, later. */
  async function ended(
    file: string,
    signals: readonly NodeJS.Signals[],
    meanwhile: (pid: number | undefined) => Promise<void> = () => Promise.resolve(),
  ) {
    for (let wait = 400; wait < 60_000; wait *= 2) {
      const words = ['monte-carlo', ...long, '--tally', file];
      const { child, ending } = start(command, words, { folder });
      onTestFinished(() => {
        child.kill('SIGKILL');
      });
      await vi.waitFor(() => readFile(join(folder, `${file}.lock`)), 30_000);
      await meanwhile(child.pid);
      await new Promise((resolve) => setTimeout(resolve, wait));
      for (const signal of signals) child.kill(signal);
      const ended = await ending;
      if (!ended.err.includes('interrupted after 0 samples')) return ended;
    }
    throw new Error('nothing was drawn in a minute');
  }
  const long = bins.map((word) => (word === '1e5' ? '5e8' : word));

  test('interrupted, it keeps what it drew; resumed, it draws the rest', async () => {
    // Some send two, as timeout does: to the program, and to all of its group. Of different kinds
    // they cannot become one on the way.
    const { code, out, err } = await ended('part.json', ['SIGINT', 'SIGTERM']);
    expect(out).toBe('');
    // Which of the two comes first is the system's choice.
    expect([130, 143]).toContain(code);
    expect(err).toMatch(/^honest-epsilon: interrupted after \d+ samples; --resume part\.json/);
    const part = readTally(await readJson('part.json'));
    expect(part.samples).toBeGreaterThan(0);
    // A little further, with any holes between the workers' ranges filled.
    const further = `0:${String((part.chunks.at(-1)?.[1] ?? 0) + 5)}`;
    const rest = ['--chunks', further, '--tally', 'part.json', '--resume', 'part.json'];
    expect((await run('monte-carlo', ...long, ...rest)).code).toBe(0);
    await run('monte-carlo', ...long, '--chunks', further, '--tally', 'long.json');
    expect(await readJson('part.json')).toEqual(await readJson('long.json'));
  }, 180_000);

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    '%s ends it with status %i; until then no other run writes its tally',
    async (name, status) => {
      const file = `${name}.json`;
      const { code, out, err } = await ended(file, [name], async (pid) => {
        const second = await run('monte-carlo', ...long, '--tally', file);
        expect(second.code).toBe(2);
        expect(second.err).toMatch(
          new RegExp(
            `^honest-epsilon: tally: .*${file} is being written by process ${String(pid)} on .*\n$`,
          ),
        );
      });
      expect({ code, out }).toEqual({ code: status, out: '' });
      expect(err).toMatch(
        new RegExp(`interrupted after \\d+ samples; --resume ${file} goes on\n$`),
      );
      expect(readTally(await readJson(file)).samples).toBeGreaterThan(0);
      expect((await readdir(folder)).filter((one) => one.startsWith(file))).toEqual([file]);
    },
    180_000,
  );

  test('goes on from what its tally file holds, and refuses that of another run', async () => {
    const part = [...bins, '--tally', 'on.json'];
    await run('monte-carlo', ...part, '--chunks', '0:10');
    expect(await readJson('on.json')).toMatchObject({ chunks: [[0, 10]] });
    await run('monte-carlo', ...part, '--chunks', '20:25');
    const held = await readFile(join(folder, 'on.json'), 'utf8');
    expect(JSON.parse(held)).toMatchObject({
      chunks: [
        [0, 10],
        [20, 25],
      ],
    });
    const other = bins.map((word) => (word === '0.5' ? '0.6' : word));
    for (const words of [
      ['monte-carlo', ...other, '--tally', 'on.json'],
      ['monte-carlo', ...bins.slice(0, -1), '4', '--tally', 'on.json'],
      ['monte-carlo', ...bins.map((word) => (word === '1e5' ? '1e4' : word)), '--tally', 'on.json'],
    ]) {
      const { code, err } = await run(...words);
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringMatching(
          /^honest-epsilon: tally: .*on\.json: it .*; name another file\n$/,
        ) as string,
      });
    }
    await run('monte-carlo', ...bins, '--shard', '1/2', '--tally', 'half.json');
    const merged = await run('merge', 'half.json', '--tally', 'on.json');
    expect(merged.err).toContain('holds samples that would be lost');
    expect(await readFile(join(folder, 'on.json'), 'utf8')).toBe(held);
    expect((await run('monte-carlo', ...part)).code).toBe(0);
    await run('monte-carlo', ...bins, '--tally', 'anew.json');
    expect(await readJson('on.json')).toEqual(await readJson('anew.json'));
  });

  test('a full disk is told in one sentence, and what was on it stays', async () => {
    await run('monte-carlo', ...bins, '--chunks', '0:10', '--tally', 'full.json');
    const held = await readFile(join(folder, 'full.json'), 'utf8');
    await symlink('/dev/full', join(folder, 'full.json.new'));
    const { code, out, err } = await run('monte-carlo', ...bins, '--tally', 'full.json');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(
      /^honest-epsilon: .*cannot write full\.json: no space left on device; the 40,960 samples .*\n$/,
    );
    expect(await readFile(join(folder, 'full.json'), 'utf8')).toBe(held);
  });

  test.each([
    [['monte-carlo', ...bins, '--epsilons', '1'], 'repeated-flag', 'epsilons'],
    [['monte-carlo', ...bins, '--order-statistics', 'some'], 'wrong-type', 'orderStatistics'],
    [['monte-carlo', ...bins, '--workers', '0'], 'out-of-domain', 'workers'],
    [['monte-carlo', ...bins, '--shard', '1'], 'wrong-type', 'shard'],
    [['monte-carlo', ...bins, '--shard', '3/2'], 'out-of-domain', 'shard'],
    [['monte-carlo', ...bins, '--chunks', '20:26'], 'out-of-domain', 'chunks'],
    [['monte-carlo', ...bins, '--sigma', '1'], 'unknown-flag', 'sigma'],
    [['monte-carlo', ...bins, '--importance=1'], 'unexpected-value', 'importance'],
    [['monte-carlo', ...bins, '--importance', '--method', 'plain'], 'repeated-flag', 'method'],
    [['monte-carlo', ...bins, 'now'], 'unexpected-word', ''],
    [['monte-carlo', ...bins, '--tally', 'no/such/folder.json'], 'unwritable', 'tally'],
    [['monte-carlo', ...bins, '--tally', '.'], 'unwritable', 'tally'],
    [['monte-carlo', ...bins, '--resume', 'none.json'], 'unreadable', 'resume'],
    [['monte-carlo', '--sampler', 'poisson'], 'missing', 'noiseMultiplier'],
    [['merge'], 'missing', 'tally'],
    [['merge', 'none.json'], 'unreadable', 'tally'],
    [['merge', 'none.json', '--samples', '3'], 'unknown-flag', 'samples'],
    [['merge', 'none.json', '--importance'], 'unknown-flag', 'importance'],
  ])('%j exits 2 with one line', async (words, code, field) => {
    const { code: exit, out, err } = await run(...words, '--json');
    expect(exit).toBe(2);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(out)).toMatchObject({ error: { code, field } });
  });

  test('bad tallies are refused, with the file and the reason', async () => {
    await run('monte-carlo', ...bins, '--tally', 'good.json');
    const good = await readFile(join(folder, 'good.json'), 'utf8');
    const refused = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      const { code, err } = await run('merge', name);
      expect(code).toBe(2);
      expect(err.trimEnd().split('\n')).toHaveLength(1);
      expect(err).toContain(name);
      return err;
    };
    expect(await refused('cut.json', good.slice(0, 200))).toContain('cut off');
    expect(await refused('empty.json', '')).toContain('cut off');
    expect(await refused('edited.json', good.replace('"seed":3', '"seed":4'))).toContain(
      'checksum',
    );
    expect(await refused('old.json', good.replace('"0.2.0"', '"0.0.9"'))).toContain('version');
    expect(await refused('large.json', good + ' '.repeat(16e6))).toContain('too large');
    const twice = await run('merge', 'good.json', 'good.json');
    expect(twice.code).toBe(2);
    expect(twice.err).toContain('0:25 and 0:25 overlap');
  });

  test('takes the neighbours it is asked for, and says when it holds for others', async () => {
    const ask = (sampler: string, adjacency: string) => {
      const length = ['--noise-multiplier', '1', '--steps-per-epoch', '20', '--epsilon', '1'];
      const words = [...length, '--samples', '1e3', '--seed', '1', '--adjacency', adjacency];
      return run('monte-carlo', '--sampler', sampler, ...words);
    };
    expect((await ask('balls-and-bins', 'add-remove')).out).toContain('for add/remove neighbours');
    expect((await ask('balls-and-bins', 'zero-out')).out).toContain('for zero-out neighbours');
    expect((await ask('shuffle', 'add-remove')).out).toMatch(
      /zero-out neighbours, not for the add/,
    );
    const refused = await ask('shuffle', 'substitution');
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('adjacency must be');
  });

  test('help names every flag', async () => {
    const { out, code } = await run('monte-carlo', '--help');
    expect(code).toBe(0);
    const refusedAlways = [
      ...['maxBatchSize', 'recordsPerUser', 'reshuffle'],
      ...['bands', 'samplingWorkers', 'replacement', 'drawnDivisor', 'swapped'],
    ];
    for (const { name } of monteCarloQueryFields) {
      if (refusedAlways.includes(name)) continue;
      expect(out).toContain(`--${kebab(name)}`);
    }
    for (const flag of ['--shard <k/n>', '--chunks <a:b>', '--tally <file>', '--resume <file>']) {
      expect(out).toContain(flag);
    }
    expect((await run('help', 'monte-carlo')).out).toBe(out);
    expect((await run('merge', '--help')).out).toContain('--tally');
    expect((await run('--help')).out).toContain('monte-carlo');
  });
});

describe('the recipe for many machines', () => {
  beforeEach(async () => {
    for (const file of await readdir(folder)) await rm(join(folder, file));
  });

  /** The shell blocks of its document, with this build's command by its whole path, and fewer samples. */
  async function blocks(): Promise<string[]> {
    const text = await readFile(`${root}web/docs/monte-carlo.md`, 'utf8');
    return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) =>
      block
        .replaceAll('node dist/node/honest-epsilon.js', command)
        .replace('--samples 5e5', '--samples 1e5'),
    );
  }

  test('runs under GNU Parallel, and merges to what one run draws', async () => {
    const block = (await blocks()).find((one) => one.includes('parallel '));
    if (block === undefined) throw new Error('there is no recipe');
    // A process for each of sixteen shards takes longer to start than its samples.
    const recipe = block.replace('/16 ', '/4 ').replace('seq 16', 'seq 4');
    expect(recipe).not.toBe(block);
    const { code, err } = await shell(`${recipe}\n${command} monte-carlo $RUN --tally one.json`);
    // GNU Parallel asks lscpu, which complains where there is no /sys, as in a bare chroot.
    const complaints = err.replaceAll(/^lscpu: .*\n/gm, '');
    expect({ code, complaints }).toEqual({ code: 0, complaints: '' });
    expect(await readJson('whole.json')).toEqual(await readJson('one.json'));
  }, 300_000);

  test('its lines for Slurm and Kubernetes are shards of the same run', async () => {
    const lines = (await blocks()).find((block) => block.includes('SLURM_ARRAY_TASK_ID'));
    if (lines === undefined) throw new Error('there are no such lines');
    const env = { SLURM_ARRAY_TASK_ID: '16', JOB_COMPLETION_INDEX: '0', RUN: bins.join(' ') };
    const { code, err } = await shell(lines, env);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(await readJson('shard-16.json')).toMatchObject({ planned: 25, chunks: [[23, 25]] });
    expect(await readJson('shard-0.json')).toMatchObject({ planned: 25, chunks: [[0, 1]] });
  });
});
