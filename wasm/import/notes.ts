import type { Passage } from './facts.js';
import type { Meaning } from './fields.js';
import type { Ambiguity, Choices, TextPlace } from './imported-run.js';

/** What is noted of a text: words of it by their place, what is left out and why, and what is asked. */
export class Notes {
  protected readonly text: string;
  protected readonly ambiguous: Ambiguity[] = [];
  protected readonly ignored = new Set<string>();
  protected readonly dangerous = new Map<string, TextPlace & { why: string }>();
  /** What is asked about, and so not missing. */
  protected readonly open = new Set<Meaning>();
  private readonly choices: Choices;
  /** Where lines start. */
  private readonly starts: readonly number[];

  constructor(text: string, choices: Choices) {
    this.text = text;
    this.choices = choices;
    this.starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  }

  protected place({ from: start, to }: Passage): TextPlace {
    const from = /^["']$/.test(this.text[start - 1] ?? '') ? start - 1 : start;
    const line = this.starts.findLastIndex((start) => start <= from);
    const words = this.text
      .slice(from, Math.min(to, from + 200))
      .replace(/\s+/g, ' ')
      .trim();
    const quote = words.length > 100 ? `${words.slice(0, 99)}…` : words;
    return { quote, line: line + 1, column: from - (this.starts[line] ?? 0) + 1 };
  }

  protected quoted(passage: Passage): string {
    const { quote, line } = this.place(passage);
    return this.starts.length > 1 ? `“${quote}” in line ${line}` : `“${quote}”`;
  }

  protected ignore(passage: Passage, why: string): void {
    this.ignored.add(`${this.place(passage).quote} (${why})`);
  }

  protected danger(passage: Passage, why: string): void {
    const place = this.place(passage);
    const key = `${place.line} ${place.column} ${place.quote}`;
    if (!this.dangerous.has(key)) this.dangerous.set(key, { ...place, why });
  }

  /** Asks, unless it was decided: then the number of the reading, undefined for none of them. */
  protected ask(
    id: string,
    ask: string,
    readings: readonly string[],
    about: readonly Meaning[] = [],
  ): number | 'open' | undefined {
    const chosen = this.choices[id];
    if (chosen !== undefined) return chosen < readings.length ? chosen : undefined;
    this.ambiguous.push({ id, ask, readings });
    for (const meaning of about) this.open.add(meaning);
    return 'open';
  }
}
