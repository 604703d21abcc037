import { parseNumber } from '../words/number-forms.js';
import { given } from '../words/numbers.js';
import type { Fact } from './facts.js';
import { isFlag, meaningLabel } from './fields.js';
import type { Meaning, ReadPhaseFlag, ReadPhaseNumber } from './fields.js';

export interface ImportedPhase {
  kind: 'phase';
  mechanism: 'gaussian' | 'laplace';
  /** As they were written, or what was computed of what was written. */
  numbers: Readonly<Partial<Record<ReadPhaseNumber, string>>>;
  choices?: Readonly<{
    privacyUnit?: 'client';
    noiseUnit?: 'sum' | 'average';
    reshuffle?: 'once';
  }>;
  /** Those that are set. */
  flags: readonly ReadPhaseFlag[];
}

export interface ImportedRelease {
  kind: 'release';
  numbers: Readonly<Partial<Record<'epsilon' | 'delta' | 'rho', string>>>;
}

export type ImportedEntry = ImportedPhase | ImportedRelease;

/** Words of a text, and where they stand: line and column are counted from 1. */
export interface TextPlace {
  quote: string;
  line: number;
  column: number;
}

/** What was read at a place, in words, and the field that it fills. */
export interface Understood extends TextPlace {
  field: string;
  means: string;
}

/** A choice that only the reader can make. */
export interface Ambiguity {
  /** By which a choice is told to `readRun`. */
  id: string;
  ask: string;
  readings: readonly string[];
}

export interface ImportedRun {
  /** The kind of text that it was read as. */
  source: string;
  entries: readonly ImportedEntry[];
  facts: readonly Understood[];
  delta?: string | undefined;
  /** Reported, or to be met where there is no noise multiplier: that is what `aims` says. */
  epsilon?: string | undefined;
  aims: boolean;
  tuning?:
    | {
        tuning: 'poisson' | 'geometric' | 'logarithmic' | 'negative-binomial';
        runs: string;
        eta?: string;
      }
    | undefined;
  /** Fields that the run needs and the text does not say, in words. */
  missing: readonly { field: ReadPhaseNumber; words: string }[];
  /** What has two readings; while there is any, nothing is asked of the engine. */
  ambiguous: readonly Ambiguity[];
  /** What was seen and has no bearing on the answer. */
  ignored: readonly string[];
  /** What may change the answer and was not read. */
  dangerous: readonly (TextPlace & { why: string })[];
  /** The text's words on sampling, which need not be what ran. */
  sampling: readonly string[];
}

/** The reasons why a text is not a run, in sentences. */
export interface NoRun {
  wrong: readonly string[];
}

/** The readings that were chosen, by the ambiguity's name; the number after the last one is none of them. */
export type Choices = Readonly<Record<string, number>>;

/** A fact of a known meaning: its value, once it is one. */
export interface Said {
  fact: Fact;
  meaning: Meaning;
  value: number | undefined;
  text: string;
  doubt: string | undefined;
}

export const shown = (text: string): string => {
  const value = parseNumber(text);
  return value !== undefined && Number.isFinite(value) ? given(value) : text;
};
export const yes = ['no', 'yes'] as const;

/** "Noise multiplier 1.1" */
export const meansText = (meaning: Meaning, text: string, clients = false): string =>
  isFlag(meaning)
    ? `${meaningLabel(meaning)}: ${yes[Number(text === '1')]}`
    : `${meaningLabel(meaning, clients)} ${shown(text)}`;

export function entryText(entry: ImportedEntry): string {
  if (entry.kind === 'phase') return phaseText(entry);
  const means = Object.entries(entry.numbers).map(([name, value]) => `${name} ${shown(value)}`);
  return `Another release: ${means.join(', ')}`;
}

/** All that is known of a phase, in words. */
export function phaseText({ mechanism, numbers, flags }: ImportedPhase): string {
  const parts = Object.entries(numbers).map(([name, value]) =>
    meansText(name as ReadPhaseNumber, value).toLowerCase(),
  );
  const set = flags.map((flag) => meaningLabel(flag).toLowerCase());
  return `A phase: ${[...(mechanism === 'laplace' ? ['Laplace noise'] : []), ...parts, ...set].join(', ')}`;
}
