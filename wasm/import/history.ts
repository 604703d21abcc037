import { NotARun, placed, type Format, type Reading, type HistoryRow } from './facts.js';
import { python } from './python.js';

const item = String.raw`(?:[^,[\](){}]|\([\d.e+-]*\))*`;
/** Under the name that accountants save it by, or alone. */
const begins = new RegExp(
  String.raw`(?:history['"]?\]?\s*[:=,]\s*|^\s*(?:[\w.]*(?:hist|steps|ledger)\w*\s*=\s*)?(?=[[(]\s*[[(]${item},${item},${item},?\s*[\])]))([[(])(?=\s*(?:[[(]|[\])]))`,
);
const digits = String.raw`([-+]?[\d._]+(?:[eE][-+]?\d+)?(?:\s*/\s*[\d._]+)?)`;
/** A number, alone or as libraries wrap it: np.float64(0.01). */
const number = String.raw`\s*(?:[A-Za-z_][\w.]*\(\s*${digits}\s*\)|${digits})\s*`;
const row = new RegExp(
  `\\s*[[(]${number},${number},${number},?\\s*[\\])]\\s*(?:,|(?=[\\])]))`,
  'y',
);

const end = /\s*[\])]/y;

const numberIn = (text = 'none'): number => {
  const plain = Number(text);
  if (!Number.isNaN(plain)) return plain;
  const [top = NaN, bottom = 1] = text.replaceAll('_', '').split('/').map(Number);
  return top / bottom;
};

/** The rows at the place where a history begins, and the place after it. */
function rowsAt(text: string, start: number): { rows: HistoryRow[]; to: number } {
  const rows: [number, number, number][] = [];
  let [spelt, sigma, q, steps] = ['', NaN, NaN, NaN];
  row.lastIndex = start + 1;
  for (let count = 1; ; ++count) {
    const at = row.lastIndex;
    const found = row.exec(text);
    end.lastIndex = at;
    if (!found && end.test(text)) return { rows, to: end.lastIndex };
    // A row that is spelt like the one before is not parsed again.
    if (found?.[0] !== spelt) {
      spelt = found?.[0] ?? '';
      sigma = numberIn(found?.[1] ?? found?.[2]);
      q = numberIn(found?.[3] ?? found?.[4]);
      steps = numberIn(found?.[5] ?? found?.[6]);
    }
    if (!(sigma >= 0 && q >= 0 && steps >= 0) || !Number.isInteger(steps) || sigma + q === Infinity)
      throw new NotARun(
        `Entry ${count} of the history must be three numbers: noise multiplier, sample rate and a whole number of steps.`,
      );
    // Equal steps one after the other are one row.
    const last = rows.at(-1);
    if (last?.[0] === sigma && last[1] === q) last[2] += steps;
    else rows.push([sigma, q, steps]);
  }
}

const recognises = (text: string): number => (begins.test(text) ? 1 : 0);

function read(text: string): Reading {
  const source = 'the history of an Opacus accountant';
  const found = begins.exec(text);
  if (!found) return { source, facts: [] };
  const from = found.index + found[0].length - 1;
  const { rows, to } = rowsAt(text, from);
  const after = text.slice(to);
  if (/^\s*[*+]/.test(after) || /\b(?:append|extend)\(\s*[[(]/.test(after) || begins.test(after))
    throw new NotARun(
      'The text adds to the history or has another one: keep one whole list of its entries.',
    );
  if (rows.length === 0) throw new NotARun('The history is empty: no step was taken.');
  // What stands around it, delta say, is read as if it had no rows.
  const rest = `${text.slice(0, from)}[]${text.slice(to)}`;
  if (rest.length > 200_000)
    throw new NotARun('Beside its history the text is too long: keep the history.');
  const around = python.read(rest);
  const facts = around.facts.filter(
    ({ path, value }) =>
      path.at(-1) !== 'history' && !(value.kind === 'list' && value.items.length === 0),
  );
  const reading = placed({ source, facts }, (at) => (at > from ? at + to - from - 2 : at));
  return { ...reading, history: { rows, from, to } };
}

export const history: Format = { recognises, read };
