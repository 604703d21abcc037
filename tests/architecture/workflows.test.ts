import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { suites } from '../../.scripts/suites.mjs';
import packageJson from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.github/workflows');
const files = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');

/** A workflow's jobs: each name, and the lines that are indented below it. */
function jobsOf(text: string): [name: string, body: string][] {
  const [, jobs = ''] = text.split(/^jobs:\n/m);
  return jobs
    .split(/^(?= {2}[\w-]+:$)/m)
    .map((job): [string, string] => [/^ {2}([\w-]+):/.exec(job)?.[1] ?? '', job])
    .filter(([name]) => name !== '');
}

/** What a shell is given: the rest of the line, or the lines that are indented more. */
const commandsOf = (text: string) =>
  [...text.matchAll(/^( *)(?:- )?run: (?:\|\n((?:\1 {2,}.*\n)+)|(.*)$)/gm)].map(
    ([, , block, line]) => (block ?? line ?? '').trim(),
  );

/** The words of a command, without the quotes around them. */
const wordsOf = (command: string) =>
  [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');

test('there are workflows that test, that test at night, and that release', () => {
  expect(files.sort()).toEqual(['ci.yml', 'nightly.yml', 'release.yml']);
  for (const file of files) expect(jobsOf(textOf(file)).length, file).toBeGreaterThan(0);
});

describe.each(files)('workflow %s', (file) => {
  const text = textOf(file);
  const jobs = jobsOf(text);
  const lines = text.split('\n');

  test('takes each action at one commit, the same everywhere, and says of which version', () => {
    const uses = lines.filter((line) => /^\s*(- )?uses:/.test(line));
    expect(uses.length).toBeGreaterThan(0);
    const everywhere = files.map(textOf).join('\n');
    for (const line of uses) {
      expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
      const [, action = '', at = ''] = /uses: (\S+)@(.*)$/.exec(line) ?? [];
      const others = [...everywhere.matchAll(new RegExp(`uses: ${action}@(.*)$`, 'gm'))];
      for (const [, other] of others) expect(other).toBe(at);
    }
  });

  test('runs scripts, suites and files that there are', () => {
    const commands = commandsOf(text);
    expect(commands.length).toBeGreaterThan(0);
    const matrix = /task: \[(.*)\]/.exec(text)?.[1]?.split(', ') ?? [];
    const tasks = [
      ...[...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name),
      ...matrix.map((task) => task.replaceAll("'", '').split(' ')[0] ?? ''),
    ];
    for (const task of tasks) expect(Object.keys(packageJson.scripts)).toContain(task);
    for (const command of commands) {
      const words = wordsOf(command);
      if (command.startsWith('npm test -- ')) {
        for (const word of words.slice(3))
          expect(
            suites.some(({ name }) => name.includes(word)),
            word,
          ).toBe(true);
      }
      // What the package brings is found where it was installed.
      const script = words[0] === 'node' ? words[1] : undefined;
      if (script && !script.startsWith('build/')) expect(existsSync(join(root, script))).toBe(true);
    }
  });

  test('may do nothing but read, where a job does not say what else, and ends', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
    expect(text).not.toContain('pull_request_target');
    for (const [name, job] of jobs) expect(job, name).toMatch(/^ {4}timeout-minutes: \d+$/m);
  });

  test('publishes nothing, and knows no secret, but for a tag and after what was tested', () => {
    for (const [name, job] of jobs) {
      if (!/: write\b|secrets\./.test(job)) continue;
      expect(job, name).toMatch(/^ {4}if: github\.ref_type == 'tag'$/m);
      const needs = /^ {4}needs: ([\w-]+)$/m.exec(job)?.[1];
      expect(commandsOf(jobs.find(([other]) => other === needs)?.[1] ?? '')).toContain('npm test');
    }
  });

  test('puts nothing into a shell that a stranger could have written', () => {
    for (const command of commandsOf(text))
      for (const [, what = ''] of command.matchAll(/\$\{\{ *(.*?) *\}\}/g))
        expect(what, command).toMatch(/^matrix\.\w+$/);
  });
});

test('the least version of Node that the package asks for is tested, on every system', () => {
  const least = /^>=(\d+)/.exec(packageJson.engines.node)?.[1];
  const matrices = [...textOf('ci.yml').matchAll(/^ +node: \[(.*)\]$/gm)].map(([, list]) => list);
  expect(matrices.length).toBeGreaterThan(1);
  for (const list of matrices) expect(list?.split(', ')).toContain(least);
  expect(textOf('ci.yml')).toMatch(/system: \[ubuntu.*, macos.*, windows.*\]/);
});
