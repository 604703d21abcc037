// Systematic faults: in a copy of the repository every comparison, condition, term, factor, minimum,
// direction, end and constant of the rooms below can be wrong, one at a time, as the environment
// chooses. So the copy is compiled once. One run of all tests, with no fault, records which faults each
// test case would have met where they make a difference; a fault is then tried on those alone, the
// quickest first. `npm run mutate -- runs` takes all faults of a room, `-- runs 60` a random sixty, and
// `-- runs 60 7` those of another seed.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { discardForeign } from './cache.mjs';
import { copyRepository } from './copy.mjs';
import { equivalent } from './equivalent.mjs';
import { sources } from './format.mjs';
import { execute, must, root } from './shell.mjs';

/** What can be mutated: names of rooms, or of files of core/accounts that make a room of their own; or all. */
export const mutatedRooms = [
  'accounts',
  'calibrate',
  'monte_carlo',
  'runs',
  'samplers',
  'tradeoff',
  'wire',
  'core',
];

/** The share of a room's faults that its tests have to catch. */
export const leastCaught = 0.85;

/** @param {string} file */
function roomOf(file) {
  const [, room = '', name = ''] = /^core\/(\w+)\/(\w+)/.exec(file) ?? [];
  return room === 'accounts' && mutatedRooms.includes(name) ? name : room;
}

/** @typedef {{id: number, file: string, line: number, text: string, what: string, inside: string}} Fault */

const infix = new Map([
  ['<', ['Less', 'turned round', '<=']],
  ['>', ['Greater', 'turned round', '>=']],
  ['<=', ['AtMost', 'turned round', '<']],
  ['>=', ['AtLeast', 'turned round', '>']],
  ['==', ['Equal', 'turned round']],
  ['!=', ['Unequal', 'turned round']],
  ['+', ['Plus', 'without what follows']],
  ['-', ['Minus', 'without what follows']],
  ['*', ['Times', 'without what follows']],
  ['/', ['Over', 'without what follows']],
]);

const others = new Map([
  ['remove', 'add'],
  ['add', 'remove'],
  ['lower', 'upper'],
  ['upper', 'lower'],
]);

/** What is charged for round-off is too little for a test that asks the whole, and keeps no fault:
 * factors 1 + 8 * kUnit, terms - slack, lines that make such a number. */
const tiny = String.raw`\b(?:k(?:Unit|Tiny)|k\w*(?:Rounding|Error)|rounding|round_off|slack|off|\d[\d.]*e-(?:1\d|[89])\b)`;
const group = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;
const roundOff = [
  String.raw`(?: \*)? ?\(1 [+-] (?=[^()]*(?:\([^()]*\)[^()]*)*${tiny})`,
  String.raw`(?:[+-] )?(?:[\w.]+ \* )*${tiny}(?: \* (?:[\w:.]+${group}|${group}|[\w:.]+))*`,
].map((text) => new RegExp(text, 'g'));
const beginsWithCharge = new RegExp(String.raw`^\s*\(1 [+-] .*${tiny}`);
const roundOffOnly = 'a charge for round-off left out';
const makesRoundOff = /^\s*(?:const )?(?:double|auto) \w*(?:rounding|slack|off|error)\w* = /;

/** The stretches of a line that are such a charge.
 * @param {string} code */
function chargesIn(code) {
  if (makesRoundOff.test(code)) return [[0, code.length]];
  const [factors = [], terms = []] = roundOff.map((pattern) =>
    Array.from(code.matchAll(pattern), ({ 0: text, index }) => [index, index + text.length]),
  );
  // A factor ends with its parenthesis.
  const closed = factors.map(([from = 0, to = 0]) => {
    let open = 1;
    while (open > 0 && to < code.length) {
      const letter = code[to++];
      open += letter === '(' ? 1 : letter === ')' ? -1 : 0;
    }
    return [from, to];
  });
  return [...closed, ...terms];
}

