import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sources } from '../../.scripts/format.mjs';
import { suites } from '../../.scripts/suites.mjs';

const textOf = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const manifest = JSON.parse(textOf('package.json')) as {
  version: string;
  license: string;
  scripts: Record<string, string>;
};

describe('habits: what documents say of the repository', () => {
  it('cites the version and licence of the package', () => {
    const citation = textOf('CITATION.cff');
    expect(/^version: (.*)$/m.exec(citation)?.[1]).toBe(manifest.version);
    expect(/^license: (.*)$/m.exec(citation)?.[1]).toBe(manifest.license);
  });

  it.each(['CONTRIBUTING.md', 'README.md', 'tests/README.md'])(
    'names in %s only suites and scripts that exist',
    (path) => {
      const text = textOf(path).replace(/\s+/g, ' ');
      for (const [, script = ''] of text.matchAll(/`npm run ([\w:]+)/g)) {
        expect(Object.keys(manifest.scripts), script).toContain(script);
      }
      for (const [, quoted, plain] of text.matchAll(/`npm test -- (?:"([^"`]+)"|([^"`]+))`/g)) {
        for (const word of quoted === undefined ? (plain ?? '').split(' ') : [quoted]) {
          const names = suites.map(({ name }) => name);
          expect(
            names.some((name) => name.includes(word)),
            word,
          ).toBe(true);
        }
      }
    },
  );

  it('says nowhere what would hold if a conjecture did', async () => {
    const ifItHeld =
      /\bif (?:the |a |this )?conjectur|\bif\s+Conjecture\s+3\.2|\bconjectured (?:value|interval)|need the conjecture/i;
    const files = await sources('core', 'wasm', 'web', 'README.md', 'tests/fuzz');
    const texts = files.filter((path) => /\.(?:cc|h|ts|html|md|json|css)$/.test(path));
    expect(texts.length).toBeGreaterThan(300);
    expect(texts.filter((path) => existsSync(path) && ifItHeld.test(textOf(path)))).toEqual([]);
  });

  it.each(['CONTRIBUTING.md', 'README.md', 'tests/README.md', 'core/README.md'])(
    'names in %s only files that exist',
    (path) => {
      const files =
        /`((?:core|wasm|web|tests|\.scripts|\.config|e2e|fuzz|architecture)\/[\w./-]+\.\w+)`/g;
      const there = (file: string) =>
        existsSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)));
      const named = [...textOf(path).matchAll(files)].map(([, file = '']) => file);
      const made = /^core\/samplers\/your_|^tests\/core\/samplers\/your_|^web\/src\/panels\/your-/;
      const missing = named.filter(
        (file) =>
          !made.test(file) &&
          !there(file) &&
          !(path.startsWith('tests/') && there(`tests/${file}`)),
      );
      expect(missing).toEqual([]);
    },
  );
});
