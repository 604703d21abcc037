import type { Engine } from '../client.js';
import { inLines, tableLines } from '../words/layout.js';
import { version } from '../generated/schema.js';
import {
  exhibitCsv,
  exhibits,
  reproduce,
  statedWords,
  unexpected,
  verdictWords,
  verdicts,
} from '../papers/index.js';
import type { ClaimState, Exhibit, ExhibitState, LineState } from '../papers/index.js';
import type { Command } from './command.js';
import { noSuch, readWords, wholeFlag } from './flags.js';
import { withEngine, write } from './io.js';
import { columns, paragraph } from './layout.js';
import { format, formatInterval } from '../words/numbers.js';
import { ran } from './ran.js';

type Form = 'text' | 'json' | 'csv';

interface ReproduceTask {
  form: Form;
  check: boolean;
  points: number | undefined;
  exhibit: Exhibit | undefined;
}

const usual: Record<Form, number> = { text: 9, json: Infinity, csv: Infinity };

function exhibitNamed(id: string): Exhibit {
  const found = exhibits.find((exhibit) => exhibit.id === id);
  if (found) return found;
  const ids = exhibits.map((exhibit) => exhibit.id);
  const otherwise = `${ran} reproduce lists them`;
  throw noSuch('figure or table', id, ids, { code: 'unknown-exhibit', field: 'id', otherwise });
}

export function readTask(words: readonly string[]): ReproduceTask {
  const { on, own, ...said } = readWords(words, {
    fields: [],
    switches: ['check', 'csv'],
    own: ['points'],
    words: 1,
  });
  const [id] = said.words;
  return {
    form: on.has('json') ? 'json' : on.has('csv') ? 'csv' : 'text',
    check: on.has('check'),
    points: own.points === undefined ? undefined : wholeFlag('points', own.points, 0, 1000),
    exhibit: id === undefined ? undefined : exhibitNamed(id),
  };
}

export function exhibitList(): string {
  const papers = [...new Set(exhibits.map(({ paper }) => paper))];
  const blocks = papers.map((paper) => {
    const rows = exhibits.filter((exhibit) => exhibit.paper === paper);
    const lines = rows.map(({ id, name, title }) => [id, `${name}: ${title}`] as const);
    return `${paper.title} (${paper.authors})\n${columns(lines)}`;
  });
  return `${blocks.join('\n\n')}\n`;
}

/** A line for each number; a reason that several share stands below the last of them. */
function claimsText(claims: readonly ClaimState[]): string {
  const lines = tableLines(
    claims.map(({ claim, value, verdict }) => [
      verdict ? verdictWords(verdict, claim) : '',
      claim.what,
      `paper ${statedWords(claim)}`,
      `here ${value ? formatInterval(value) : ''}`,
    ]),
  );
  return claims
    .map(({ claim: { reason } }, index) => {
      const shared = reason === undefined || claims[index + 1]?.claim.reason === reason;
      return `  ${lines[index]}${shared ? '' : `\n${' '.repeat(10)}${inLines(reason, 10)}`}`;
    })
    .join('\n');
}

function lineText({ series, line, milliseconds }: LineState): string {
  const took = `${(milliseconds / 1000).toFixed(1)} s`;
  const paper = series.paperTook === undefined ? '' : `; the paper: ${series.paperTook}`;
  const rows = line.map(
    ({ x, y }) => [format(x, { side: 'nearest', digits: 4 }), formatInterval(y)] as const,
  );
  const table = columns(rows).replaceAll(/^/gm, '  ');
  return `  ${series.label} (${took}${paper})\n${table}`;
}

function textOf({ exhibit, panels, claims }: ExhibitState): string {
  const { id, paper, name, title, caption } = exhibit;
  const blocks = [`${id}  ${title}\n${paper.title}, ${name}\n\n${paragraph(caption)}`];
  if (claims.length > 0) blocks.push(claimsText(claims));
  panels.forEach((lines, index) => {
    const panel = exhibit.panels[index];
    const drawn = lines.filter(({ line }) => line.length > 0);
    if (!panel || drawn.length === 0) return;
    const head = `${panel.title}\n  ${panel.y.label} by ${panel.x.label}`;
    blocks.push([head, ...drawn.map(lineText)].join('\n'));
  });
  return `${blocks.join('\n\n')}\n`;
}

