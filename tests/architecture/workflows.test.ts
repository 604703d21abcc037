import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.github/workflows');
const files = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));

describe.each(files)('workflow %s', (file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const lines = text.split('\n');

  test('takes each action at one commit, and says of which version', () => {
    const uses = lines.filter((line) => /^\s*(- )?uses:/.test(line));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses)
      expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('runs scripts that there are', () => {
    const matrix = /task: \[(.*)\]/.exec(text)?.[1]?.split(', ') ?? [];
    const tasks = [
      ...[...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name),
      ...matrix.map((task) => task.replaceAll("'", '').split(' ')[0] ?? ''),
    ];
    for (const task of tasks) expect(Object.keys(packageJson.scripts)).toContain(task);
    expect(tasks.length + Number(text.includes('run: npm test'))).toBeGreaterThan(0);
  });

  test('may do nothing but read, where a job does not say what else', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
  });
});
