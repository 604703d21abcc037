import { NotARun, plainValue } from './facts.js';
import type { Fact, Format, Reading, ValueRead } from './facts.js';
import { meaningNamed } from './fields.js';
import { plainText } from './plain.js';
import { prose } from './prose.js';

interface Cell {
  text: string;
  from: number;
  to: number;
}

/** The cells of a line between separators; quotes of CSV keep what is inside together. */
function cellsOf(line: string, from: number, separator: string): Cell[] {
  const cells: Cell[] = [];
  let [start, quoted] = [0, false];
  for (let at = 0; at <= line.length; ++at) {
    if (line[at] === '"') quoted = !quoted;
    const ends = at === line.length || (!quoted && line[at] === separator && line[at - 1] !== '\\');
    if (!ends) continue;
    const raw = line.slice(start, at);
    const bare = raw
      .replace(/\\multi(?:column|row)\{\d+\}\{[^{}]*\}\{(.*)\}/s, '$1')
      .replace(/^\s*"(.*)"\s*$/s, '$1')
      .replaceAll('""', '"')
      .replace(/^\s*(\*{1,2}|_{1,2}|`)(.*)\1\s*$/s, '$2');
    const text = plainText(bare).plain.trim();
    const lead = raw.length - raw.trimStart().length;
    const cell = { text, from: from + start + lead, to: from + start + raw.trimEnd().length };
    const spans = Number(/\\multicolumn\{(\d+)\}/.exec(raw)?.[1] ?? 1);
    cells.push(...Array.from({ length: Math.min(spans, 100) }, () => cell));
    start = at + 1;
  }
  return cells;
}

type Grid = readonly (readonly Cell[])[];

/** Under the header of a table in Markdown. */
const rule = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** Lines of a table in Markdown, LaTeX or with separators, and the text without them. */
function tableIn(text: string): { grid: Grid; kind: string; rest: string } | undefined {
  const lines = [...text.matchAll(/^.*$/gm)].map(({ 0: line, index }) => ({ line, from: index }));
  const some = (shape: RegExp) => lines.filter(({ line }) => shape.test(line));
  const make = (
    kind: string,
    rows: typeof lines,
    separator: string,
    innerOf = (line: string) => line,
  ) => {
    const taken = new Set(rows.map(({ from }) => from));
    const grid = rows
      .filter(({ line }) => !line.includes('|') || !rule.test(line))
      .map(({ line, from }) => {
        const inner = innerOf(line);
        return cellsOf(inner, from + line.indexOf(inner), separator);
      });
    const others = lines.map(({ line, from }) => (taken.has(from) ? blank(line) : line));
    return { grid, kind, rest: others.join('\n') };
  };
  const barred = some(/\|/);
  if (barred.some(({ line }) => rule.test(line)))
    return make('a Markdown table', barred, '|', (line) => line.trim().replace(/^\||\|$/g, ''));
  if (/(?<!\\)&/.test(text) && text.includes('\\\\')) {
    const table = make('a LaTeX table', some(/(?<!\\)&/), '&', (line) =>
      line
        .trim()
        .replace(/\s*\\\\.*$/, '')
        .replace(/^(\\\w+\s)+/, ''),
    );
    const commands = /^.*\\(begin|end|hline|toprule|midrule|bottomrule|centering).*$/gm;
    return { ...table, rest: table.rest.replace(commands, blank) };
  }
  const rows = some(/\S/);
  for (const separator of ['\t', ';', ',', '|']) {
    if (!rows[0] || cellsOf(rows[0].line, 0, separator).length < 2) continue;
    const table = make('a table', rows, separator);
    const [head = []] = table.grid;
    const isName = (cell: Cell | undefined) => meaningNamed(cell?.text ?? '') !== undefined;
    const bare = head.every(({ text: name }) => /^["\w#][^:=.]*$/.test(name) && !/^\d/.test(name));
    const listed = head.length >= 2 && table.grid.filter(([name]) => isName(name)).length > 1;
    if (
      table.grid.length > 1 &&
      table.grid.every(({ length }) => length === head.length) &&
      ((bare && head.some(isName)) || listed)
    )
      return table;
  }
  return undefined;
}

const blank = (line: string) => ' '.repeat(line.length);

/** A cell with the unit that its heading names; a unit that is none of ours makes it no number. */
function valueOf({ text }: Cell, heading: string): ValueRead {
  const unit = /[([]([^()[\]]*)[)\]]\s*$/.exec(heading)?.[1]?.trim() ?? '';
  if (unit === '%' || /%\s*$/.test(heading))
    return plainValue(text.includes('%') ? text : `${text}%`);
  if (unit.length > 3 || /^(k|M|G|s|h|min|ms|×.*|x.*|10.*)$/.test(unit))
    return { kind: 'formula', text: `${text} ${unit}` };
  return plainValue(text);
}

const factOf = (heading: Cell, cell: Cell): Fact => ({
  ...{
    path: [heading.text.replace(/\s*[([](%)[)\]]\s*$/, '')],
    value: valueOf(cell, heading.text),
  },
  ...{ from: cell.from, to: cell.to },
});

const recognises = (text: string): number => (tableIn(text) ? 0.92 : 0);

function read(text: string): Reading {
  const { grid, kind, rest } = tableIn(text) ?? { grid: [], kind: '', rest: text };
  const named = (cells: readonly (Cell | undefined)[]) =>
    cells.filter((cell) => cell && meaningNamed(cell.text)).length;
  const [header = []] = grid;
  // Runs are rows under a header of names, or columns beside a column of names.
  const across = named(header) >= named(grid.map(([cell]) => cell));
  const width = Math.max(0, ...grid.map(({ length }) => length));
  const none: Cell = { text: '', from: 0, to: 0 };
  const lines = across
    ? grid
    : Array.from({ length: width }, (_, at) => grid.map((row) => row[at] ?? none));
  const [names = [], ...records] = lines;
  const runs = records.map((cells) => ({
    words: cells
      .map(({ text: cell }) => cell)
      .filter(Boolean)
      .join(', '),
    facts: names.flatMap((name, at) => {
      const cell = cells[at];
      return cell && name.text !== '' ? [factOf(name, cell)] : [];
    }),
  }));
  const around = prose.read(rest);
  if (records.some(([first]) => /^units?$/i.test(first?.text ?? '')) && !across)
    throw new NotARun('The table has a column of units: write each number in full, without one.');
  const [only] = runs;
  return {
    ...around,
    source: kind,
    ...(runs.length === 1 && only ? { facts: [...only.facts, ...around.facts] } : { runs }),
  };
}

export const table: Format = { recognises, read };
