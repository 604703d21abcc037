import type { Engine } from '../client.js';
import {
  buildReport,
  formatNames,
  checkedText,
  checkReport,
  formats,
  gather,
  quotationFormats,
  quotationNames,
} from '../report/index.js';
import type { ReportModel, ReportOptions } from '../report/index.js';
import { isPublic } from '../words/public-address.js';
import type { Command } from './command.js';
import {
  flagHelp,
  flagNumber,
  issue,
  namesOf,
  noChoice,
  readFlags,
  type Options,
} from './flags.js';
import { readQuery, readText, withWaiting } from './io.js';
import { columns } from './layout.js';
import { readJson } from './json.js';
import { ran } from './ran.js';

/** How a report is written, or its quotation alone, by the name that `--format` takes. */
const renderers = new Map<string, (report: ReportModel) => string>([
  ...formatNames.map((name) => [name, formats[name].render] as const),
  ...quotationNames.map((name) => {
    const { format, render } = quotationFormats[name];
    const alone = ({ quotation, erratum, facts }: ReportModel) =>
      // A card describes the model as it is: no erratum.
      [quotation, ...(erratum.length > 0 && name !== 'model-card' ? [erratum] : [])]
        .map((sentences) => `${render(sentences, facts).trimEnd()}\n`)
        .join('\n');
    return [format, alone] as const;
  }),
]);
const names = [...renderers.keys()];

/** The flags of `report` beside those of a question. */
const own = {
  '--format <name>': `One of ${names.join(', ')} (default: text).`,
  '--reported <number>': 'An epsilon that was reported for this run, to compare.',
  '--link <address>': 'Where the run can be seen.',
  '--date <date>': 'The date of the report (default: today).',
  '--check <file>': 'Recompute a JSON report; exit status 1 if it does not hold.',
};
/** A field of a phase, too; a run whose noise is given by its multiplier has it in the report alone. */
const norm = 'clipping-norm';

interface ReportWords {
  check: string | undefined;
  render: (report: ReportModel) => string;
  options: ReportOptions;
  rest: Options;
}

function positive(name: string, text: string | undefined, least: boolean): number | undefined {
  if (text === undefined) return undefined;
  const value = flagNumber(name, text);
  const good = value !== undefined && Number.isFinite(value) && (least ? value >= 0 : value > 0);
  if (good) return value;
  const wanted = `a finite number ${least ? 'of at least' : 'above'} 0`;
  throw issue('out-of-domain', name, `--${name} must be ${wanted}; got "${text}"`);
}

/** What is printed in a report has to open for whoever reads it. */
function publicLink(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  // As a browser writes it: nothing in it ends a line.
  if (isPublic(text)) return new URL(text).href;
  const wanted = 'an address that others can open, such as https://example.org/';
  throw issue('out-of-domain', 'link', `--link must be ${wanted}; got "${text}"`);
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

/** 2025-02-30 has the form of a day, but is none. */
function isDay(text: string): boolean {
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : NaN);
  return !Number.isNaN(date.getTime()) && dayOf(date) === text;
}

function readReportWords(words: readonly string[]): ReportWords {
  // A word that is no flag names the question's file.
  const options = readFlags('epsilon', words, { own: [...namesOf(own), norm], words: 1 });
  const { format, check, reported, link, date = dayOf(new Date()), [norm]: length } = options.own;
  const named = format ?? (options.on.has('json') ? 'json' : 'text');
  const render = renderers.get(named);
  if (!render) throw noChoice('format', named, names);
  const clippingNorm = positive(norm, length, false);
  const [phase] = options.query.phases;
  if (clippingNorm !== undefined && phase && 'noiseStddev' in phase)
    phase.clippingNorm = clippingNorm;
  if (!isDay(date))
    throw issue('wrong-type', 'date', `--date must be a day such as 2025-11-30; got "${date}"`);
  const stated = { clippingNorm, reported: positive('reported', reported, true) };
  return { check, render, rest: options, options: { ...stated, link: publicLink(link), date } };
}

async function checkText(
  engine: Engine,
  text: string,
): Promise<{ text: string; confirmed: boolean }> {
  const json = readJson(text);
  if ('wrong' in json) throw issue('bad-json', 'check', `a report must be JSON; ${json.wrong}`);
  const all = await checkReport(engine, json.value);
  return { text: checkedText(all), confirmed: all.every(({ confirmed }) => confirmed) };
}

/** The exit code for a report that states more than is proved. */
const notConfirmed = 1;

export const report: Command = {
  summary: 'Everything needed to assess and recompute a run.',
  usage: ['report query.json [flags]', 'report [flags of a run]', 'report --check report.json'],
  example: `${ran} report query.json --format latex`,
  help: () => [
    'query.json holds a query as for "batch"; "-" reads standard input.',
    columns(Object.entries(own)),
    flagHelp('epsilon'),
  ],
  async run(words) {
    const { rest, check, render, options } = readReportWords(words);
    if (check !== undefined) {
      const file = await readText(check, 'check');
      const { text, confirmed } = await withWaiting((engine) => checkText(engine, file));
      if (!confirmed) process.exitCode = notConfirmed;
      return text;
    }
    // The file says what is asked.
    const flags = { ...rest.query };
    delete flags.question;
    const query = await readQuery({ ...rest, query: flags });
    return render(buildReport(await withWaiting((engine) => gather(engine, query, options))));
  },
};
