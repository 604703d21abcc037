// The entry of every npm script. It and what it imports at the top use nothing but Node itself, since
// a fresh clone has nothing else.

import { StepError } from './shell.mjs';
import { prepare, prepareModules } from './setup.mjs';

const say = (/** @type {string} */ text) => console.log(text);

async function build() {
  await prepare('build');
  const { buildAll } = await import('./build.mjs');
  await buildAll(say);
  say(
    'built dist/web (the page), dist/standalone.html (the page as one file), dist/browser (the ' +
      'element) and dist/node (the command: node dist/node/honest-epsilon.js --help)',
  );
  return true;
}

/** @type {Record<string, () => Promise<boolean>>} */
const tasks = {
  build,
  async start() {
    await build();
    const { serve } = await import('./serve.mjs');
    return serve(process.argv.slice(3));
  },
  async test() {
    await prepare('test');
    const { testNamed } = await import('./test.mjs');
    return testNamed(process.argv.slice(3));
  },
  async 'test:full'() {
    await prepare('test');
    const { everything, testAll } = await import('./test.mjs');
    // Tests under load run in full, too.
    process.env.HONEST_EPSILON_LONG = '1';
    return testAll(everything);
  },
  async fuzz() {
    await prepare('fuzz');
    const { fuzzAll } = await import('./fuzz.mjs');
    return fuzzAll(process.argv[3]);
  },
  async mutate() {
    await prepare('test');
    const [room = '', ...words] = process.argv.slice(3);
    const { mutateRoom, mutatedRooms } = await import('./mutation.mjs');
    const [count = 'Infinity', seed = '1'] = words;
    if (mutatedRooms.includes(room)) return mutateRoom(room, Number(count), Number(seed));
    const { steps } = await import('./build.mjs');
    await steps.node();
    const { mutateScripts, scriptRooms } = await import('./stryker.mjs');
    if (room in scriptRooms) return mutateScripts(room, words);
    const { mutateAll } = await import('./mutate.mjs');
    return mutateAll(process.argv.slice(3));
  },
  async lint() {
    await prepare('lint');
    const { steps } = await import('./build.mjs');
    await steps.database();
    const { tidy } = await import('./tidy.mjs');
    const { ok, output } = await tidy();
    say(ok ? 'the core is clean' : output);
    return ok;
  },
  async reproducible() {
    await prepare('build');
    const { reproducible } = await import('./reproducible.mjs');
    return reproducible();
  },
  async bench() {
    await prepare('bench');
    const { bench } = await import('./bench.mjs');
    return bench(process.argv.slice(3));
  },
  async format() {
    await prepareModules();
    const { formatAll } = await import('./format.mjs');
    await formatAll();
    return true;
  },
};

const task = tasks[process.argv[2] ?? ''];
if (!task) {
  console.error(`usage: node .scripts/run.mjs ${Object.keys(tasks).join('|')}`);
  process.exit(2);
}
try {
  process.exitCode = (await task()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof StepError ? error.message : error);
  process.exitCode = 1;
}
