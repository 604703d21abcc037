// The long run of the fuzzers: questions by the thousand, natively and as WebAssembly, libFuzzer on
// the core with sanitizers, then the properties of the engine, the command and the page.
// `npm run fuzz -- 30` takes about 30 minutes; the usual is 10.

import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { steps } from './build.mjs';
import { execute, local, root } from './shell.mjs';

/** Shares of the time: what is cheap to run needs less of it. */
const targets = { answer: 0.35, corners: 0.1, engines: 0.1, laws: 0.25, tally: 0.05 };
const propertyShare = 0.15;

/** Questions without sanitizers; each kind takes a tenth of the time or so, in either build. */
const questionsPerMinute = { answer: 20_000, corners: 200, engines: 200 };
const questionBuilds = {
  native: [join(root, 'build/native/tests/core_many')],
  wasm: [process.execPath, join(root, 'build/wasm/tests/core_many.cjs')],
};

/** Runs of the properties in a minute are some fifty times their usual number. */
const roundsPerMinute = 30;

/**
 * @param {string} target
 * @param {number} minutes
 */
async function fuzzCore(target, minutes) {
  const folder = join(root, 'build/fuzz', target);
  const found = join(root, 'build/fuzz/found');
  for (const path of [folder, found]) mkdirSync(path, { recursive: true });
  const { code, output } = await execute(
    join(root, `build/fuzz/tests/fuzz_${target}`),
    [
      ...['-max_len=400', '-timeout=300', '-rss_limit_mb=4000', '-print_final_stats=1'],
      `-max_total_time=${Math.ceil(minutes * 60)}`,
      `-artifact_prefix=${join(found, `${target}-`)}`,
      ...[folder, join(root, 'tests/fuzz/corpus', target)],
    ],
    { minutes: minutes + 30 },
  );
  const runs = Number(/stat::number_of_executed_units:\s*(\d+)/.exec(output)?.[1] ?? 0);
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'}  ${target}: ${runs.toLocaleString('en')} runs`);
  if (code !== 0) console.log(output.split('\n').slice(-60).join('\n'));
  return { ok: code === 0 && runs > 0, runs };
}

export async function fuzzAll(time = '10') {
  const minutes = Number(time);
  if (!(minutes > 0))
    throw new Error(`the time must be a number of minutes above 0; got "${time}"`);
  await steps.fuzzers();
  await steps.manyQuestions();
  await steps.manyAsWasm();
  await steps.engine();
  let ok = true;
  let runs = 0;
  for (const [build, [program = '', ...words]] of Object.entries(questionBuilds)) {
    for (const [target, perMinute] of Object.entries(questionsPerMinute)) {
      const many = await execute(
        program,
        [...words, target, String(Math.round(minutes * perMinute)), String(Date.now())],
        { minutes: minutes + 30 },
      );
      console.log(`${target}, ${build}: ${many.output.trim()}`);
      ok &&= many.code === 0;
    }
  }
  for (const [target, share] of Object.entries(targets)) {
    const result = await fuzzCore(target, minutes * share);
    ok &&= result.ok;
    runs += result.runs;
  }
  const rounds = Math.max(1, Math.round(minutes * propertyShare * roundsPerMinute));
  const properties = await execute(
    local('vitest'),
    [
      ...['run', '--config', '.config/vitest.config.ts', '--testTimeout=0'],
      ...['tests/wasm/fuzz.test.ts', 'tests/web/fuzz.test.ts'],
    ],
    { show: true, minutes: 60 + 10 * minutes, env: { HONEST_EPSILON_ROUNDS: String(rounds) } },
  );
  const found = readdirSync(join(root, 'build/fuzz/found'));
  if (found.length > 0) console.log(`inputs that drew a complaint: ${found.join(' ')}`);
  console.log(`${runs.toLocaleString('en')} runs of the core's fuzzers`);
  return ok && properties.code === 0;
}
