import type { CurveEnds } from '../../../wasm/curve-range.js';

/** The ends of a curve that a reader may set. */
export const endNames = ['from', 'to', 'floor'] as const satisfies readonly (keyof CurveEnds)[];
export type EndName = (typeof endNames)[number];
export type EndTexts = Readonly<Record<EndName, string>>;

export const endLabels: EndTexts = { from: 'from', to: 'to', floor: 'least δ' };

/** At the beginning of a sentence. */
const startOf = (name: EndName) => endLabels[name].replace(/^./, (letter) => letter.toUpperCase());

export interface EndsReading {
  /** NaN where the text is no number: the panel refuses it. */
  ends: CurveEnds;
  problems: ReadonlyMap<EndName, string>;
}

/** The ends as they were typed; one that is empty is left to the engine. */
export function readEnds(
  texts: EndTexts,
  parse: (text: string) => number | undefined,
): EndsReading {
  const ends: CurveEnds = {};
  const problems = new Map<EndName, string>();
  for (const name of endNames) {
    const text = texts[name].trim();
    if (text === '') continue;
    const value = parse(text);
    ends[name] = value ?? NaN;
    if (value !== undefined) continue;
    const wanted = 'a number, such as 0.5, 1e-5 or 1/60000';
    problems.set(name, `${startOf(name)} must be ${wanted}; got “${text}”.`);
  }
  return { ends, problems };
}

/** The engine's complaint about an end, which it calls by its own name, as a sentence. */
export const inEndWords = (name: EndName, text: string) =>
  `${text.replace(new RegExp(`^${name}\\b`), startOf(name))}.`;
