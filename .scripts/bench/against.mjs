// @ts-nocheck: untyped, as nothing passes or fails by it.
// This tree's core against another commit's: the rows that both have, by turns, so that a busy moment meets both.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { steps } from '../build.mjs';
import { must, root } from '../shell.mjs';
import { rows } from './core.mjs';
import { median, ms } from './numbers.mjs';

const rounds = 3;

/** The other commit's two programs: of its own benchmark, which speaks its core's names. */
async function other(commit) {
  const folder = join(root, 'build/against');
  await must('git', ['worktree', 'prune']);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const source = join(folder, 'source');
  await must('git', ['worktree', 'add', '--detach', '--force', source, commit]);
  for (const preset of ['native', 'wasm']) {
    const build = join(folder, preset);
    await must('cmake', ['-S', source, '-B', build, '--preset', preset]);
    await must('cmake', ['--build', build, '--target', 'core_bench']);
  }
  await must('git', ['worktree', 'remove', '--force', source]);
  return {
    native: [join(folder, 'native/tests/core_bench')],
    wasm: [process.execPath, join(folder, 'wasm/tests/core_bench.cjs')],
  };
}

const key = ({ question, sampler, sigma, T }) => [question, sampler, sigma, T].join('\t');

async function timed(programs, only) {
  const times = programs.map(() => new Map());
  for (let round = 0; round < rounds; ++round) {
    for (const [i, program] of programs.entries()) {
      for (const row of await rows(...program, 'answers', only)) {
        times[i].set(key(row), [...(times[i].get(key(row)) ?? []), Number(row.median)]);
      }
    }
  }
  return times.map((map) => new Map([...map].map(([name, list]) => [name, median(list)])));
}

/** Of the questions and samplers whose names hold `only`. */
export async function against(commit, only = '') {
  await steps.nativeBench();
  await steps.wasmBench();
  const others = await other(commit);
  const ours = {
    native: [join(root, 'build/native/tests/core_bench')],
    wasm: [process.execPath, join(root, 'build/wasm/tests/core_bench.cjs')],
  };
  const measured = {};
  for (const build of ['native', 'wasm']) {
    measured[build] = await timed([others[build], ours[build]], only);
  }
  const cells = (build, name) => {
    const [before, after] = measured[build].map((times) => times.get(name));
    return [ms(before), ms(after), (before / after).toFixed(2)];
  };
  const names = [...measured.native[1].keys()].filter((name) => measured.native[0].has(name));
  return [
    `Milliseconds of ${commit} (before) and of this tree (after), medians of ${rounds} runs by turns, and ` +
      'how many times as fast it became.',
    [
      ...[
        [
          'question',
          'sampler',
          'σ',
          'T',
          'native before',
          'after',
          'times',
          'wasm before',
          'after',
          'times',
        ],
      ],
      ...names.map((name) => [
        ...name.split('\t'),
        ...cells('native', name),
        ...cells('wasm', name),
      ]),
    ],
  ];
}
