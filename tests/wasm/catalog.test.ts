import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { samplers } from '../../wasm/generated/schema.js';

const core = fileURLToPath(new URL('../../core', import.meta.url));

describe('catalog: samplers', () => {
  const literal = new RegExp(`"(?:${samplers.map(({ name }) => name).join('|')})"`);

  it('stand there alone by their names: elsewhere the core asks for their fields', () => {
    const files = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(h|cc)$/.test(name),
    );
    expect(files).toContain('api/catalog.h');
    const naming = files.filter((name) =>
      // An anchor of the methods page may be a sampler's name.
      literal.test(
        readFileSync(`${core}/${name}`, 'utf8').replace(/\/\/.*|\.anchor = "[^"]*"/g, ''),
      ),
    );
    expect(naming).toEqual(['api/catalog.h']);
  });

  it.each(samplers)('have a colour, on screen and on paper: $name', ({ name }) => {
    const path = fileURLToPath(new URL('../../web/src/styles/samplers.css', import.meta.url));
    const css = readFileSync(path, 'utf8');
    expect(css.split(`--${name}:`)).toHaveLength(3);
    expect(css).toContain(`.s-${name} {\n  --c: var(--${name});`);
  });

  it.each(samplers)('have a file of their own, and its test: $name', ({ name }) => {
    const stem = name.replaceAll('-', '_');
    expect(readdirSync(`${core}/samplers`)).toContain(`${stem}.cc`);
    expect(readdirSync(`${core}/../tests/core/samplers`)).toContain(`${stem}_test.cc`);
  });
});
