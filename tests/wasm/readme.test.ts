import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { firstAnswers, ladderSvg } from '../../.config/pictures.js';
import { createEngine } from '../../dist/node/index.js';
import { exhibits } from '../../wasm/papers/list.js';
import { runCommand } from './run-command.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (path: string) => readFile(join(root, path), 'utf8');
const commandWord = 'node dist/node/honest-epsilon.js';

describe('README: what it says', () => {
  test('the picture is of this version; vitest --update draws it again', async () => {
    const engine = await createEngine();
    try {
      const answers = await firstAnswers(engine);
      for (const light of ['light', 'dark'] as const)
        await expect(ladderSvg(answers, light)).toMatchFileSnapshot(
          join(root, `web/docs/ladder-${light}.svg`),
        );
    } finally {
      engine.close();
    }
  });

  test('it counts the numbers of papers as they are', async () => {
    const papers = exhibits.filter(({ paper }) => paper.citation !== 'HE26');
    const claims = papers.flatMap((exhibit) => exhibit.claims);
    const wrong = claims.filter(({ expected }) => expected === 'paper-wrong');
    const said = /(\d+) numbers of four papers .*?, (\d+) of which it finds wrong/.exec(
      await textOf('README.md'),
    );
    expect(said?.slice(1)).toEqual([claims.length, wrong.length].map(String));
  });

  test.each([
    ['README.md', 150],
    ['CONTRIBUTING.md', 200],
  ])('%s has at most %i lines', async (path, most) => {
    expect((await textOf(path)).split('\n').length - 1).toBeLessThanOrEqual(most);
  });

  test.each(['README.md', 'web/docs/command.md', 'web/docs/methods.md', 'web/docs/embedding.md'])(
    'every file that %s links to is there',
    async (path) => {
      const links = [...(await textOf(path)).matchAll(/(?:\]\(|\]: |src="|srcset=")([\w./-]+)/g)];
      const files = links
        .map(([, to = '']) => to)
        .filter((to) => !/^(\.\/$|https$|embed\.html)/.test(to));
      expect(files.length).toBeGreaterThan(0);
      const missing = files.filter((to) => !existsSync(join(root, dirname(path), to)));
      expect(missing.filter((to) => !to.endsWith('honest-epsilon.js'))).toEqual([]);
    },
  );
});

describe('README: the commands that documents show', () => {
  let commands: string[];
  let folder: string;

  beforeAll(async () => {
    const texts = await Promise.all(['README.md', 'web/docs/command.md'].map(textOf));
    const blocks = texts.flatMap((text) => [...text.matchAll(/```sh\n([\s\S]*?)```/g)]);
    const lines = blocks.flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, '').split('\n'));
    commands = lines.flatMap((line) => {
      const [said = ''] = line.split(' #');
      return said.startsWith(commandWord) ? [said.slice(commandWord.length + 1).trim()] : [];
    });
    folder = await mkdtemp(join(tmpdir(), 'readme-'));
    const [, query = ''] = /```json\n([\s\S]*?)```/.exec(texts[1] ?? '') ?? [];
    await writeFile(join(folder, 'run.json'), query);
    const line = JSON.stringify({ ...(JSON.parse(query) as object), delta: 1e-6 });
    await writeFile(join(folder, 'scores.csv'), '2,1\n3,1\n1,1\n0,0\n1,0\n0.5,0\n');
    await writeFile(join(folder, 'queries.jsonl'), `${line}\n`);
    await writeFile(join(folder, 'train.py'), 'noise_multiplier = 1.1\nbatch_size = 256\n');
  });

  test('all run', async () => {
    expect(commands.length).toBeGreaterThan(20);
    // What is checked at length elsewhere.
    const quick = commands.filter((said) => !said.startsWith('reproduce --check'));
    for (const said of quick) {
      const [line = '', to] = said.split(' > ');
      const [words = '', from] = line.split(' < ');
      const input = from === undefined ? '' : await readFile(join(folder, from), 'utf8');
      const { code, out, err } = await runCommand(words.split(/\s+/), input, folder);
      expect({ said, code, err }).toEqual({ said, code: 0, err: '' });
      expect(out).not.toBe('');
      expect(out).not.toContain('would have cost more');
      if (to !== undefined) await writeFile(join(folder, to), out);
    }
  }, 300_000);
});
