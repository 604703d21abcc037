// @ts-nocheck: untyped, as nothing passes or fails by it.
// The benchmark: `npm run bench` runs every section below, `npm run bench -- growth peers` some of
// them, `npm run bench -- against main~20 epsilon` sets this tree's core against another commit's.
// With --record the tables go to tests/bench/RESULTS.md, too.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { against } from './bench/against.mjs';
import { answers, growth, sampling } from './bench/core.mjs';
import { peers, pooled, scaling } from './bench/engine.mjs';
import { page } from './bench/page.mjs';
import { widths } from './bench/widths.mjs';
import { StepError, must, root } from './shell.mjs';

/** THE list: what can be timed. Each resolves with paragraphs and tables. */
const sections = {
  answers: { title: 'Answers', run: answers },
  growth: { title: 'Growth with the number of steps', run: growth },
  peers: { title: 'Beside other programs', run: peers },
  workers: { title: 'A comparison over the workers', run: pooled },
  'monte-carlo': {
    title: 'Monte Carlo',
    run: async () => [...(await sampling()), ...(await scaling())],
  },
  widths: { title: 'Widths over realistic runs', run: widths },
  page: { title: 'The page', run: page },
};

/** Rows of cells, the first one the heads; numbers to the right. */
function table(rows) {
  const widths = rows[0].map((_, i) => Math.max(3, ...rows.map((row) => row[i].length)));
  const right = rows[0].map((_, i) =>
    rows.slice(1).every((row) => /^[\d.,^–-]*( ms| s)?$/.test(row[i])),
  );
  const line = (row) =>
    `| ${row.map((cell, i) => (right[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (right[i] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`;
  return [line(rows[0]), rule, ...rows.slice(1).map(line)].join('\n');
}

const written = (part) => (typeof part === 'string' ? part : table(part));

const file = join(root, 'tests/bench/RESULTS.md');
const opening =
  '# Results of the benchmark\n\nEach section was made by the command it names, on the machine and day it names.\n';

/** Puts a section in the place of the one with the same title. */
function record(title, text) {
  const old = existsSync(file) ? readFileSync(file, 'utf8') : opening;
  const [head, ...kept] = old.split(/^(?=## )/m);
  const at = kept.findIndex((section) => section.startsWith(`## ${title}\n`));
  const section = `## ${title}\n\n${text}\n\n`;
  if (at < 0) kept.push(section);
  else kept[at] = section;
  writeFileSync(file, `${`${head.trimEnd()}\n\n${kept.join('')}`.trimEnd()}\n`);
}

async function circumstances(words) {
  const commit = (await must('git', ['describe', '--always', '--dirty'])).trim();
  const processor = cpus()[0]?.model ?? 'an unknown processor';
  return (
    `\`npm run bench -- ${words.join(' ')}\`, ${new Date().toISOString().slice(0, 10)}, commit ${commit}, ` +
    `${availableParallelism()} cores of ${processor}, Node ${process.versions.node}.`
  );
}

async function one(title, words, recorded, run) {
  console.log(`## ${title}\n`);
  const parts = (await run()).map(written);
  console.log(`${parts.join('\n\n')}\n`);
  if (recorded) record(title, [await circumstances(words), ...parts].join('\n\n'));
}

export async function bench(words) {
  const recorded = words.includes('--record');
  const asked = words.filter((word) => word !== '--record');
  if (asked[0] === 'against') {
    const [, commit, only] = asked;
    if (!commit)
      throw new StepError('against what? name a commit: npm run bench -- against main~20');
    await one(`Against ${commit}`, asked, recorded, () => against(commit, only));
    return true;
  }
  const unknown = asked.find((word) => !Object.hasOwn(sections, word));
  if (unknown) {
    throw new StepError(
      `there is no section "${unknown}"; there are ${Object.keys(sections).join(', ')}, and against COMMIT`,
    );
  }
  for (const name of asked.length > 0 ? asked : Object.keys(sections)) {
    const { title, run } = sections[name];
    await one(title, [name], recorded, run);
  }
  return true;
}
