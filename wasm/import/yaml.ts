import { isAlias, isMap, isScalar, isSeq, parseAllDocuments, type Document, type Node } from 'yaml';
import { NotARun, doubtRepeated, number, placed, plainValue, remembered } from './facts.js';
import type { Fact, Format, Reading, ValueRead } from './facts.js';

/** More names than any configuration has, aliases followed. */
const mostNames = 20_000;
const deepest = 60;

function valueOf(node: unknown): ValueRead {
  if (!isScalar(node)) return { kind: 'nothing' };
  const { value, source = '' } = node;
  if (typeof value === 'boolean') return { kind: 'flag', value };
  if (typeof value === 'string') return plainValue(value);
  if (typeof value !== 'number') return { kind: 'nothing' };
  return Number.isFinite(value) ? number(value, source) : { kind: 'text', text: source };
}

const nameOf = (key: unknown): string => (isScalar(key) ? String(key.value) : '');

/** What a document says; JSON is YAML, too. */
function factsOf(text: string, document: Document): Fact[] {
  const facts: Fact[] = [];
  let names = 0;

  const put = (path: readonly string[], value: ValueRead, { range }: Node) => {
    const [from = 0, to = 0] = range ?? [];
    const start = Math.max(
      text.lastIndexOf('\n', from - 1) + 1,
      text.lastIndexOf(path.at(-1) ?? '\n', from),
    );
    facts.push({ path, value, from: path.length > 0 ? start : from, to });
  };

  const resolved = (node: unknown): unknown => {
    if (!isAlias(node)) return node;
    // To follow one takes as long as to read several names.
    names += 3;
    const one = node.resolve(document);
    if (!one) throw new NotARun('An alias in it has no anchor.');
    return one;
  };

  /** `own` are the names of the map that this one is merged into: these it does not give. */
  function into(given: unknown, path: readonly string[], own: ReadonlySet<string>): void {
    if (++names > mostNames || path.length > deepest)
      throw new NotARun(
        'The names in it never end, or are more than 20,000: keep what describes the run.',
      );
    const node = resolved(given);
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        const name = nameOf(key);
        if (name !== '<<') {
          if (!own.has(name)) into(value, [...path, ...name.split('.')], none);
          continue;
        }
        const from = resolved(value);
        const all = new Set([...own, ...node.items.map((item) => nameOf(item.key))]);
        for (const map of isSeq(from) ? from.items : [from])
          if (isMap(resolved(map))) into(map, path, all);
      }
    } else if (isSeq(node) && node.items.every((item) => isScalar(item)))
      put(path, { kind: 'list', items: node.items.map(valueOf) }, node);
    else if (isSeq(node))
      doubtRepeated(
        node.items.map((item) => {
          const before = facts.length;
          into(item, path, none);
          return facts.slice(before);
        }),
      );
    else if (isScalar(node)) put(path, valueOf(node), node);
  }

  into(document.contents, [], none);
  return facts;
}

const none: ReadonlySet<string> = new Set();

const isJson = remembered((text: string): boolean => {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
});
const isJsonLines = (text: string): boolean => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length <= 1000 && lines.every(isJson);
};

const pair = /^\s*(- +)*(\? )?(["'][^"']*["']|[^\s#:,{}[\]"'=][^:#=]*?)\s*:(\s|$)/;

function recognises(text: string): number {
  if (isJson(text) || isJsonLines(text)) return 0.99;
  const lines = text
    .split('\n')
    .filter((line) => /\S/.test(line) && !/^\s*(#|---|\.\.\.|- [^:]*$)/.test(line));
  const pairs = lines.filter((line) => pair.test(line)).length;
  if (pairs === 0 || pairs < 0.6 * lines.length) return 0;
  return documents(text).every(({ errors }) => errors.length === 0) ? 0.8 : 0;
}

const documents = remembered((text: string): Document[] => {
  const parts = isJsonLines(text)
    ? text.split('\n').filter((line) => line.trim() !== '')
    : undefined;
  const options = { uniqueKeys: false, merge: false, logLevel: 'silent' } as const;
  if (!parts) return [...parseAllDocuments(text, options)] as Document[];
  return parts.flatMap((part) => [...parseAllDocuments(part, options)] as Document[]);
});

function read(text: string): Reading {
  const items: Fact[][] = [];
  const source = isJson(text) || isJsonLines(text) ? 'JSON' : 'YAML';
  // Lines of JSON each begin anew.
  const starts = isJsonLines(text)
    ? [...text.matchAll(/^.*\S.*$/gm)].map(({ index }) => index)
    : [0];
  documents(text).forEach((document, at) => {
    const start = starts.length > 1 ? (starts[at] ?? 0) : 0;
    const read = { source, facts: factsOf(text.slice(start), document) };
    const { facts } = placed(read, (place) => place + start);
    items.push([...facts]);
  });
  doubtRepeated(items);
  return { source, facts: items.flat() };
}

export const yaml: Format = { recognises, read };
