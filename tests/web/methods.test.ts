import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { typeset, withRadicalSigns } from '../../.config/methods-page.js';
import { citationForm, references } from '../../wasm/words/references.js';
import { methods } from '../../wasm/generated/schema.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = readFileSync(`${root}web/methods.html`, 'utf8');
const page = typeset(source);
const ids = [...page.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id);

describe('methods: the page', () => {
  test('explains every method that an answer can name', () => {
    expect(methods.length).toBeGreaterThan(20);
    for (const { code, anchor } of methods) expect(ids, code).toContain(anchor);
    for (const key of ['code', 'sentence'] as const)
      expect(new Set(methods.map((method) => method[key])).size).toBe(methods.length);
    expect(methods.filter(({ code }) => !/^[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
  });

  test('begins in plain words, without a formula', () => {
    const [, plain = ''] = /<h2 id="plainly">(.*?)<h2 id="question">/s.exec(page) ?? [];
    for (const title of ['What epsilon says', 'What sampling does to it', 'Why an interval'])
      expect(plain).toContain(`>${title}</h3>`);
    expect(plain.match(/<p>/g)?.length).toBeGreaterThan(7);
    expect(plain).not.toContain('<math');
    expect(plain.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[=≤εδσ\\]/);
    const [first] = ids.filter((id) => id !== 'contents-title');
    expect(first).toBe('plainly');
  });

  test('has each anchor once, and no link into the void', () => {
    expect(new Set(ids).size).toBe(ids.length);
    const named = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((id) => !ids.includes(id ?? ''))).toEqual([]);
  });

  test('lists every heading in its contents', () => {
    const headings = [...page.matchAll(/<h[23] id="([^"]+)"/g)].map(([, id]) => id);
    const contents = page.slice(page.indexOf('<nav'), page.indexOf('</nav>'));
    const listed = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(listed).toEqual(headings.filter((id) => id !== 'contents-title'));
  });

  test('cites every paper of its references, and each by a link', () => {
    const cited = new Set([...source.matchAll(citationForm)].map(([, key]) => key));
    expect(cited).toEqual(new Set(Object.keys(references)));
    expect(page.replaceAll(/<a class="cite"[^>]*>[^<]*<\/a>/g, '')).not.toMatch(citationForm);
  });

  test('refuses a paper that is in no list, and a formula that is none', () => {
    expect(() => typeset('as in [XY99, Thm 1]')).toThrow('XY99');
    expect(() => typeset('\\(\\frac{1}\\)')).toThrow();
  });

  test('leaves no TeX, no style and no script', () => {
    expect(page).not.toMatch(/\\[a-zA-Z([\])]/);
    expect(page).not.toMatch(/ style=|<script|<style/);
    expect(page.match(/<math/g)?.length).toBe(source.match(/\\[([]/g)?.length);
  });
});

describe('methods: the theorems of clones and swaps', () => {
  const section = source.slice(source.indexOf('<h3 id="clones">'));
  const words = section.slice(0, section.indexOf('<h3 id="loaders">')).replaceAll(/\s+/g, ' ');

  test('has its statement, its three steps and its figure, and says who has checked it', () => {
    for (const part of ['Setting.', 'Theorem.', 'Step 1', 'Step 2', 'Step 3', 'Computation.'])
      expect(words).toContain(`<b>${part}`);
    expect(words).toContain('<b>not yet peer-reviewed</b> [HE26]');
    expect(page).toMatch(/<svg[^>]* role="img" aria-labelledby="clones-name clones-words"/);
    expect(page).toMatch(/<title id="clones-name">.+<desc id="clones-words">/s);
  });

  test('is where a method that rests on it leads', () => {
    const resting = methods.filter(({ sentence }) => sentence.endsWith('upper: clones'));
    expect(resting).toHaveLength(5);
    for (const { anchor } of resting) expect(['clones', 'stopped']).toContain(anchor);
  });

  test('leaves nobody to say that deterministic batches are all that is proved', () => {
    const shipped = ['core', 'wasm', 'web'].flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(cc|h|ts|html|md)$/.test(name))
        .map((name) => `${root}${folder}/${name}`),
    );
    expect(shipped.length).toBeGreaterThan(200);
    const claims = /(nothing|no) better (one )?is (known|proved)/i;
    const claiming = [...shipped, `${root}README.md`].filter((file) =>
      claims.test(readFileSync(file, 'utf8').replaceAll(/"\s*"|\s+/g, ' ')),
    );
    expect(claiming).toEqual([]);
  });
});

test('methods: shuffled batches in practice are covered, or said not to be', () => {
  const section = page.slice(page.indexOf('<h3 id="loaders">'));
  const words = section
    .slice(0, section.indexOf('<h3 id="shuffle-epochs">'))
    .replaceAll(/\s+/g, ' ');
  for (const name of ['DistributedSampler', 'set_epoch', 'drop_last', 'tf.data'])
    expect(words).toContain(`<code>${name}</code>`);
  for (const said of ['uniform and secret', 'smallest shard decides', 'taken as full'])
    expect(words).toContain(said);
});

describe('methods: roots', () => {
  test('are radical signs, with brackets around what is more than a letter', () => {
    const text = (mathml: string) => withRadicalSigns(mathml).replaceAll(/<[^>]*>/g, '');
    expect(text('<msqrt><mi>k</mi></msqrt><mi>σ</mi>')).toBe('√kσ');
    expect(text('<msqrt><mn>2</mn><mi>ε</mi></msqrt>')).toBe('√(2ε)');
    expect(text('<msqrt><mrow><mi>a</mi><msqrt><mi>b</mi></msqrt></mrow></msqrt>')).toBe('√(a√b)');
    expect(() => withRadicalSigns('<mroot><mi>k</mi><mn>3</mn></mroot>')).toThrow('power');
  });

  test('nowhere depend on a font for formulas', () => {
    expect(page.match(/class="radical"/g)).toHaveLength(source.match(/\\sqrt/g)?.length ?? 0);
    const words = readdirSync(`${root}web/src`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(`${root}web/src/${name}`, 'utf8'));
    for (const text of [page, ...words]) expect(text).not.toMatch(/<(msqrt|mroot|menclose)/);
  });
});
