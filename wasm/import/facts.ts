import { meaningNamed, ownName, type Meaning } from './fields.js';

/** An expression as it stands: walked, never run. */
export type Tree =
  | { kind: 'number'; value: number }
  | { kind: 'name'; name: string }
  | { kind: 'length'; name: string }
  | { kind: 'operation'; operator: string; left: Tree; right: Tree };

export type NamedTree = Extract<Tree, { name: string }>;

/** What stands at a place that a name has in some format. */
export type ValueRead =
  | { kind: 'number'; value: number; text: string }
  | { kind: 'flag'; value: boolean }
  | { kind: 'text'; text: string }
  | { kind: 'nothing' }
  | { kind: 'list'; items: readonly ValueRead[] }
  /** A dictionary: each of its names is a fact. */
  | { kind: 'record' }
  | {
      kind: 'call';
      name: string;
      args: readonly ValueRead[];
      named: readonly (readonly [string, ValueRead])[];
    }
  /** `tree` where it is built of numbers, names and arithmetic alone. */
  | { kind: 'formula'; text: string; tree?: Tree | undefined };

/** A name with its value, and where a text has it. */
export interface Fact {
  /** The names around it, its own last. */
  path: readonly string[];
  value: ValueRead;
  from: number;
  to: number;
  /** Where a sentence says it: no name stands there. */
  meaning?: Meaning | undefined;
  /** Why it need not be the run's. */
  doubt?: string | undefined;
}

/** Words that a reader could not make a fact of. */
export interface Passage {
  from: number;
  to: number;
  why?: string;
}

/** Equal steps in a row: noise multiplier, sampling probability, number of steps. */
export type HistoryRow = readonly [sigma: number, q: number, steps: number];

/** A call that makes an event, and the name that it is given. */
export interface EventAt {
  name: string | undefined;
  /** The accountant that surely composes it. */
  on?: string | undefined;
  call: Extract<ValueRead, { kind: 'call' }>;
  from: number;
  to: number;
}

/** What a reader of a format makes of a text. */
export interface Reading {
  source: string;
  facts: readonly Fact[];
  /** What may change the answer and was not read. */
  unread?: readonly Passage[];
  /** What was seen and has no bearing. */
  aside?: readonly Passage[];
  sampling?: readonly string[];
  events?: readonly EventAt[];
  history?: { rows: readonly HistoryRow[]; from: number; to: number };
  /** Several runs, of which one has to be chosen. */
  runs?: readonly { words: string; facts: readonly Fact[] }[];
}

/** A reader of one format. */
export interface Format {
  /** From 0, it is not of this format, to 1. */
  recognises: (text: string) => number;
  /** Throws `NotARun` where a text is of this format and cannot be read. */
  read: (text: string) => Reading;
}

/** Why a text is not a run, in a sentence. */
export class NotARun extends Error {}

/** A reading of a text that is a part of another, or another one's words: `place` says where they stand there. */
export function placed(reading: Reading, place: (at: number) => number): Reading {
  const move = <Item extends { from: number; to: number }>(item: Item): Item => ({
    ...item,
    ...{ from: place(item.from), to: place(item.to) },
  });
  const { facts, unread = [], aside = [], events = [], runs, history } = reading;
  return {
    ...{ ...reading, facts: facts.map(move), unread: unread.map(move) },
    ...{ aside: aside.map(move), events: events.map(move) },
    ...(runs && { runs: runs.map((run) => ({ ...run, facts: run.facts.map(move) })) }),
    ...(history && { history: move(history) }),
  };
}

/** 60.000 is 60 to a parser, but whoever typed it may have meant more. */
export const number = (value: number, text = String(value)): ValueRead =>
  /^[1-9]\d{0,2}\.\d{3}$/.test(text) ? { kind: 'text', text } : { kind: 'number', value, text };
const flags: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, on: true },
  ...{ false: false, no: false, off: false },
};

/** A value that a text holds without quotes: a flag, nothing, or words, which may be a number. */
export function plainValue(text: string): ValueRead {
  const word = text.trim();
  if (/^(none|null|nil|nan|~|-|—|)$/i.test(word)) return { kind: 'nothing' };
  const flag = flags[word.toLowerCase()];
  return flag === undefined ? { kind: 'text', text: word } : { kind: 'flag', value: flag };
}

/** Where a fact stands: from its name on, where the name is before the value. */
export function nameBefore(text: string, name: string, from: number): number {
  const before = text.slice(Math.max(0, from - 80), from);
  const at = before.lastIndexOf(name);
  const leads =
    at >= 0 && /^["'\]]*\s*(?::\s*[\w.]+\s*)?[=:]\s*$/.test(before.slice(at + name.length));
  return leads ? from - before.length + at : from;
}

/** Facts of several items of a list that say the same things: each is one item's alone. */
export function doubtRepeated(items: readonly (readonly Fact[])[]): void {
  const said = items.flatMap((facts) => [
    ...new Set(facts.map(({ path, meaning }) => meaning ?? meaningNamed(ownName(path)))),
  ]);
  if (!said.some((meaning, at) => meaning !== undefined && said.indexOf(meaning) < at)) return;
  for (const fact of items.flat()) fact.doubt ??= 'it is one of several in a list';
}

/** A function that keeps its last answer: recognising a text and reading it parse it once. */
export function remembered<Answer>(parse: (text: string) => Answer): (text: string) => Answer {
  let last: { text: string; answer: Answer } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, answer: parse(text) };
    return last.answer;
  };
}

const apply: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  // A share that a program cuts to 0 is a slip, not a value.
  '//': (a, b) => Math.floor(a / b) || NaN,
  ceil: (a, b) => Math.ceil(a / b),
  '**': (a, b) => a ** b,
};
export const operation = (operator: string, left: Tree, right: Tree): Tree => ({
  ...{ kind: 'operation', operator, left, right },
});
export const isOperator = (text: string): boolean => Object.hasOwn(apply, text);

/** The value of a tree whose names are known; undefined where one is not, or it is no finite number. */
export function evaluate(
  tree: Tree,
  known: (tree: NamedTree) => number | undefined,
): number | undefined {
  if (tree.kind === 'number') return tree.value;
  if (tree.kind !== 'operation') return known(tree);
  const [left, right] = [evaluate(tree.left, known), evaluate(tree.right, known)];
  if (left === undefined || right === undefined) return undefined;
  const value = apply[tree.operator]?.(left, right);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}
