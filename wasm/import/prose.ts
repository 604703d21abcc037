import { plainValue, type Fact, type Passage, type Format, type Reading } from './facts.js';
import { meaningNamed, type Meaning } from './fields.js';
import { plainText } from './plain.js';
import { formulaIn } from './python-values.js';
import {
  after,
  alone,
  before,
  numberWords,
  datasets,
  dates,
  doubts,
  notRun,
  numbers,
  ofPart,
  ofSampling,
  ofWhole,
  otherUnit,
  skips,
  spelledOut,
  symbols,
  weighty,
} from './phrases.js';

interface NumberFound {
  from: number;
  to: number;
  text: string;
}

class ProseReader {
  readonly facts: Fact[] = [];
  readonly unread: Passage[] = [];
  readonly aside: Passage[] = [];
  private readonly plain: string;
  /** The line before. */
  private above = '';
  private readonly place: (at: number) => number;
  private readonly sentences: readonly { from: number; to: number; doubt: string | undefined }[];

  constructor(text: string) {
    const { plain, place } = plainText(text);
    this.plain = plain;
    this.place = place;
    const named = plain.matchAll(new RegExp(datasets, 'gi'));
    const several = new Set([...named].map(([name]) => name.toLowerCase())).size > 1;
    this.sentences = [
      ...plain.matchAll(
        /(?:[^.;!?\n]|[.;!?](?!\s|$)|\n(?![^\S\n]*\n)|\b(?:al|e\.g|i\.e|cf|resp|vs|Fig|Eq|Sec|approx)\.)+/g,
      ),
    ].map(({ 0: words, index }) => {
      const found = doubts.exec(
        words.replace(
          /(?:steps|iterations|batches|updates) (?:per|in each|each|every) epoch|without microbatch\w*|add\W(?:or\W)?remove|no bound on[^.]*|(?:weight|learning rate|lr|rate|cosine|linear) decay\w*|decay\w* (?:the )?(?:learning )?rate|\beach (?:batch|step|iteration|update|round)\b|per[- ](?:user|client)|not use microbatch\w*|(?:at most \d+ )?(?:examples|records) (?:per|for each|from each) (?:user|person)/gi,
          '',
        ),
      );
      const dataset = several ? datasets.exec(words)?.[0] : undefined;
      const doubt = dataset ?? found?.[0].toLowerCase();
      return { from: index, to: index + words.length, doubt };
    });
  }

  private fact(
    meaning: Meaning | undefined,
    name: string,
    { text, from, to }: NumberFound,
    doubt?: string,
  ): void {
    const value = plainValue(text);
    this.facts.push({
      path: [name],
      value,
      from: this.place(from),
      to: this.place(to),
      meaning,
      doubt,
    });
  }

