import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { commandPath } from '../../../wasm/words/command-name.js';
import { buildReport, formats } from '../../../wasm/report/index.js';
import { snippetsOf } from '../../../web/src/words/snippets.js';
import { facts } from '../report-facts.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('command name: the path that readers are told is the package’s own', () => {
  expect(commandPath).toBe(`node path/to/honest-epsilon/${packageJson.bin['honest-epsilon']}`);
});

/** Looks up a name that is on no registry, and that anybody could take. */
const registered = /\bnpx\b|npm (i|install|exec) honest-epsilon|unpkg|jsdelivr|esm\.sh/;

test('command name: nobody is sent to a registry for it', async () => {
  const report = buildReport(facts);
  const texts = [
    formats.text.render(report),
    formats.latex.render(report),
    JSON.stringify(snippetsOf([['sampler', 'poisson']], 'https://example.org/embed.html')),
    ...(await Promise.all(
      [
        'README.md',
        'web/index.html',
        ...['command', 'monte-carlo', 'package', 'embedding'].map((name) => `web/docs/${name}.md`),
        'web/src/page.ts',
      ].map((path) => readFile(root + path, 'utf8')),
    )),
  ];
  for (const text of texts) expect(text).not.toMatch(registered);
});

test('command name: the report leads a reader who has nothing to the page, another to a clone', () => {
  const said = formats.text.render(buildReport(facts)).replaceAll(/\s+/g, ' ');
  expect(said).toContain(`with nothing to install: ${facts.link ?? ''}`);
  expect(said).toContain(`${commandPath} \\ epsilon --query query.json`);
  expect(formats.text.render(buildReport({ ...facts, link: undefined }))).not.toContain(
    'in a browser',
  );
});
