/**
 * Values as Python, JSON and JavaScript write them: numbers, texts, lists, records and calls.
 * Nothing is evaluated; anything else is kept as it stands.
 */
export type Literal =
  | { kind: 'number'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'flag'; value: boolean }
  | { kind: 'nothing' }
  | { kind: 'list'; items: readonly Literal[] }
  | { kind: 'record'; entries: readonly (readonly [string, Literal])[] }
  | {
      kind: 'call';
      name: string;
      args: readonly Literal[];
      named: readonly (readonly [string, Literal])[];
    }
  | { kind: 'formula'; text: string };

const words: Readonly<Record<string, Literal>> = {
  True: { kind: 'flag', value: true },
  true: { kind: 'flag', value: true },
  False: { kind: 'flag', value: false },
  false: { kind: 'flag', value: false },
  None: { kind: 'nothing' },
  null: { kind: 'nothing' },
};

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** A plain number, or the ratio of two. */
const number =
  /[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d+)(?:[eE][-+]?\d+)?(?:\s*\/\s*\d[\d_]*(?:\.\d+)?|\s*\*\*\s*-?\d+)?/y;
const quoted = /(["'])((?:\\.|(?!\1)[^\\])*)\1/sy;
const dotted = /[A-Za-z_]\w*(?:\.\w+)*/y;
const blank = /(?:\s|#[^\n]*|\/\/[^\n]*)*/y;

/** Deeper nesting than any real configuration has. */
const deepest = 60;

class LiteralReader {
  private at = 0;
  private depth = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  whole(): Literal | undefined {
    const value = this.value();
    this.skip();
    return this.at === this.text.length ? value : undefined;
  }

  private take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text) ?? undefined;
    if (found) this.at += found[0].length;
    return found;
  }

  private skip(): void {
    this.take(blank);
  }

  private see(character: string): boolean {
    this.skip();
    if (this.text[this.at] !== character) return false;
    ++this.at;
    return true;
  }

  /** Whether nothing else stands between what was read and the next item. */
  private ended(): boolean {
    this.skip();
    return this.at === this.text.length || ',)]}:;'.includes(this.text[this.at] ?? '');
  }

  value(): Literal {
    this.skip();
    const start = this.at;
    ++this.depth;
    const read = this.depth > deepest ? undefined : this.plain();
    --this.depth;
    if (read && this.ended()) return read;
    this.at = start;
    this.pass();
    return { kind: 'formula', text: this.text.slice(start, this.at).trim() };
  }

  private plain(): Literal | undefined {
    const text = this.take(quoted);
    if (text) return { kind: 'text', text: (text[2] ?? '').replace(/\\(.)/gs, '$1') };
    const digits = this.take(number);
    if (digits) return { kind: 'number', text: digits[0] };
    if (this.see('[')) return { kind: 'list', items: this.items(']') };
    if (this.see('(')) return { kind: 'list', items: this.items(')') };
    if (this.see('{')) return { kind: 'record', entries: this.entries() };
    const name = this.take(dotted)?.[0];
    if (name === undefined) return undefined;
    if (this.see('(')) return this.call(name);
    return words[name];
  }

  private items(end: string): Literal[] {
    const items: Literal[] = [];
    while (!this.see(end) && this.at < this.text.length) {
      items.push(this.value());
      if (!this.see(',') && !this.closes(end)) break;
    }
    return items;
  }

  private closes(end: string): boolean {
    this.skip();
    return this.text[this.at] === end;
  }

  private entries(): [string, Literal][] {
    const entries: [string, Literal][] = [];
    while (!this.see('}') && this.at < this.text.length) {
      this.skip();
      const key = this.take(quoted)?.[2] ?? this.take(/[\w.-]+/y)?.[0];
      if (key === undefined || !this.see(':')) break;
      entries.push([key, this.value()]);
      if (!this.see(',') && !this.closes('}')) break;
    }
    return entries;
  }

  private call(name: string): Literal {
    const args: Literal[] = [];
    const named: [string, Literal][] = [];
    while (!this.see(')') && this.at < this.text.length) {
      this.skip();
      const key = this.take(/([A-Za-z_]\w*)\s*=(?!=)/y)?.[1];
      if (key === undefined) args.push(this.value());
      else named.push([key, this.value()]);
      if (!this.see(',') && !this.closes(')')) break;
    }
    return simplified(name, args, named);
  }

  /** Skips to the end of an item. */
  private pass(): void {
    const open: string[] = [];
    for (; this.at < this.text.length; ++this.at) {
      const character = this.text[this.at] ?? '';
      if (open.length === 0 && ',)]};'.includes(character)) return;
      if (character === open.at(-1)) open.pop();
      const closer = closers[character];
      if (closer !== undefined) open.push(closer);
    }
  }
}

/** Removes wrappers around a number or a record: np.float64(0.01), OrderedDict([...]). */
function simplified(
  name: string,
  args: readonly Literal[],
  named: readonly (readonly [string, Literal])[],
): Literal {
  const last = args.at(-1);
  if (last?.kind === 'number' && args.length === 1 && /(^|\.)(float|int)\d*$/.test(name))
    return last;
  if (/dict$/i.test(name)) {
    if (last?.kind === 'record') return { kind: 'record', entries: [...last.entries, ...named] };
    if (last?.kind === 'list') {
      const pairs = last.items.flatMap((pair) => {
        const [key, value] = pair.kind === 'list' ? pair.items : [];
        return key?.kind === 'text' && value ? [[key.text, value] as const] : [];
      });
      return { kind: 'record', entries: [...pairs, ...named] };
    }
    return { kind: 'record', entries: named };
  }
  return { kind: 'call', name, args, named };
}

/** The one literal that a text is; undefined where it is something else. */
export function readLiteral(text: string): Literal | undefined {
  const read = new LiteralReader(text.trim()).whole();
  return read?.kind === 'formula' ? undefined : read;
}

/** A literal, or the formula that stands in its place. */
export const readValue = (text: string): Literal =>
  new LiteralReader(text.trim()).whole() ?? { kind: 'formula', text: text.trim() };
