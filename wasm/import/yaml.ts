import { isAlias, isMap, isScalar, isSeq, parseAllDocuments, type Document, type Node } from 'yaml';
import { NotARun, doubtRepeated, nameBefore, number, plainValue, remembered } from './facts.js';
import type { Fact, Format, Passage, Reading, ValueRead } from './facts.js';

const deepest = 60;

function valueOf(node: unknown): ValueRead {
  if (!isScalar(node)) return { kind: 'nothing' };
  const { value, source = '' } = node;
  if (typeof value === 'boolean') return { kind: 'flag', value };
  if (typeof value === 'string') return plainValue(value);
  if (typeof value !== 'number') return { kind: 'nothing' };
  return Number.isFinite(value) ? number(value, source) : { kind: 'text', text: source };
}

const documents = remembered((text: string): readonly Document[] => [
  ...parseAllDocuments(text, { uniqueKeys: false, merge: false, logLevel: 'silent' }),
]);

const pair = /^\s*(- +)*(\? )?(["'][^"']*["']|[^\s#:,{}[\]"'=][^:#=]*?)\s*:(\s|$)/;

function recognises(text: string): number {
  // JSON is read as the literal that it is to Python.
  if (/^\s*[[{]/.test(text)) return 0;
  const lines = text
    .split('\n')
    .filter((line) => /\S/.test(line) && !/^\s*(#|---|\.\.\.|- [^:]*$)/.test(line));
  const pairs = lines.filter((line) => pair.test(line)).length;
  if (pairs === 0 || pairs < 0.6 * lines.length) return 0;
  return documents(text).every(({ errors }) => errors.length === 0) ? 0.8 : 0;
}

function read(text: string): Reading {
  const facts: Fact[] = [];
  const unread: Passage[] = [];

  const put = (path: readonly string[], value: ValueRead, { range }: Node) => {
    const [from = 0, to = 0] = range ?? [];
    facts.push({ path, value, from: nameBefore(text, path.at(-1) ?? '', from), to });
  };

  function into(node: unknown, path: readonly string[]): Fact[] {
    const before = facts.length;
    if (path.length > deepest)
      throw new NotARun('The names in it never end: keep what describes the run.');
    if (isMap(node))
      for (const { key, value } of node.items)
        into(value, [...path, ...(isScalar(key) ? String(key.value) : '').split('.')]);
    else if (isSeq(node) && node.items.every((item) => isScalar(item)))
      put(path, { kind: 'list', items: node.items.map(valueOf) }, node);
    else if (isSeq(node)) doubtRepeated(node.items.map((item) => into(item, path)));
    else if (isScalar(node)) put(path, valueOf(node), node);
    else if (isAlias(node)) {
      const [from = 0, to = 0] = node.range ?? [];
      unread.push({ from, to, why: 'aliases are not followed' });
    }
    return facts.slice(before);
  }

  doubtRepeated(documents(text).map(({ contents }) => into(contents, [])));
  return { source: 'YAML', facts, unread };
}

export const yaml: Format = { recognises, read };