const bare = String.raw`(?:\w+(?:::|\.|->))*\w+(?:\([^()]*\))?`;
const logical = String.raw`(?:&&|\|\||\?)(?: |$)`;
const place = new RegExp(
  [
    String.raw`(?<=^\s+)(?<assigned>)(?=[\w.>*()[\]-]+ [+*/-]= )`,
    String.raw`(?<=[\w)\]]) (?<infix><=|>=|==|!=|[-<>+*/])(?= [\w(*&!~.-]|$)`,
    String.raw`std::(?<limit>min|max)\((?!\{)`,
    String.raw`(?<![\w.:>)\]])(?<owner>\w+(?:(?:\.|->)\w+)*)(?<dot>\.|->)(?<side>remove|add|lower|upper)\b(?!\()`,
    String.raw`(?<![\w.])(?<number>\d+\.\d+)(?![\w.])`,
    String.raw`(?:(?<= (?:&&|\|\|) !?)|(?<=(?:\(| = |return |^\s+)!?)(?=${bare} ${logical})|(?<=if \(!?)(?=${bare}\)))(?<condition>${bare})(?= ${logical}|[;)]|$)`,
  ].join('|'),
  'g',
);

/** Where the compiler must know the value, or where the text only looks like an expression. */
const isLeftAlone = (/** @type {string} */ line) =>
  /^\s*(#|\/\/|using|template|static_assert)|constexpr|requires|operator|case |std::array<[^>]* [-+*/] /.test(
    line,
  );

/** A constant of a function; those of a file are known to the compiler before the environment is. */
const constant = /^(\s+const)expr( double \w+ = )(\d+(?:\.\d+)?(?:e-?\d)?)(?=;)/;