  read(): Reading {
    let at = 0;
    for (const whole of this.plain.split('\n')) {
      // Settings that are commented out are none.
      const line = /^\s*(?:;|%|<!--|\/\/|\/\*|#+\s*[\w.-]+\s*[=:])/.test(whole)
        ? ' '.repeat(whole.length)
        : whole;
      const found = alone.exec(line);
      const words = found?.[2]?.trim().replace(/^(?:and|at|let|set|using|where|with) /i, '') ?? '';
      const reported = /^(ε|epsilon)\b/i.test(words);
      // A formula of sizes is read in the line.
      const formula = /^(?:δ|delta|q)$/i.test(words) && /[nNbBL]/.test(found?.[4] ?? '');
      if (found && !formula && (reported || meaningNamed(words) || words.split(' ').length < 3)) {
        const [whole, lead = '', , , text = ''] = found;
        const from = at + lead.length;
        // What is reported may say of what it is the epsilon.
        this.fact(reported ? 'epsilon' : undefined, words, {
          text: text.replace(/(?<=[\dkKM])\.$/, ''),
          from,
          to: at + whole.trimEnd().length,
        });
      } else this.line(line, at);
      at += line.length + 1;
      this.above = line;
    }
    for (const { 0: words, index, 1: out } of this.plain.matchAll(
      /\bwith(out)?(?: using)? microbatch(?:ing|es)?\b/gi,
    ))
      this.fact('microbatching', words, {
        text: String(out === undefined),
        from: index,
        to: index + words.length,
      });
    const sampling = ofSampling.flatMap((shape) => shape.exec(this.plain)?.[0].trim() ?? []);
    const { facts, unread, aside } = this;
    return { source: inWords, facts, unread, aside, sampling };
  }

  /** Numbers of one line: what stands before and after each says what it is. */
  private line(line: string, at: number): void {
    const taken: [number, number][] = [...line.matchAll(dates)].map(({ 0: words, index }) => [
      index,
      index + words.length,
    ]);
    const pairs =
      /(?:\(\s?ε\s?,\s?δ\s?\)\s?=\s?)\(\s?([\d.]+)\s?,\s?([^()\s]+(?:\s?[×·]\s?10\^-?\d+)?)\s?\)|\(\s?(?:ε\s?=\s?)?([\d.]+)\s?,\s?(?:δ\s?=\s?)?([^()\s]+(?:\s?[×·]\s?10\^-?\d+)?)\s?\)-? ?(?:DP\b|differential)/g;
    for (const { 0: words, index, ...groups } of line.matchAll(pairs)) {
      taken.push([index, index + words.length]);
      const found = { from: at + index, to: at + index + words.length };
      this.fact('epsilon', words, { ...found, text: groups[1] ?? groups[3] ?? '' });
      this.fact(
        'delta',
        words,
        { ...found, text: groups[2] ?? groups[4] ?? '' },
        this.doubtAt(found.from),
      );
    }
    const formulas =
      /(?<![\p{L}\d_])(δ|delta|q|sampling (?:rate|probability))\s?(?:\(δ\)\s?)?(?:=|:|≈|<=?|≤|of|is|to)\s?((?:\d[\d.]*\s?)?(?:[nN]|\|D\|)?\s?(?:[*/^·]\s?[-+\d.nNBbL|D()^{} ]{0,20}[\d)nNBL|D]){1,4})/giu;
    for (const { 0: words, index, 1: name = '', 2: formula = '' } of line.matchAll(formulas)) {
      if (!/[nNbBL|]/.test(formula)) continue;
      taken.push([index, index + words.length]);
      const plain = formula
        .replace(/\|D\|/g, 'n')
        .replace(/N/g, 'n')
        .replace(/[BL]/g, 'b')
        .replace(/\^/g, '**')
        .replace(/·/g, '*')
        .replace(/(\d)\s?(?=[nb(])/g, '$1*')
        .replace(/\*\*\*(?=n)/g, '**n');
      const value = formulaIn(plain) ?? ({ kind: 'formula', text: formula } as const);
      const [from, to] = [this.place(at + index), this.place(at + index + words.length)];
      const meaning = /^(δ|delta)$/i.test(name) ? 'delta' : 'samplingProbability';
      this.facts.push({ path: [name], value, from, to, meaning, doubt: this.doubtAt(at + index) });
    }
    const free = [...line.matchAll(numbers), ...line.matchAll(spelledOut)]
      .filter(({ index, 0: words }) =>
        taken.every(([a, b]) => index + words.length <= a || index >= b),
      )
      .sort((a, b) => a.index - b.index);
    const read = free.map((match) => ({ ...this.meaningAt(line, match), match }));
    read.forEach(({ meaning, name, from, to, match, skipped }, index) => {
      const [words] = match;
      const [previous, next] = [read[index - 1], read[index + 1]];
      // Several numbers for one noun: 10, 20 and 50 epochs.
      const listed = [
        previous &&
          ([
            previous,
            line.slice(previous.match.index + previous.match[0].length, match.index),
          ] as const),
        next && ([next, line.slice(match.index + words.length, next.match.index)] as const),
      ].some(
        (one) =>
          one &&
          (/^\s?(?:-|–|—|->|→|to|or|\/|(?:in|out of|of)(?: (?:the|our|all|these|a total of))*)\s?$/.test(
            one[1],
          ) ||
            (/^\s?(?:,|and|, and|\s)\s?$/.test(one[1]) &&
              (one[0].meaning ?? one[0].name) === undefined &&
              one[0].skipped === undefined)),
      );
      const operator =
        /[\p{L}\d)]\s?[*/^+×·]\s?$|\d\s?x\s?$/u.test(
          line.slice(Math.max(0, match.index - 8), match.index),
        ) ||
        /^\s?(?:[*/^+×·]|\*\*|x(?=\s?\d))\s?[-+]?[\p{L}\d(\\√]|^:\d|^\s?(?:√|\\(?:sqrt|log|ln|frac|pm)\b)/u.test(
          line.slice(match.index + words.length, match.index + words.length + 8),
        ) ||
        /^\s[CnNBLS](?![\p{L}\d]|\s?=)/u.test(
          line.slice(match.index + words.length, match.index + words.length + 8),
        );
      if ((meaning ?? name) !== undefined && !listed && !operator) {
        const text = numberOf(match);
        const lately = line.slice(Math.max(0, match.index - 20), match.index);
        const partly = /\b(after|first|last|until) (?:the |another )?$/i.exec(lately);
        const doubt = partly
          ? `it is said of what comes “${partly[1]}”`
          : this.doubtAt(at + match.index);
        if (
          meaning === 'batchSize' &&
          / (?:per|on each|for each|on every) (?:GPU|device|TPU|worker)/i.test(
            line.slice(match.index, match.index + words.length + 20),
          )
        )
          this.fact('deviceBatch', name ?? '', { text, from: at + from, to: at + to }, doubt);
        else
          this.fact(
            meaning,
            name ?? (line.slice(from, to).trim() || words),
            { text, from: at + from, to: at + to },
            meaning === 'epsilon' ? undefined : doubt,
          );
        return;
      }
      const near = this.plain
        .slice(Math.max(0, at + match.index - 30), at + match.index + words.length + 30)
        .replace(/\n/g, ' ');
      const lead =
        /(?:[^\s,;()]+ ){0,3}$/.exec(line.slice(Math.max(0, match.index - 60), match.index))?.[0] ??
        '';
      const passage = {
        from: this.place(at + match.index - lead.length),
        to: this.place(at + match.index + words.length),
      };
      (skipped || !(weighty.test(near) || listed || operator) ? this.aside : this.unread).push(
        passage,
      );
    });
  }

  private doubtAt(at: number): string | undefined {
    const sentence = this.sentences.find(({ from, to }) => from <= at && at < to);
    return sentence?.doubt === undefined ? undefined : `its sentence says “${sentence.doubt}”`;
  }

  private meaningAt(
    line: string,
    match: RegExpExecArray,
  ): {
    meaning?: Meaning | undefined;
    name?: string | undefined;
    from: number;
    to: number;
    skipped?: true;
  } {
    const [words] = match;
    const [start, end] = [match.index, match.index + words.length];
    const [left, right] = [line.slice(Math.max(0, start - 90), start), line.slice(end, end + 120)];
    const named = /(?<![\p{L}\d_.])(--)?([A-Za-z_][\w.-]*)(\s?[=:]\s?|\s)$/u.exec(left);
    const key = named?.[2] ?? '';
    const explicit =
      named && (/[=:]/.test(named[3] ?? '') || named[1] !== undefined || /[_-]/.test(key))
        ? key
        : undefined;
    const shape =
      symbols.find(([pattern]) => pattern.test(left)) ??
      before.find(([pattern]) => pattern.test(left));
    const noun = after.find(([pattern]) => pattern.test(right));
    const place = (from: number, to: number) => ({ from: Math.max(0, from), to });
    if (/(?<![\p{L}\d_])T\s?=\s?$/u.test(left) && !noun?.[1])
      return { name: 'T', ...place(start - 4, end) };
    const none = place(start, end);
    // A phrase of the line before that this number would end is not read; nor is the number otherwise.
    const above = start === line.search(/\S/) ? `${this.above.trimEnd()} ` : undefined;
    if (above !== undefined && [...symbols, ...before].some(([pattern]) => pattern.test(above)))
      return none;
    if (skips.test(above ?? left) || notRun.test(right)) return { ...none, skipped: true };
    if (otherUnit.test(right)) return none;
    // What one step or record costs is not what the run does.
    const whole = shape && /epsilon|delta/.test(shape[1] ?? '');
    if (whole && /^\s?(?:per|each|(?:for|in|at) (?:each|every)|every|a) \p{L}/u.test(right))
      return none;
    if (shape) {
      const [pattern, meaning] = shape;
      const lead = pattern.exec(left)?.[0].length ?? 0;
      const other = noun?.[1];
      // 64 examples after “batch size of” is the batch; 10 epochs after it is a doubt.
      const agrees =
        other === undefined ||
        other === meaning ||
        (/datasetSize|batch/i.test(other) && /datasetSize|batch/i.test(meaning ?? ''));
      const tail = noun && agrees ? (noun[0].exec(right)?.[0].length ?? 0) : 0;
      return agrees ? { meaning, ...place(start - lead, end + tail) } : none;
    }
    const opens =
      explicit !== undefined &&
      /^(run|training|settings?|setup|dataset|data|details|hyper-?parameters)$/i.test(explicit);
    if (
      explicit !== undefined &&
      named &&
      !(opens && noun?.[1]) &&
      (meaningNamed(explicit) ?? /[=:]/.test(named[3] ?? ''))
    )
      return { name: explicit, ...place(start - named[0].length, end) };
    // Devices by the thousand are people's.
    if (noun?.[1] === 'devices' && Number(words.replace(/\D/g, '')) > 4096) return none;
    if (noun?.[1] === 'devices' && /[kM]$|thousand|million/.test(words)) return none;
    const clause = /[^,;.]*$/.exec(left.replace(/(?<=\d),(?=\d)/g, ''))?.[0] ?? '';
    if (
      noun?.[1] === 'datasetSize' &&
      (ofWhole.test(left) ? /\bevaluat|\btest|\bvalid/i : ofPart).test(clause)
    )
      return none;
    if (noun?.[1])
      return { meaning: noun[1], ...place(start, end + (noun[0].exec(right)?.[0].length ?? 0)) };
    return none;
  }
}

const units: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  billion: 1e9,
};

/** As a form takes it: 60k becomes 60000. */
function numberOf([words, amount = '', unit = '']: readonly string[]): string {
  const out = numberWords.indexOf((words ?? '').toLowerCase());
  if (out >= 0) return String(out + 1);
  const factor = units[unit.trim().toLowerCase()];
  if (factor === undefined) return (words ?? '').trim().replace(/['’]/g, '');
  const value = Number(amount.replace(/,(?=\d{3})/g, ''));
  return Number.isNaN(value) ? (words ?? '') : String(Math.round(value * factor * 1e6) / 1e6);
}

export const inWords = 'a description in words';
const recognises = (): number => 0.3;
const read = (text: string): Reading => new ProseReader(text).read();

export const prose: Format = { recognises, read };
