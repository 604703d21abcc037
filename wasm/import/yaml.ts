import { isAlias, isMap, isScalar, isSeq, parseAllDocuments, type Document, type Node } from 'yaml';
import { NotARun, doubtRepeated, number, placed, plainValue, remembered } from './facts.js';
import type { Fact, Format, Reading, ValueRead } from './facts.js';

/** More names than any configuration has, aliases followed. */
const mostNames = 20_000;
const deepest = 60;

/** JSON is YAML, too. */
class YamlWalk {
  readonly facts: Fact[] = [];
  private readonly text: string;
  private readonly document: Document;
  private names = 0;

  constructor(text: string, document: Document) {
    this.text = text;
    this.document = document;
  }

  into(node: unknown, path: readonly string[]): void {
    if (++this.names > mostNames || path.length > deepest)
      throw new NotARun(
        'The names in it never end, or are more than 20,000: keep what describes the run.',
      );
    if (isAlias(node)) {
      this.into(this.resolved(node), path);
      return;
    }
    if (isMap(node)) {
      const own = new Set(node.items.map(({ key }) => (isScalar(key) ? String(key.value) : '')));
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : '';
        if (name === '<<') this.merged(value, path, own);
        else this.into(value ?? undefined, [...path, ...name.split('.')]);
      }
      return;
    }
    if (isSeq(node)) {
      const plain = node.items.every((item) => isScalar(item));
      if (!plain)
        doubtRepeated(
          node.items.map((item) => {
            const before = this.facts.length;
            this.into(item, path);
            return this.facts.slice(before);
          }),
        );
      else
        this.fact(
          path,
          { kind: 'list', items: node.items.map((item) => this.value(item as Node)) },
          node,
        );
      return;
    }
    if (isScalar(node)) this.fact(path, this.value(node), node);
  }

  private resolved(node: unknown): unknown {
    if (!isAlias(node)) return node;
    const one = node.resolve(this.document);
    if (!one) throw new NotARun('An alias in it has no anchor.');
    return one;
  }

  /** Names of a merged map, but those that the map has itself. */
  private merged(node: unknown, path: readonly string[], own: ReadonlySet<string>): void {
    const from = this.resolved(node);
    for (const one of isSeq(from) ? from.items : [from]) {
      const map = this.resolved(one);
      if (!isMap(map)) continue;
      for (const { key, value } of map.items) {
        const name = isScalar(key) ? String(key.value) : '';
        if (name === '<<') this.merged(value, path, own);
        else if (!own.has(name)) this.into(value ?? undefined, [...path, ...name.split('.')]);
      }
    }
  }

  private value(node: Node): ValueRead {
    if (!isScalar(node)) return { kind: 'nothing' };
    const { value, source = '' } = node;
    if (typeof value === 'boolean') return { kind: 'flag', value };
    if (typeof value === 'string') return plainValue(value);
    if (typeof value !== 'number') return { kind: 'nothing' };
    return Number.isFinite(value) ? number(value, source) : { kind: 'text', text: source };
  }

  private fact(path: readonly string[], value: ValueRead, { range }: Node): void {
    const [from = 0, to = 0] = range ?? [];
    const start = Math.max(
      this.text.lastIndexOf('\n', from - 1) + 1,
      this.text.lastIndexOf(path.at(-1) ?? '\n', from),
    );
    this.facts.push({ path, value, from: path.length > 0 ? start : from, to });
  }
}

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
    const walk = new YamlWalk(text.slice(start), document);
    walk.into(document.contents, []);
    const { facts } = placed({ source, facts: walk.facts }, (place) => place + start);
    items.push([...facts]);
  });
  doubtRepeated(items);
  return { source, facts: items.flat() };
}

export const yaml: Format = { recognises, read };
