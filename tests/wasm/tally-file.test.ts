import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TallyFile } from '../../wasm/command/tally-file.js';
import { emptyTally, extended } from '../../wasm/tally.js';
import type { Tally } from '../../wasm/tally-shape.js';
import type { MonteCarloPlan } from '../../wasm/generated/schema.js';
import { start } from './run-command.js';

const query = { sampler: 'balls-and-bins', noiseMultiplier: 0.5, stepsPerEpoch: 50 } as const;
const plan = { query, seed: 3, chunks: 9, sums: 2 } as unknown as MonteCarloPlan;
const drawn = { samples: 4096, sums: ['1', '2'] };
const one = extended(emptyTally(plan), [0, 1], drawn);
const two = extended(one, [1, 2], drawn);

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'honest-epsilon-'));
  path = join(folder, 't.json');
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

const onDisk = async () => JSON.parse(await readFile(path, 'utf8')) as Tally;

describe('a tally file', () => {
  test('is written every half a minute, and loses no more', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const file = await TallyFile.open(path);
    await file.writeNowAndThen(one);
    expect(await readdir(folder)).toEqual(['t.json.lock']);
    vi.advanceTimersByTime(29_500);
    await file.writeNowAndThen(one);
    expect(await onDisk()).toEqual(one);
    vi.advanceTimersByTime(15_000);
    await file.writeNowAndThen(two);
    expect(await onDisk()).toEqual(one);
    vi.advanceTimersByTime(15_000);
    await file.writeNowAndThen(two);
    expect(await onDisk()).toEqual(two);
    await file.release();
    expect(await readdir(folder)).toEqual(['t.json']);
  });

  test('is whole whoever reads it while it is written', async () => {
    const file = await TallyFile.open(path);
    const writes = Array.from({ length: 50 }, (_, time) => file.write(time % 2 === 0 ? one : two));
    await writes[0];
    for (let time = 0; time < 50; ++time) expect([1, 2]).toContain((await onDisk()).chunks[0]?.[1]);
    await Promise.all(writes);
    await file.release();
  });

  test('is written by one program at a time', async () => {
    const first = await TallyFile.open(path);
    const other = [`process 1 on ${hostname()}`, 'process 7 on another.machine', ''];
    for (const holder of other) {
      await writeFile(`${path}.lock`, holder);
      await expect(TallyFile.open(path)).rejects.toMatchObject({
        code: 'in-use',
        message: expect.stringContaining(`is being written by ${holder || 'another'}`) as string,
      });
    }
    await first.release();
  });

  test('is taken over from a program that was killed', async () => {
    const { child, ending } = start('sh', ['-c', 'exec sleep 100']);
    await writeFile(`${path}.lock`, `process ${String(child.pid)} on ${hostname()}`);
    await expect(TallyFile.open(path)).rejects.toMatchObject({ code: 'in-use' });
    child.kill('SIGKILL');
    await ending;
    await (await TallyFile.open(path)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  test('keeps what it held where the next tally cannot be written', async () => {
    const file = await TallyFile.open(path);
    await file.write(one);
    // The neighbour is on a device that is always full.
    await symlink('/dev/full', `${path}.new`);
    await expect(file.write(two)).rejects.toThrow(
      /^tally: cannot write .*t\.json: no space left on device; the 4096 samples that it held are still there, and with --resume .*t\.json a run goes on from them$/,
    );
    expect(await onDisk()).toEqual(one);
    await file.release();
  });

  test.each([
    ['{"version":', 'not whole JSON'],
    ['notes of mine', 'not whole JSON'],
    ['{"query":{}}', 'it must be of version'],
  ])('that holds %j is not one to write over', async (text, why) => {
    await writeFile(path, text);
    await expect(TallyFile.open(path)).rejects.toThrow(why);
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(await readdir(folder)).toEqual(['t.json']);
  });

  test('that was only just made is empty, and a link to one stays a link', async () => {
    await writeFile(path, '');
    await symlink('t.json', join(folder, 'link.json'));
    const file = await TallyFile.open(join(folder, 'link.json'));
    expect(file.held).toBeUndefined();
    await file.write(one);
    expect(await onDisk()).toEqual(one);
    await file.release();
    await expect(TallyFile.open('/dev/null')).rejects.toThrow('it is a device or a pipe');
    await expect(TallyFile.open(folder)).rejects.toThrow('it is a folder');
  });

  test('gives up no samples for others', async () => {
    await writeFile(path, JSON.stringify(one));
    const file = await TallyFile.open(path);
    expect(file.held).toEqual(one);
    const apart = extended(emptyTally(plan), [4, 5], drawn);
    const seed = extended(emptyTally({ ...plan, seed: 4 }), [0, 1], drawn);
    for (const by of [apart, seed])
      expect(() => {
        file.checkReplaced(by);
      }).toThrow('holds samples that would be lost');
    file.checkReplaced(two);
    await file.release();
  });
});
