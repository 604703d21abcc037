import { describe, expect, test } from 'vitest';
import { monteCarloQueryFields, phaseFields, queryFields } from '../../wasm/generated/schema.js';
import { kebab } from '../../wasm/words/kebab.js';
import { columns, shellLines } from '../../wasm/command/layout.js';
import { inLines } from '../../wasm/words/layout.js';
import { root, runCommand } from './run-command.js';

const run = async (...words: string[]) => (await runCommand(words, '', root)).out;
const commandsIn = (help: string) =>
  [...help.matchAll(/^ {2}([a-z][a-z-]+) {2,}\S/gm)].map(([, name = '']) => name);

describe('help', () => {
  test('no line of any help is wider than a terminal', async () => {
    const overall = await run('--help');
    const names = commandsIn(overall);
    expect(names.length).toBeGreaterThan(14);
    const helps = await Promise.all(names.map(async (name) => run(name, '--help')));
    for (const [index, help] of [...helps, overall].entries()) {
      const wide = help.split('\n').filter((line) => line.length > 80);
      expect(wide, names[index] ?? 'overall').toEqual([]);
      expect(help, names[index]).not.toMatch(/when left out/);
    }
  });

  test('every choice and every number that may be left out has its default', async () => {
    const epsilon = (await run('epsilon', '--help')).replaceAll(/\s+/g, ' ');
    const calibrate = (await run('calibrate', '--help')).replaceAll(/\s+/g, ' ');
    for (const { name, choices } of [...phaseFields, ...queryFields]) {
      if (['sampler', 'question', 'solveFor'].includes(name) || choices.length === 0) continue;
      const help = name.startsWith('target') ? calibrate : epsilon;
      expect(help, name).toContain(`${choices.join(' | ')} (default: ${choices[0] ?? ''})`);
    }
    const monteCarlo = (await run('monte-carlo', '--help')).replaceAll(/\s+/g, ' ');
    for (const name of ['samples', 'seed', 'confidence', 'workers'])
      expect(monteCarlo).toMatch(new RegExp(`--${name} <\\w+> [^<]*\\(default: `));
    expect(monteCarloQueryFields.map(({ name }) => `--${kebab(name)}`)).toContain('--samples');
  });

  test('the defaults that it names are those of the core', async () => {
    const asked = '--sampler poisson --noise-multiplier 1 --dataset-size 10000 --batch-size 100';
    const words = ['epsilon', ...asked.split(' '), '--delta', '1e-5', '--json'];
    const defaults = [
      ...[...phaseFields, ...queryFields].flatMap(({ name, choices: [first] }) =>
        ['sampler', 'question', 'solveFor', 'target'].includes(name) || first === undefined
          ? []
          : [`--${kebab(name)}`, first],
      ),
      ...['--epochs', '1', '--devices', '1', '--accumulation-steps', '1', '--width', '1e-4'],
      ...['--records-per-user', '1', '--bands', '1', '--sampling-workers', '1'],
    ];
    const ends = async (more: string[]) => {
      const { epsilon, directions } = JSON.parse(await run(...words, ...more)) as {
        epsilon: unknown;
        directions: unknown;
      };
      return { epsilon, directions };
    };
    expect(await ends(defaults)).toEqual(await ends([]));
  });
});

test('an answer comes first, then after blank lines assumptions and warnings, without codes', async () => {
  const run1 = '--sampler shuffle --noise-multiplier 1 --dataset-size 60000 --batch-size 256';
  const out = await run('epsilon', ...run1.split(' '), '--delta', '1e-5');
  const [answer = '', assumes = '', warnings = '', ...rest] = out.split('\n\n');
  expect(rest).toEqual([]);
  expect(answer).toMatch(/^ε ≤ \d/);
  expect(assumes).toMatch(/^Assumes\n {2}- /);
  expect(warnings).toMatch(/^Warnings\n {2}- .*60,000,/);
  expect(out).not.toMatch(/\((batch-does-not-divide|poisson-meant|shuffle-gap)\)/);
  const json = await run('epsilon', ...run1.split(' '), '--delta', '1e-5', '--json');
  expect(json).toContain('"code":"poisson-meant"');
});

describe('layout', () => {
  test('lines break between words at 80 columns, further ones indented', () => {
    const text = Array.from({ length: 40 }, (_, at) => 'word'.slice(0, 1 + (at % 4))).join(' ');
    const lines = inLines(text, 4).split('\n');
    expect(lines.length).toBe(2);
    expect(lines[0]?.length).toBeLessThanOrEqual(76);
    expect(lines[1]).toMatch(/^ {4}\S/);
    expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toBe(text);
    expect(inLines('a', 30)).toBe('a');
    expect(inLines('x'.repeat(99), 4)).toBe('x'.repeat(99));
  });

  test('a long name has a line of its own, and a command breaks where the shell joins it', () => {
    expect(
      columns([
        ['a', 'first'],
        ['b'.repeat(30), 'second'],
      ]),
    ).toBe(`  a                         first\n  ${'b'.repeat(30)}\n${' '.repeat(28)}second`);
    const command = `run ${'--flag value '.repeat(9)}'one word of many'`;
    const lines = shellLines(command);
    expect(lines.split('\n').every((line) => line.length <= 78)).toBe(true);
    expect(lines.replaceAll(/ \\\n +/g, ' ')).toBe(command);
  });
});
