import type { Engine } from '../client.js';
import type { Query } from '../generated/schema.js';
import { parseNumber } from '../number-forms.js';
import { buildReport, formatNames, formats, gather } from '../report/index.js';
import type { FormatName, ReportOptions } from '../report/index.js';
import { columns, flagHelp, issue, readFlags } from './flags.js';
import type { Options } from './flags.js';
import { nearest } from './spelling.js';

/** What `report` takes beside a question's own flags. */
const own = {
  format: ['<name>', `One of ${formatNames.join(', ')}; text when left out.`],
  'clipping-norm': ['<number>', 'The norm C that gradients are clipped to.'],
  reported: ['<number>', 'An epsilon that was reported for this run, to be compared.'],
  link: ['<address>', 'Where the run can be seen.'],
  date: ['<date>', 'The day of the report; today when left out.'],
} as const;
type OwnFlag = keyof typeof own;

export interface ReportWords {
  format: FormatName;
  options: ReportOptions;
  /** The question's own flags, and the file that holds it. */
  rest: Options;
}

function positive(name: OwnFlag, text: string | undefined, least: boolean): number | undefined {
  if (text === undefined) return undefined;
  const value = parseNumber(text);
  const good = value !== undefined && Number.isFinite(value) && (least ? value >= 0 : value > 0);
  if (good) return value;
  const wanted = `a finite number ${least ? 'of at least' : 'above'} 0`;
  throw issue('out-of-domain', name, `--${name} must be ${wanted}; got "${text}"`);
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

/** The thirtieth of February has the form of a day, and is none. */
function isDay(text: string): boolean {
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : NaN);
  return !Number.isNaN(date.getTime()) && dayOf(date) === text;
}

export function readReportWords(words: readonly string[]): ReportWords {
  // A word that is no flag names the question's file.
  const options = readFlags('epsilon', words, { own: Object.keys(own), words: 1 });
  const found: Readonly<Partial<Record<OwnFlag, string>>> = options.own;
  const named = found.format ?? (options.json ? 'json' : 'text');
  const format = formatNames.find((name) => name === named);
  if (!format) {
    const meant = nearest(named, formatNames);
    const hint = meant ? ` (did you mean ${meant}?)` : '';
    throw issue(
      'unknown-choice',
      'format',
      `--format must be one of ${formatNames.join(', ')}; got "${named}"${hint}`,
    );
  }
  const date = found.date ?? dayOf(new Date());
  if (!isDay(date))
    throw issue('wrong-type', 'date', `--date must be a day such as 2025-11-30; got "${date}"`);
  return {
    format,
    rest: options,
    options: {
      clippingNorm: positive('clipping-norm', found['clipping-norm'], false),
      reported: positive('reported', found.reported, true),
      link: found.link,
      date,
    },
  };
}

export async function reportText(
  engine: Engine,
  query: Query,
  { format, options }: ReportWords,
): Promise<string> {
  return formats[format].render(buildReport(await gather(engine, query, options)));
}

export const reportSummary =
  'The disclosure statement of a run: all that a reader needs to recompute it.';

export const reportExample = 'honest-epsilon report query.json --format latex';

export function reportHelp(): string {
  const flags = Object.entries(own).map(
    ([name, [value, text]]) => [`--${name} ${value}`, text] as const,
  );
  return `${reportSummary}

Usage: honest-epsilon report query.json [flags]
       honest-epsilon report [flags of a question]

query.json holds a question as for "batch"; "-" reads standard input.

${columns(flags)}

${flagHelp('epsilon')}

Example:
  ${reportExample}
`;
}
