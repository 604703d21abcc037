// Native and WebAssembly builds differ in their libraries' exp, log, sin and cos by a unit or so in
// the last place. Both charge such errors, so both intervals contain the truth t: each lower end is
// at most t and each upper end at least t, and two builds' ends differ by no more than the wider of
// their intervals. Where both built the same grid, only rounding is left between them; where none
// was built, rounding is also what much of a line's width consists of.

import { execute } from './shell.mjs';

/** Relative difference of ends that came from grids of the same size; ends below it are rounding. */
const sameGrid = 1e-9;
/**
 * Where lines give the answer, or the curve that a grid's laws are made of, a rounding may move their
 * places, and ends by this much of the width.
 */
const sameLine = 1e-3;
const negligible = 1e-15;

/**
 * @typedef {{name: string, grid: number, lower: number, upper: number}} Ends
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<Ends[]>}
 */
async function ends(program, ...args) {
  const { code, output } = await execute(program, args);
  if (code !== 0) throw new Error(output);
  return output
    .trim()
    .split('\n')
    .map((line) => {
      const cells = line.split('\t');
      const [grid = NaN, lower = NaN, upper = NaN] = cells
        .slice(-3)
        .map((text) => Number(text.replace('inf', 'Infinity')));
      return { name: cells.slice(0, -3).join(' '), grid, lower, upper };
    });
}

/** @type {(a: number, b: number) => number} */
const distance = (a, b) => (a === b ? 0 : Math.abs(a - b));

/**
 * @param {Ends} native
 * @param {Ends | undefined} wasm
 */
function complaint(native, wasm) {
  if (native.name !== wasm?.name) return `asked ${native.name} and ${wasm?.name ?? 'nothing'}`;
  const width = Math.max(native.upper - native.lower, wasm.upper - wasm.lower);
  for (const end of /** @type {const} */ (['lower', 'upper'])) {
    const apart = distance(native[end], wasm[end]);
    const told = `${native.name}, ${end}: ${native[end]} natively, ${wasm[end]} as wasm`;
    if (!(apart <= width)) return `${told}: further apart than the wider interval`;
    const allowed = sameGrid * Math.abs(native[end]) + sameLine * width + negligible;
    if (native.grid === wasm.grid && !(apart <= allowed)) return `${told}: on the same grid`;
  }
  return undefined;
}

export async function agreement() {
  const [native, wasm] = await Promise.all([
    ends('build/native/tests/core_ends'),
    ends(process.execPath, 'build/wasm/tests/core_ends.cjs'),
  ]);
  const complaints = native.map((one, i) => complaint(one, wasm[i])).filter(Boolean);
  const ok = native.length > 100 && native.length === wasm.length && complaints.length === 0;
  return {
    ok,
    output: [`${native.length} and ${wasm.length} intervals`, ...complaints].join('\n'),
    counts: { sides: 2 * native.length },
  };
}
