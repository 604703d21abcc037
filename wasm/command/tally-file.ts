/** Tallies in files: each written whole or not at all, by one program at a time. */

import {
  access,
  constants,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import { BadTally, covers, readTally } from '../tally.js';
import type { Tally } from '../tally-shape.js';
import { issue } from './flags.js';
import { readText, reasonOf } from './io.js';
import { readJson } from './json.js';

/** In milliseconds. A run reports four times a second, so what is drawn is on disk within 30 s. */
const betweenWrites = 29_000;

export async function readTallyFile(name: string, path: string): Promise<Tally> {
  const fail = (code: string, reason: string) => issue(code, name, `${name}: ${path}: ${reason}`);
  const json = readJson(await readText(path, name));
  if ('wrong' in json) throw fail('bad-json', `not whole JSON, perhaps cut off: ${json.wrong}`);
  try {
    return readTally(json.value);
  } catch (error) {
    throw error instanceof BadTally ? fail(error.code, error.reason) : error;
  }
}

const unwritable = (path: string, reason: string) =>
  issue('unwritable', 'tally', `tally: cannot write ${path}: ${reason}`);

/** Whether the program that wrote a lock runs no more; of another machine's nobody knows. */
function isOver(lock: string): boolean {
  const [, pid, host] = /^process (\d+) on (.*)$/.exec(lock) ?? [];
  if (host !== hostname()) return false;
  try {
    return Number(pid) === process.pid || !process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** The lock that keeps other programs from writing to the file at `path`. */
async function lockOf(path: string): Promise<string> {
  const lock = `${path}.lock`;
  const holder = await readFile(lock, 'utf8').catch(() => '');
  if (isOver(holder)) await rm(lock, { force: true });
  try {
    await writeFile(lock, `process ${process.pid} on ${hostname()}`, { flag: 'wx' });
    return lock;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      await rm(lock, { force: true }).catch(() => undefined);
      throw unwritable(path, reasonOf(error));
    }
    const text = `tally: ${path} is being written by ${holder || 'another program'}; name another file, or delete ${lock} if that program has ended`;
    throw issue('in-use', 'tally', text);
  }
}

/** The file that `--tally` names, while this program alone writes to it. */
export class TallyFile {
  /** What the file holds: at first of an earlier run, then of this one. */
  held: Tally | undefined;
  private readonly path: string;
  private readonly place: string;
  private readonly lock: string;
  private last: Promise<void> = Promise.resolve();
  private due = performance.now() + betweenWrites;

  private constructor(path: string, place: string, lock: string) {
    this.path = path;
    this.place = place;
    this.lock = lock;
  }

  /** Opened before hours are spent on a result that could not be kept. */
  static async open(path: string): Promise<TallyFile> {
    const place = await realpath(path).catch(() => path);
    const there = await stat(place).catch(() => undefined);
    if (there?.isDirectory()) throw unwritable(path, 'it is a folder');
    if (there?.isFile() === false) throw unwritable(path, 'it is a device or a pipe');
    if (there) {
      await access(place, constants.W_OK).catch((error: unknown) => {
        throw unwritable(path, reasonOf(error));
      });
    }
    const file = new TallyFile(path, place, await lockOf(place));
    try {
      // An empty file is one that was only just made, as by mktemp.
      if (there && there.size > 0) file.held = await readTallyFile('tally', path);
    } catch (error) {
      await file.release();
      throw error;
    }
    return file;
  }

  /** Refuses to replace samples by a tally that has not got them. */
  checkReplaced(by: Tally): void {
    if (!this.held || covers(by, this.held)) return;
    const text = `tally: ${this.path} holds samples that would be lost, of another run or of other chunks; name another file`;
    throw issue('bad-tally', 'tally', text);
  }

  write(tally: Tally): Promise<void> {
    this.due = performance.now() + betweenWrites;
    this.last = this.last.then(() => this.put(tally));
    // Whoever called hears of it; the next one tries again.
    const done = this.last;
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Writes when the last time is half a minute ago. */
  async writeNowAndThen(tally: Tally): Promise<void> {
    if (performance.now() >= this.due && tally.samples > 0) await this.write(tally);
  }

  async release(): Promise<void> {
    await this.last;
    await rm(this.lock, { force: true });
  }

  /** Written to a neighbour, which takes the file's place when it is whole. */
  private async put(tally: Tally): Promise<void> {
    const neighbour = `${this.place}.new`;
    try {
      const handle = await open(neighbour, 'w');
      try {
        await handle.writeFile(`${JSON.stringify(tally)}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(neighbour, this.place);
      this.held = tally;
    } catch (error) {
      await rm(neighbour, { force: true }).catch(() => undefined);
      const kept = this.held
        ? `; the ${this.held.samples} samples that it held are still there, and with --resume ${this.path} a run goes on from them`
        : '';
      throw unwritable(this.path, `${reasonOf(error)}${kept}`);
    }
  }
}

export async function withTallyFile<T>(
  path: string | undefined,
  use: (file: TallyFile | undefined) => Promise<T>,
): Promise<T> {
  if (path === undefined) return use(undefined);
  const file = await TallyFile.open(path);
  try {
    return await use(file);
  } finally {
    await file.release();
  }
}