function jsonOf({ exhibit, panels, claims }: ExhibitState): string {
  const { id, paper, name, title, caption, scenario } = exhibit;
  const shown = {
    ...{ version, id, paper: paper.citation, name, title, caption, scenario },
    claims: claims.map(({ claim, value, verdict }) => {
      const { what, relation, printed, expected, reason, ask, x } = claim;
      const question = { ...ask, x };
      return { what, relation, printed, value, verdict, expected, reason, question };
    }),
    panels: panels.map((lines, index) => ({
      title: exhibit.panels[index]?.title,
      x: exhibit.panels[index]?.x.label,
      y: exhibit.panels[index]?.y.label,
      lines: lines.map(({ series, line, milliseconds }) => ({
        label: series.label,
        milliseconds,
        paperTook: series.paperTook,
        points: line.map(({ x, y }) => ({ x, ...y })),
      })),
    })),
  };
  return `${JSON.stringify(shown)}\n`;
}

const renderings: Record<Form, (state: ExhibitState) => string> = {
  text: textOf,
  json: jsonOf,
  csv: (state) => exhibitCsv([`${state.exhibit.id}, honest-epsilon ${version}`], state),
};

/** The verdicts of several exhibits, counted. */
function tally(states: readonly ExhibitState[]): string {
  const found = states.flatMap(({ claims }) => claims.map(({ verdict }) => verdict));
  const counts = verdicts.flatMap((verdict) => {
    const count = found.filter((one) => one === verdict).length;
    return count > 0 ? [`${verdictWords(verdict, {})}: ${count}`] : [];
  });
  const odd = states.flatMap(unexpected).length;
  const wrong = odd === 0 ? 'all as on record' : `${odd} not as on record`;
  return `${[...counts, wrong].join('; ')}\n`;
}

/** Prints as it goes; returns whether all verdicts were those on record. */
export async function runReproduce(
  engine: Engine,
  task: ReproduceTask,
  write: (text: string) => Promise<void>,
): Promise<boolean> {
  const chosen = task.exhibit ? [task.exhibit] : exhibits;
  const points = task.check ? 0 : (task.points ?? usual[task.form]);
  const states: ExhibitState[] = [];
  for (const exhibit of chosen) {
    const state = await reproduce(engine, exhibit, { points });
    if (states.length > 0 && task.form === 'text') await write('\n');
    states.push(state);
    await write(renderings[task.form](state));
  }
  if (task.form === 'text' && task.check) await write(`\n${tally(states)}`);
  return states.flatMap(unexpected).length === 0;
}

/** The exit code for a verdict that differs from the one on record. */
const checkFailed = 3;

export const reproducing: Command = {
  summary: 'Reproduce a figure or table of a paper.',
  usage: ['reproduce [<id>] [flags]'],
  example: `${ran} reproduce hp-fig4`,
  help: () => [
    columns([
      ['<id>', 'A figure or table (default: list them; with --check, check all).'],
      ['--check', 'Only the stated numbers; exit status 3 if a verdict has changed.'],
      ['--points <count>', 'At most this many points per line (default: all); 0 omits the lines.'],
      ['--json', 'Everything, with all digits.'],
      ['--csv', 'One row per point.'],
      ['--help', 'Print this text.'],
    ]),
    paragraph(`A stated number agrees if our interval confirms it: a bound (<=, >=) if our end on that
side proves it as printed; a rounded number if our interval overlaps the numbers that round to it and
is no wider than a unit of its last digit. A bound that holds can still be looser than ours; a number
that does not hold is wrong, or rounded the wrong way; if our interval is too wide to tell, ours is
looser. Where a verdict needs an explanation, it is below the number.`),
  ],
  async run(words) {
    const task = readTask(words);
    if (!task.exhibit && !task.check) return exhibitList();
    const asOnRecord = await withEngine((engine) => runReproduce(engine, task, write));
    if (task.check && !asOnRecord) process.exitCode = checkFailed;
    return '';
  },
};
