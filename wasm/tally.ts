import { QueryError } from './errors.js';
import { version } from './generated/schema.js';
import type { MonteCarloDrawn, MonteCarloPlan, MonteCarloQuery } from './generated/schema.js';
import { isRecord } from './protocol.js';
import type { ChunkRange, Tally } from './tally-shape.js';

type Content = Omit<Tally, 'checksum'>;

const mostRanges = 100_000;
const mostSums = 10_000;
const sumPattern = /^[0-9a-f]{32}$/;

export class BadTally extends QueryError {
  /** What is wrong with it, without a name for it. */
  readonly reason: string;

  constructor(reason: string) {
    super({ code: 'bad-tally', field: 'tally', text: `tally: ${reason}` });
    this.reason = reason;
  }
}

/** JSON with every object's keys in order, so that equal values have equal text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(',')}}`;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let word = byte;
  for (let bit = 0; bit < 8; ++bit) word = word & 1 ? 0xedb88320 ^ (word >>> 1) : word >>> 1;
  return word;
});

/** CRC-32 (ISO 3309) of a text's UTF-8 bytes: every change within 32 bits in a row shows. */
export function crc32(text: string): string {
  let word = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    word = (crcTable[(word ^ byte) & 0xff] ?? 0) ^ (word >>> 8);
  }
  return ((word ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0');
}

/** The content, under its own checksum. */
function sealed({ version, query, seed, planned, chunks, samples, sums }: Content): Tally {
  const content = { version, query, seed, planned, chunks, samples, sums };
  return { ...content, checksum: crc32(canonical(content)) };
}

export const sameQuery = (a: MonteCarloQuery, b: MonteCarloQuery): boolean =>
  canonical(a) === canonical(b);

/** Whether all that another tally has drawn is in this one. */
export const covers = (tally: Tally, other: Tally): boolean =>
  sameQuery(tally.query, other.query) &&
  tally.seed === other.seed &&
  other.chunks.every((range) => missingFrom(tally.chunks, range).length === 0);

export function showRange([first, beyond]: ChunkRange): string {
  return `${first}:${beyond}`;
}

export const countChunks = (ranges: readonly ChunkRange[]): number =>
  ranges.reduce((total, [first, beyond]) => total + beyond - first, 0);

/** The chunks of `wanted` that are in none of `ranges`, which are increasing. */
export function missingFrom(ranges: readonly ChunkRange[], wanted: ChunkRange): ChunkRange[] {
  const missing: ChunkRange[] = [];
  let [next] = wanted;
  for (const [first, beyond] of ranges) {
    missing.push([next, Math.min(first, wanted[1])]);
    next = Math.max(next, beyond);
  }
  missing.push([next, wanted[1]]);
  return missing.filter(([first, beyond]) => first < beyond);
}

/** Ranges put together: in order, neighbours made one. Refused when a chunk is in two of them. */
function joined(ranges: readonly ChunkRange[]): ChunkRange[] {
  const result: [number, number][] = [];
  let before: ChunkRange = [0, 0];
  for (const range of ranges.toSorted((a, b) => a[0] - b[0])) {
    const [first, beyond] = range;
    const [a, b] = [before, range].map(showRange);
    if (first < before[1]) throw new BadTally(`chunks are counted twice: ${a} and ${b} overlap`);
    const last = result.at(-1);
    if (last?.[1] === first) last[1] = beyond;
    else result.push([first, beyond]);
    before = range;
  }
  return result;
}

function add(a: string, b: string): string {
  return (BigInt(`0x${a}`) + BigInt(`0x${b}`)).toString(16).padStart(32, '0');
}

export function emptyTally(plan: MonteCarloPlan): Tally {
  return sealed({
    version,
    query: plan.query,
    seed: plan.seed,
    planned: plan.chunks,
    chunks: [],
    samples: 0,
    sums: Array<string>(plan.sums).fill('0'.repeat(32)),
  });
}

/** The tally with more chunks in it, none of which it has yet. */
export function extended(tally: Tally, range: ChunkRange, drawn: MonteCarloDrawn): Tally {
  return sealed({
    ...tally,
    chunks: joined([...tally.chunks, range]),
    samples: tally.samples + drawn.samples,
    sums: tally.sums.map((sum, i) => add(sum, drawn.sums[i] ?? '0')),
  });
}

/** The same tally as part of a run of another length. */
export const replanned = (tally: Tally, planned: number): Tally => sealed({ ...tally, planned });

/** Tallies of one run as one; refused where they do not belong together. */
export function merged(tallies: readonly Tally[]): Tally {
  const [head, ...rest] = tallies;
  if (!head) throw new BadTally('there is none to merge');
  for (const other of rest) {
    if (!sameQuery(head.query, other.query)) {
      const [a, b] = differenceOf(head.query, other.query);
      throw new BadTally(`the tallies are of different queries: ${a} and ${b}`);
    }
    if (other.seed !== head.seed) {
      const seeds = `${head.seed} and ${other.seed}`;
      throw new BadTally(`the tallies are of different seeds, ${seeds}`);
    }
  }
  return sealed({
    ...head,
    planned: Math.max(...tallies.map(({ planned }) => planned)),
    chunks: joined(tallies.flatMap(({ chunks }) => chunks)),
    samples: tallies.reduce((total, { samples }) => total + samples, 0),
    sums: head.sums.map((sum, i) =>
      rest.reduce((total, { sums }) => add(total, sums[i] ?? '0'), sum),
    ),
  });
}

/** The first field in which two queries differ, as each of them has it. */
function differenceOf(a: MonteCarloQuery, b: MonteCarloQuery): [string, string] {
  const [left, right]: Record<string, unknown>[] = [{ ...a }, { ...b }];
  const keys = Object.keys({ ...left, ...right }).sort();
  const key = keys.find((one) => canonical(left?.[one]) !== canonical(right?.[one])) ?? '';
  const show = (query: Record<string, unknown> | undefined) => {
    const text = query?.[key] === undefined ? 'none' : canonical(query[key]);
    return `${key} ${text.length <= 40 ? text : `${text.slice(0, 40)}...`}`;
  };
  return [show(left), show(right)];
}

const isWhole = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

function isRange(value: unknown): value is ChunkRange {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [first, beyond] = value as unknown[];
  return isWhole(first) && isWhole(beyond) && first < beyond;
}

const isSum = (value: unknown): value is string =>
  typeof value === 'string' && sumPattern.test(value);

function readChunks(value: unknown): ChunkRange[] {
  if (!Array.isArray(value)) throw new BadTally('chunks must be a list of ranges such as [[0,50]]');
  if (value.length > mostRanges) throw new BadTally(`too large: ${value.length} chunk ranges`);
  const ranges: unknown[] = value;
  if (!ranges.every(isRange))
    throw new BadTally('chunks must be a list of ranges such as [[0,50]]');
  if (ranges.some((range, i) => i > 0 && range[0] <= (ranges[i - 1]?.[1] ?? 0))) {
    throw new BadTally('its chunk ranges are out of order, or overlap');
  }
  return ranges;
}

function readSums(value: unknown): string[] {
  if (!Array.isArray(value)) throw new BadTally('sums must be a list of sums');
  if (value.length > mostSums) throw new BadTally(`too large: ${value.length} sums`);
  const sums: unknown[] = value;
  if (!sums.every(isSum)) throw new BadTally('sums must be of 32 hexadecimal digits each');
  return sums;
}

/**
 * A tally from outside; throws the reason why it is none. Only the engine knows how many sums and
 * samples a chunk has, and checks them where the tally is used.
 */
export function readTally(value: unknown): Tally {
  if (!isRecord(value)) throw new BadTally('it must be an object with version, query, seed, ...');
  const { query, seed, planned, samples, checksum } = value;
  if (value.version !== version) {
    const got = typeof value.version === 'string' ? `"${value.version.slice(0, 40)}"` : 'none';
    throw new BadTally(`it must be of version "${version}", as this program is; got ${got}`);
  }
  if (!isRecord(query)) throw new BadTally('query must be an object');
  if (!isWhole(seed)) throw new BadTally('seed must be a whole number');
  if (!isWhole(planned)) throw new BadTally('planned must be a whole number');
  if (!isWhole(samples)) throw new BadTally('samples must be a whole number');
  const content: Content = {
    version,
    query: query,
    seed,
    planned,
    chunks: readChunks(value.chunks),
    samples,
    sums: readSums(value.sums),
  };
  const extra = Object.keys(value).find((key) => key !== 'checksum' && !(key in content));
  if (extra !== undefined) throw new BadTally(`it has a field that no tally has, "${extra}"`);
  let tally: Tally;
  try {
    tally = sealed(content);
  } catch {
    // BigInts, and what is nested too deeply to be written down.
    throw new BadTally('query must be plain data, a few levels deep');
  }
  if (checksum !== tally.checksum) {
    throw new BadTally('its checksum does not match: it was changed, or damaged on the way');
  }
  return tally;
}