/** The first line of a function of a namespace, or of a class there. */
const definition = /^(?!.*;$|.*\/\/)(?: {2}(?! )|(?! ))(?:[^(]*[ *&])?(?:\w+::)*(~?\w+)\(/;

/** Ids of a file begin at a multiple of it: an edit of one file leaves the ids of the others. */
const mostOfFile = 1 << 11;

/** No id is as large: what was met beyond it would not be recorded. As in tests/mutation/operators.h. */
const mostIds = 1 << 19;

/**
 * A file with every place a choice.
 * @param {string} file
 * @param {string} source
 * @param {number} id of its first fault
 * @param {Set<string>} refused lines that do not compile so, as file: text
 */
function mutable(file, source, id, refused) {
  /** @type {Fault[]} */
  const faults = [];
  let compiled = ''; // the last line of what the compiler works out, over several lines
  let inside = ''; // the name of a function
  let isClass = false;
  const lines = source.split('\n').map((line, i, all) => {
    if (line.startsWith('static_assert([')) compiled = '}());';
    if (/constexpr [^()]*= \{$/.test(line)) compiled = '};';
    if (line === compiled) compiled = '';
    if (compiled) return line;
    if (/^(class|struct) .*\{$|^\};/.test(line)) isClass = !line.startsWith('}');
    if (isClass || !line.startsWith(' ')) inside = definition.exec(line)?.[1] ?? inside;
    const kept = refused.has(`${file}: ${line}`);
    const add = (/** @type {string} */ what) => {
      if (!kept) faults.push({ id, file, line: i + 1, text: line.trim(), what, inside });
      return id++;
    };
    const scaled = (/** @type {string} */ number) =>
      `mutation::scaled(${add(`${number}: a thousandth larger`)}, ${number})`;
    if (constant.test(line)) {
      const text = line.replace(
        constant,
        (_, start, name, number) => start + name + scaled(number),
      );
      return kept ? line : text;
    }
    if (isLeftAlone(line)) return line;
    const [, code = '', rest = ''] = /^((?:(?!\s*\/\/)[^"])*)(.*)$/.exec(line) ?? [];
    const charges = chargesIn(code);
    const changed = code.replaceAll(place, (found, ...matched) => {
      const groups = matched.at(-1);
      const at = Number(matched.at(-3));
      if (charges.some(([from = 0, to = 0]) => at >= from - 1 && at < to)) return found;
      if (groups.infix !== undefined) {
        if (rest.startsWith('"') && groups.infix === '+') return found;
        const [name, what, equals] = infix.get(groups.infix) ?? [];
        // At the end of a line it takes what the next one begins with.
        const takesCharge =
          at + found.length === line.length && beginsWithCharge.test(all[i + 1] ?? '');
        const first = add(takesCharge ? roundOffOnly : `${groups.infix}: ${what}`);
        if (equals) add(`${groups.infix}: ${equals}`);
        else if (groups.infix.endsWith('=')) ++id;
        return ` ${groups.infix} mutation::${name}{${first}} ${groups.infix}`;
      }
      if (groups.limit !== undefined) {
        const [call, other] = groups.limit === 'min' ? ['least', 'max'] : ['most', 'min'];
        return `mutation::${call}(${add(`std::${groups.limit}: ${other}`)}, `;
      }
      if (groups.side !== undefined) {
        const other = `${groups.owner}${groups.dot}${others.get(groups.side)}`;
        return `mutation::exchanged(${add(`${found}: ${other}`)}, ${found}, ${other})`;
      }
      if (groups.number !== undefined) return Number(found) === 0 ? found : scaled(found);
      if (groups.condition !== undefined)
        return `mutation::turned(${add(`${found}: turned round`)}, ${found})`;
      return `if (mutation::dropped(${add('left out')})) {} else `;
    });
    return kept ? line : changed + rest;
  });
  return { text: `#include "tests/mutation/operators.h"\n${lines.join('\n')}`, faults, id };
}

const copy = join(root, 'build/mutation');
const built = join(copy, 'build/native');
const tests = join(built, 'tests/core_tests');
const refusedFile = join(copy, 'refused.json');
const seenFile = join(copy, 'seen.tsv');
const digestsFile = join(copy, 'digests.json');

/** @param {string} path @param {string} text */
function writeChanged(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Compiles the rooms with all their faults; lines that do not compile with theirs keep none. */
async function compile() {
  const rooms = ['accounts', 'calibrate', 'runs', 'samplers', 'tradeoff', 'wire'];
  const files = await sources(
    ...rooms.flatMap((room) => [`core/${room}/*.cc`, `core/${room}/*.h`]),
  );
  if (files.length * mostOfFile > mostIds) throw new Error(`${files.length} files are too many`);
  const recorder = 'tests/core/recorder.cc';
  await copyRepository(copy, new Set([...files, recorder]));
  writeChanged(
    join(copy, recorder),
    readFileSync(join(root, 'tests/mutation/recorder.cc'), 'utf8'),
  );
  discardForeign(built, copy);
  await must('cmake', ['-S', copy, '--preset', 'native', '-B', built, '-D', 'CMAKE_CXX_FLAGS=-w']);
  /** @type {Set<string>} */
  const refused = new Set(
    existsSync(refusedFile) ? JSON.parse(readFileSync(refusedFile, 'utf8')) : [],
  );
  for (;;) {
    const faults = files.flatMap((file, i) => {
      const source = readFileSync(join(root, file), 'utf8');
      const made = mutable(file, source, i * mostOfFile, refused);
      if (made.id > (i + 1) * mostOfFile) throw new Error(`${file} has too many faults`);
      writeChanged(join(copy, file), made.text);
      return made.faults;
    });
    const { code, output } = await execute('cmake', [
      ...['--build', built, '--target', 'core_tests', '--'],
      ...['-k', '0', '-j', String(availableParallelism())],
    ]);
    if (code === 0) return faults;
    const before = refused.size;
    for (const [, file = '', line] of output.matchAll(/(core\/[\w/]+\.(?:cc|h)):(\d+):/g)) {
      if (!files.includes(file)) continue;
      // The copy has one line more, the include.
      const text = readFileSync(join(root, file), 'utf8').split('\n')[Number(line) - 2];
      if (text !== undefined) refused.add(`${file}: ${text}`);
    }
    if (refused.size === before) throw new Error(output.slice(-5000));
    writeFileSync(refusedFile, JSON.stringify([...refused], undefined, 1));
    console.log(`${refused.size} lines keep no fault, since they do not compile with theirs`);
  }
}

/** Whether an entry of the table is of such a fault.
 * @param {(typeof equivalent)[number]} entry @param {Fault} fault */
const isMeant = ({ file, text, inside }, fault) =>
  file.test(fault.file) &&
  (text?.test(`${fault.what} | ${fault.text}`) ?? true) &&
  (inside?.test(fault.inside) ?? true);

/** A test case, as it ran without a fault.
 * @typedef {{name: string, seconds: number}} Case */

/** A fault that so many seconds of test cases do not notice is left alone, but for the second accountant,
 * which stops at its first question that is answered wrongly. */
const patience = 40;
const accountant = 'oracle';

/** How long it runs before it notices.
 * @param {Case} one */
const usual = ({ name, seconds }) => (name.startsWith(accountant) ? 1 : seconds);

/** What was recorded, a line a case.
 * @param {string} text */
const rowsOf = (text) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((row) => {
      const [seconds = '', path = '', name = '', ids = ''] = row.split('\t');
      return {
        ...{ path, name, seconds: Number(seconds) },
        ids: ids.split(' ').filter(Boolean).map(Number),
      };
    });

/** Runs the tests without a fault where they changed: all of them where anything but test files did. */
async function recordChanged() {
  const digest = (/** @type {string[]} */ paths) => {
    const hash = createHash('sha256');
    for (const path of paths) hash.update(path).update(readFileSync(join(copy, path)));
    return hash.digest('hex');
  };
  const copied = async (/** @type {string[]} */ ...patterns) =>
    (await sources(...patterns)).filter((path) => existsSync(join(copy, path)));
  const cases = await copied('tests/core/**/*_test.cc');
  const others = await copied('core/*.cc', 'core/*.h', 'tests/**/*.cc', 'tests/**/*.h');
  /** @type {Record<string, string>} */
  const now = { others: digest(others.filter((path) => !cases.includes(path))) };
  for (const path of cases) now[path] = digest([path]);
  /** @type {Record<string, string>} */
  const before = existsSync(digestsFile) ? JSON.parse(readFileSync(digestsFile, 'utf8')) : {};
  const all = before.others !== now.others || !existsSync(seenFile);
  const changed = cases.filter((path) => all || before[path] !== now[path]);
  if (changed.length === 0) return;
  // Side by side, the longest files first; what begins no file of its own goes with the last ones.
  const known = rowsOf(existsSync(seenFile) ? readFileSync(seenFile, 'utf8') : '');
  const secondsOf = (/** @type {string} */ path) =>
    known.reduce((sum, row) => sum + (row.path.endsWith(path) ? row.seconds : 0), 0.1);
  const lanes = Array.from({ length: availableParallelism() }, () => ({ paths: [''], seconds: 0 }));
  for (const path of changed.sort((a, b) => secondsOf(b) - secondsOf(a))) {
    const lane = lanes.reduce((least, one) => (one.seconds < least.seconds ? one : least));
    lane.paths.push(`*${path}`);
    lane.seconds += secondsOf(path);
  }
  const seen = await Promise.all(
    lanes.map(async ({ paths }, i) => {
      const to = `${seenFile}.${i}`;
      const listed = (/** @type {string[]} */ ones) => ones.filter(Boolean).join(',');
      const rest = lanes.slice(0, -1).flatMap((lane) => lane.paths);
      const takesRest = all && i === lanes.length - 1;
      const chosen = takesRest ? `-sfe=${listed(rest)}` : `-sf=${listed(paths)}`;
      if (listed(paths) === '') return '';
      const { code, output } = await execute(tests, [chosen, '--no-colors=true'], {
        env: { HONEST_EPSILON_FAULTS_SEEN: to },
        minutes: 60,
      });
      if (code !== 0) throw new Error(`a test fails without a fault\n${output.slice(-3000)}`);
      return readFileSync(to, 'utf8');
    }),
  );
  const kept = (all ? '' : readFileSync(seenFile, 'utf8'))
    .split('\n')
    .filter((row) => !changed.some((path) => row.split('\t')[1]?.endsWith(path)));
  writeFileSync(seenFile, [...kept, ...seen].join('\n'));
  writeFileSync(digestsFile, JSON.stringify(now, undefined, 1));
}

/** Which test cases meet each fault, the quickest first, and which faults can make no difference. */
async function record() {
  await recordChanged();
  const rows = rowsOf(readFileSync(seenFile, 'utf8')).sort((a, b) => usual(a) - usual(b));
  /** @type {Map<number, Case[]>} */
  const cases = new Map();
  const impossible = new Set(rows.flatMap(({ name, ids }) => (name === '' ? ids : [])));
  for (const { ids, name, seconds } of rows) {
    if (name === '') continue;
    const one = { name, seconds };
    for (const id of ids) cases.set(id, [...(cases.get(id) ?? []), one]);
  }
  return { cases, impossible };
}

/** The test that fails; none where all pass.
 * @param {number} fault
 * @param {Case[]} cases */
async function caughtBy(fault, cases) {
  const waiting = [...cases];
  let spent = 0;
  for (let limit = 0.5; waiting.length > 0; limit *= 8) {
    const names = [];
    let seconds = 0;
    for (let one = waiting[0]; one && (names.length === 0 || seconds < limit); one = waiting[0]) {
      if (names.length > 0 && one.name.startsWith(accountant)) break;
      waiting.shift();
      seconds += one.seconds;
      // Commas would part it.
      names.push(one.name.replaceAll(/[,\\*"]/g, '?'));
      if (one.name.startsWith(accountant)) break;
    }
    const isAccountant = names[0]?.startsWith(accountant);
    // A fault may loop, and may ask for memory without end.
    const limits = `ulimit -t ${Math.ceil(5 + 5 * seconds)}; ulimit -v 4000000`;
    const { code, output } = await execute(
      'sh',
      ['-c', `${limits}; exec "$@"`, 'sh', tests, `-tc=${names.join(',')}`, '--abort-after=1'],
      { env: { HONEST_EPSILON_FAULT: String(fault) } },
    );
    if (code !== 0) return /TEST CASE:\s+(.+)/.exec(output)?.[1] ?? 'it ran out of time, or died';
    if (!isAccountant) spent += seconds;
    if (spent > patience && waiting.length > 0)
      waiting.splice(0, Infinity, ...waiting.filter(({ name }) => name.startsWith(accountant)));
  }
  return undefined;
}

/** So many of a list, by a seed.
 * @type {<T>(list: T[], count: number, seed: number) => T[]} */
export function sample(list, count, seed) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return list
    .map((one) => /** @type {const} */ ([uniform(), one]))
    .sort(([a], [b]) => a - b)
    .slice(0, count)
    .map(([, one]) => one);
}

/**
 * Tries a room's faults, or so many of them.
 * @param {string} room
 * @param {number} count
 * @param {number} seed
 */
export async function mutateRoom(room, count, seed) {
  const faults = await compile();
  const idle = equivalent.filter(
    (entry) =>
      entry.file.source.startsWith('^core') && !faults.some((fault) => isMeant(entry, fault)),
  );
  if (idle.length > 0)
    throw new Error(
      `equivalent.mjs has entries for no fault: ${idle.map(({ file, text, inside }) => [file, text, inside].join(' ')).join(', ')}`,
    );
  const { cases, impossible } = await record();
  const possible = faults.filter(({ id, file, what }) => {
    // Equals are told otherwise where values are compared at all.
    const isTwin = /: [<>]=?$/.test(what);
    return (
      (room === 'core' || roomOf(file) === room) &&
      what !== roundOffOnly &&
      !impossible.has(id) &&
      !(isTwin && !cases.has(id - 1))
    );
  });
  const chosen = sample(possible, count, seed);
  const found = { caught: 0, survived: 0, 'not reached': 0, equivalent: 0, slack: 0 };
  const say = (
    /** @type {keyof typeof found} */ outcome,
    /** @type {Fault} */ { id, file, line, what, text },
    /** @type {string} */ why,
  ) => {
    ++found[outcome];
    console.log(`${outcome.padEnd(11)} ${id} ${file}:${line}: ${what}\n            ${why || text}`);
  };
  // A fault that needs no test may be caught all the same.
  const sayMissed = (
    /** @type {'survived' | 'not reached'} */ outcome,
    /** @type {Fault} */ fault,
  ) => {
    const entry = equivalent.find((one) => isMeant(one, fault));
    say(
      entry === undefined ? outcome : entry.slack ? 'slack' : 'equivalent',
      fault,
      entry?.why ?? '',
    );
  };
  const waiting = chosen.filter((fault) => cases.has(fault.id));
  for (const fault of chosen) if (!cases.has(fault.id)) sayMissed('not reached', fault);
  const lane = async () => {
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
      const test = await caughtBy(fault.id, cases.get(fault.id) ?? []);
      if (test === undefined) sayMissed('survived', fault);
      else say('caught', fault, test);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  const tried = chosen.length - found.equivalent;
  const share = ((100 * found.caught) / tried).toFixed(1);
  console.log(
    `${room}: ${possible.length} faults, ${chosen.length} of them sampled: ${found.caught} caught, ` +
      `${found.survived} survived, ${found['not reached']} not reached, ${found.slack} slack, ` +
      `${found.equivalent} equivalent; caught of ${tried}: ${share} %`,
  );
  return found.caught >= leastCaught * tried;
}
