import { placed, plainValue, type Fact, type Format, type Passage, type Reading } from './facts.js';
import { meaningNamed, type Meaning } from './fields.js';
import { plainText } from './plain.js';
import { formulaIn } from './python-values.js';
import * as phrases from './phrases.js';

interface NumberFound {
  from: number;
  to: number;
  text: string;
}

/** What a number means, by its words or by a name before it, and where these and it stand in the line. */
interface NumberMeant {
  meaning?: Meaning | undefined;
  name?: string | undefined;
  from: number;
  to: number;
  skipped?: true;
}

/** What a text without TeX and typography says. */
function readingOf(plain: string): Reading {
  const facts: Fact[] = [];
  const unread: Passage[] = [];
  const aside: Passage[] = [];
  /** The line before. */
  let last = '';
  const named = plain.matchAll(new RegExp(phrases.datasets, 'gi'));
  const several = new Set([...named].map(([name]) => name.toLowerCase())).size > 1;
  const doubted = [...plain.matchAll(phrases.sentences)].map(({ 0: words, index }) => {
    const found = phrases.doubts.exec(words.replace(phrases.harmless, ''));
    const dataset = several ? phrases.datasets.exec(words)?.[0] : undefined;
    const doubt = dataset ?? found?.[0].toLowerCase();
    return { from: index, to: index + words.length, doubt };
  });

  function fact(
    meaning: Meaning | undefined,
    name: string,
    { text, from, to }: NumberFound,
    doubt?: string,
  ): void {
    const path = /^[\w.-]+$/.test(name) ? name.split('.') : [name];
    facts.push({ path, value: plainValue(text), from, to, meaning, doubt });
  }

  /** A line that holds a name and its value alone. */
  function setting(line: string, at: number): boolean {
    const found = phrases.alone.exec(line);
    if (!found) return false;
    const [whole, lead = '', name = '', , text = ''] = found;
    const words = name.trim().replace(/^(?:and|at|let|set|using|where|with) /i, '');
    const reported = /^(ε|epsilon)\b/i.test(words);
    // A formula of sizes is read in the line.
    const formula = /^(?:δ|delta|q)$/i.test(words) && /[nNbBL]/.test(text);
    if (formula || !(reported || meaningNamed(words) || words.split(' ').length < 3)) return false;
    // What is reported may say of what it is the epsilon.
    fact(reported ? 'epsilon' : undefined, words, {
      text: text.replace(/(?<=[\dkKM])\.$/, ''),
      ...{ from: at + lead.length, to: at + whole.trimEnd().length },
    });
    return true;
  }

  /** Numbers of one line: what stands before and after each says what it is. */
  function lineOfWords(line: string, at: number): void {
    const taken: [number, number][] = [...line.matchAll(phrases.dates)].map(
      ({ 0: words, index }) => [index, index + words.length],
    );
    for (const { 0: words, index, ...groups } of line.matchAll(phrases.pairs)) {
      taken.push([index, index + words.length]);
      const found = { from: at + index, to: at + index + words.length };
      const [epsilon, delta] = [groups[1] ?? groups[3] ?? '', groups[2] ?? groups[4] ?? ''];
      fact('epsilon', words, { ...found, text: epsilon });
      fact('delta', words, { ...found, text: delta }, doubtAt(found.from));
    }
    for (const { 0: words, index, 1: name = '', 2: formula = '' } of line.matchAll(
      phrases.formulas,
    )) {
      if (!/[nNbBL|]/.test(formula)) continue;
      taken.push([index, index + words.length]);
      const value = formulaIn(asCode(formula)) ?? ({ kind: 'formula', text: formula } as const);
      const [from, to] = [at + index, at + index + words.length];
      const meaning = /^(δ|delta)$/i.test(name) ? 'delta' : 'samplingProbability';
      facts.push({ path: [name], value, from, to, meaning, doubt: doubtAt(from) });
    }
    const read = [...line.matchAll(phrases.numbers), ...line.matchAll(phrases.spelledOut)]
      .map((match) => ({ match, start: match.index, end: match.index + match[0].length }))
      .filter(({ start, end }) => taken.every(([a, b]) => end <= a || start >= b))
      .sort((a, b) => a.start - b.start)
      .map((one) => ({ ...one, meant: meaningAt(line, one.match) }));
    /** Several numbers for one noun: 10, 20 and 50 epochs. */
    const isListed = (from: number, to: number, other: NumberMeant) => {
      const words = line.slice(from, to);
      const unnamed = (other.meaning ?? other.name ?? other.skipped) === undefined;
      return phrases.ranges.test(words) || (/^\s?(?:,|and|, and|\s)\s?$/.test(words) && unnamed);
    };
    read.forEach(({ meant: { meaning, name, from, to, skipped }, match, start, end }, index) => {
      const [previous, next] = [read[index - 1], read[index + 1]];
      const listed =
        (previous !== undefined && isListed(previous.end, start, previous.meant)) ||
        (next !== undefined && isListed(end, next.start, next.meant));
      const operator =
        phrases.operatorBefore.test(line.slice(Math.max(0, start - 8), start)) ||
        phrases.operatorAfter.test(line.slice(end, end + 8));
      if ((meaning ?? name) !== undefined && !listed && !operator) {
        const found = { text: numberOf(match), from: at + from, to: at + to };
        const lately = line.slice(Math.max(0, start - 20), start);
        const partly = /\b(after|first|last|until) (?:the |another )?$/i.exec(lately);
        const doubt = partly ? `it is said of what comes “${partly[1]}”` : doubtAt(at + start);
        if (meaning === 'batchSize' && phrases.perDevice.test(line.slice(start, end + 20)))
          fact('deviceBatch', name ?? '', found, doubt);
        else
          fact(
            meaning,
            name ?? (line.slice(from, to).trim() || match[0]),
            found,
            meaning === 'epsilon' ? undefined : doubt,
          );
        return;
      }
      const near = plain.slice(Math.max(0, at + start - 30), at + end + 30);
      const heavy = phrases.weighty.test(near.replace(/\n/g, ' ')) || listed || operator;
      const lead = /(?:[^\s,;()]+ ){0,3}$/.exec(line.slice(Math.max(0, start - 60), start));
      const passage = { from: at + start - (lead?.[0].length ?? 0), to: at + end };
      (skipped || !heavy ? aside : unread).push(passage);
    });
  }

  function doubtAt(at: number): string | undefined {
    const sentence = doubted.find(({ from, to }) => from <= at && at < to);
    return sentence?.doubt === undefined ? undefined : `its sentence says “${sentence.doubt}”`;
  }

  function meaningAt(line: string, match: RegExpExecArray): NumberMeant {
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
      phrases.symbols.find(([pattern]) => pattern.test(left)) ??
      phrases.before.find(([pattern]) => pattern.test(left));
    const noun = phrases.after.find(([pattern]) => pattern.test(right));
    const place = (from: number, to: number) => ({ from: Math.max(0, from), to });
    if (/(?<![\p{L}\d_])T\s?=\s?$/u.test(left) && !noun?.[1])
      return { name: 'T', ...place(start - 4, end) };
    const none = place(start, end);
    // A phrase of the line before that this number would end is not read; nor is the number otherwise.
    const above = start === line.search(/\S/) ? `${last.trimEnd()} ` : undefined;
    if (
      above !== undefined &&
      [...phrases.symbols, ...phrases.before].some(([pattern]) => pattern.test(above))
    )
      return none;
    if (phrases.skips.test(above ?? left) || phrases.notRun.test(right))
      return { ...none, skipped: true };
    if (phrases.otherUnit.test(right)) return none;
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
      (phrases.ofWhole.test(left) ? /\bevaluat|\btest|\bvalid/i : phrases.ofPart).test(clause)
    )
      return none;
    if (noun?.[1])
      return { meaning: noun[1], ...place(start, end + (noun[0].exec(right)?.[0].length ?? 0)) };
    return none;
  }

  let at = 0;
  for (const whole of plain.split('\n')) {
    // Settings that are commented out are none.
    const line = /^\s*(?:;|%|<!--|\/\/|\/\*|#+\s*[\w.-]+\s*[=:])/.test(whole)
      ? ' '.repeat(whole.length)
      : whole;
    if (!setting(line, at)) lineOfWords(line, at);
    at += line.length + 1;
    last = line;
  }
  for (const { 0: words, index, 1: out } of plain.matchAll(
    /\bwith(out)?(?: using)? microbatch(?:ing|es)?\b/gi,
  )) {
    const text = String(out === undefined);
    fact('microbatching', words, { text, from: index, to: index + words.length });
  }
  const sampling = phrases.ofSampling.flatMap((shape) => shape.exec(plain)?.[0].trim() ?? []);
  return { source: 'a description in words', facts, unread, aside, sampling };
}

/** As a form takes it: 60'000 becomes 60000, and twelve 12. */
function numberOf([words = '']: readonly string[]): string {
  const out = phrases.numberWords.indexOf(words.toLowerCase());
  return out >= 0 ? String(out + 1) : words.trim().replace(/['’]/g, '');
}

/** A formula of sizes as Python writes it. */
const asCode = (formula: string): string =>
  formula
    .replace(/\|D\|/g, 'n')
    .replace(/N/g, 'n')
    .replace(/[BL]/g, 'b')
    .replace(/\^/g, '**')
    .replace(/·/g, '*')
    .replace(/(\d)\s?(?=[nb(])/g, '$1*')
    .replace(/\*\*\*(?=n)/g, '**n');

const recognises = (): number => 0.3;
function read(text: string): Reading {
  const { plain, place } = plainText(text);
  return placed(readingOf(plain), place);
}

export const prose: Format = { recognises, read };
