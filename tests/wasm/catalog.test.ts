import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ESTree } from 'vite';
import { describe, expect, it } from 'vitest';
import { samplers } from '../../wasm/generated/schema.js';
import { textOf, visit } from '../architecture/source.js';

/** The texts in quotation marks of a TypeScript file. */
function literalsOf(path: string, text: string): string[] {
  const found: string[] = [];
  const add = (node: ESTree.Node) => {
    const literal = textOf(node);
    if (literal !== undefined) found.push(literal);
  };
  visit(path, text, { Literal: add, TemplateLiteral: add });
  return found;
}

const isName = (text: string) => samplers.some(({ name }) => name === text);

const core = fileURLToPath(new URL('../../core', import.meta.url));

describe('catalog: samplers', () => {
  const literal = new RegExp(`"(?:${samplers.map(({ name }) => name).join('|')})"`);

  it('stand there alone by their names: elsewhere the core asks for their fields', () => {
    const files = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(h|cc)$/.test(name),
    );
    expect(files).toContain('accounts/catalog.h');
    const naming = files.filter((name) =>
      literal.test(readFileSync(`${core}/${name}`, 'utf8').replace(/\/\/.*/g, '')),
    );
    // Some anchors of the methods page are samplers' names, too.
    expect(naming.sort()).toEqual(['accounts/catalog.h', 'runs/method.h']);
  });

  it('stand in TypeScript by their names only where something is written for each, or is an example', () => {
    const naming = ['wasm', 'web/src']
      .flatMap((room) =>
        readdirSync(`${core}/../${room}`, { recursive: true, encoding: 'utf8' }).map(
          (name) => `${room}/${name}`,
        ),
      )
      .filter((path) => path.endsWith('.ts') && !/^wasm\/(generated|papers)\//.test(path))
      .filter((path) => literalsOf(path, readFileSync(`${core}/../${path}`, 'utf8')).some(isName));
    // What other programs and sentences call them.
    const readers = naming.filter((path) => path.startsWith('wasm/import/'));
    expect(naming.filter((path) => !readers.includes(path)).sort()).toEqual([
      ...['wasm/report/samplers.ts', 'wasm/words/claims.ts'],
      'web/src/charts/sampler-picture.ts',
      // A panel that is called so, what loaders are, the page's default run, published runs.
      ...['web/src/panels/list.ts', 'web/src/state/loaders.ts'],
      'web/src/state/scenario.ts',
    ]);
  });

  it('are each told apart by the facts that other rooms ask for', () => {
    for (const fact of ['usuallyDrawn', 'usuallyReported', 'knowsBatches'] as const)
      expect(
        samplers.filter((sampler) => sampler[fact]),
        fact,
      ).toHaveLength(1);
  });

  it.each(samplers)(
    'have a colour in light and on paper, and one in the dark: $name',
    ({ name }) => {
      const path = fileURLToPath(new URL('../../web/src/styles/samplers.css', import.meta.url));
      const css = readFileSync(path, 'utf8');
      expect(css).toMatch(new RegExp(`  --${name}: light-dark\\(#\\w{6}, #\\w{6}\\);`));
      expect(css).toContain(`.s-${name} {\n  --c: var(--${name});`);
    },
  );

  it.each(samplers)('have a file of their own, and its test: $name', ({ name }) => {
    const stem = name.replaceAll('-', '_');
    expect(readdirSync(`${core}/samplers`)).toContain(`${stem}.cc`);
    expect(readdirSync(`${core}/../tests/core/samplers`)).toContain(`${stem}_test.cc`);
  });
});
