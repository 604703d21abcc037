import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bareCpp, homonyms, namesDeclared, typesDefined } from './names.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const core = readdirSync(`${root}/core`, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(h|cc)$/.test(entry.name))
  .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length).replace(/^\/+/, ''))
  .sort();
const textOf = (path: string) => readFileSync(`${root}/${path}`, 'utf8');
const definitions = core.flatMap((path) => typesDefined(path, textOf(path)));

describe('names: one noun for one thing', () => {
  it('defines no type of the core twice', () => {
    expect(definitions.length).toBeGreaterThan(200);
    expect(homonyms(definitions)).toEqual([]);
  });

  it.each([
    ['struct Cell {};', ['Cell']],
    ['template <class T>\nclass Cell final : public Base<T> {\n};', ['Cell']],
    ['enum class Ends { best };  enum Kind : int { a };', ['Ends', 'Kind']],
    ['struct Ray::Shelf {\n};', ['Shelf']],
    ['using Curve = std::function<double(double)>;', ['Curve']],
    ['struct Cell;  class Pair;', []],
    ['using P = Phase;  using Log = Mixture::Log;  using pairs::Cell;', []],
    ['// struct Cell {\n/* class Cell { */ const char* s = "struct Cell {";', []],
  ])('reads %j', (text, names) => {
    expect(typesDefined('core/x.h', text).map(({ name }) => name)).toEqual(names);
  });

  it('says where both definitions are', () => {
    const both = ['core/a.h', 'core/b.cc'].flatMap((path) =>
      typesDefined(path, '\nstruct A1B {};'),
    );
    expect(homonyms(both)).toEqual(['A1B is defined at core/a.h:2 and core/b.cc:2']);
  });
});

describe('names: one meaning for each name of wasm/ and web/src', () => {
  const files = ['wasm', 'web/src']
    .flatMap((folder) =>
      readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .sort();
  // One idea, told by each platform, each entry, or each panel.
  const shared = ['makeWorker', 'wasmFile', 'createEngine', 'styles'];

  it('declares no type and exports no other name twice', () => {
    const names = files.flatMap((path) => namesDeclared(path, textOf(path)));
    expect(names.length).toBeGreaterThan(700);
    expect(homonyms(names.filter(({ name }) => !shared.includes(name)))).toEqual([]);
  });

  it.each([
    ['interface Reading {}', ['Reading']],
    ["export type Kind = 'a'; export const Kind = 1; class Panel {}", ['Kind', 'Panel']],
    ['export function ask(a: 1): 1; export function ask(a: 2): 2;', ['ask']],
    ['export const given = 1, shown = 2; const own = 3; function local() {}', ['given', 'shown']],
    ["export type { Query } from './schema.js'; import { ask } from './ask.js';", []],
  ])('reads %j', (text, names) => {
    expect(namesDeclared('web/src/x.ts', text).map(({ name }) => name)).toEqual(names);
  });
});

describe("names: core/README.md's route and glossary", () => {
  const readme = textOf('core/README.md');

  it('names files and functions that exist', () => {
    const steps = [...readme.matchAll(/`(core\/[\w/]+\.(?:h|cc))`: ((?:`\w+`(?:, )?)+)/g)];
    expect(steps.length).toBeGreaterThanOrEqual(12);
    for (const [, path = '', functions = ''] of steps) {
      expect(core, path).toContain(path);
      const code = bareCpp(textOf(path));
      for (const [, name = ''] of functions.matchAll(/`(\w+)`/g)) {
        const definition = new RegExp(
          String.raw`^ *[A-Za-z][\w:<>,&* ]*\b${name}\([^;{}]*\)(?: const)? \{`,
          'm',
        );
        expect(definition.test(code), `${path}: ${name}`).toBe(true);
      }
    }
  });

  it('names no file that does not exist', () => {
    for (const [, path = ''] of readme.matchAll(/`(core\/[\w/]+\.\w+)`/g)) {
      expect(() => textOf(path), path).not.toThrow();
    }
  });

  it('explains nouns that are types', () => {
    const nouns = [...readme.matchAll(/^\| `(\w+)`/gm)].map(([, noun]) => noun);
    expect(nouns.length).toBeGreaterThanOrEqual(20);
    const known = new Set(definitions.map(({ name }) => name));
    expect(nouns.filter((noun) => !known.has(String(noun)))).toEqual([]);
    expect(new Set(nouns).size).toBe(nouns.length);
  });
});
