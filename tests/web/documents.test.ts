import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  anchors,
  documentNames,
  documentPage,
  render,
  sourceOf,
  withRadicalSigns,
} from '../../.config/documents.js';
import { citationForm, references } from '../../wasm/words/references.js';
import { methods } from '../../wasm/generated/schema.js';
import { guides } from '../../web/src/words/methods.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = documentNames.map(sourceOf).join('\n');
const pages = documentNames.map((name) => ({ name, html: documentPage(name) }));
const all = pages.map(({ html }) => html).join('\n');
const idsOf = (html: string) => [...html.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id);
/** From this heading up to that one. */
const part = (text: string, from: string, to: string) =>
  text.slice(text.indexOf(from), text.indexOf(to)).replaceAll(/\s+/g, ' ');

/** The anchors of methods.html while it was one page, in 0.1.0 and 0.2.0: papers print links to them. */
const oldAnchors = `plainly question directions neighbours ratio kinds samplers deterministic poisson
  without-replacement with-replacement glued shuffle counterexample clones swaps loaders
  shuffle-epochs stopped shuffle-bins balls-and-bins bins-epochs participations bins-replaced
  bins-substitution single-record cap other-noise composition largest-loss trainers pld discretise
  tilt charges curves refine contour contour-bins renyi gdp calibration tradeoff search audit
  explorables shuffle-model shuffle-rounds initialisation mixtures monte-carlo mc-plain
  mc-importance mc-conditional mc-orders names calculators not-assessed references plain-epsilon
  plain-sampling plain-interval`;

describe('documents: the pages', () => {
  test('explain every method that an answer can name', () => {
    expect(methods.length).toBeGreaterThan(20);
    for (const { code, anchor } of methods) expect(Object.keys(anchors()), code).toContain(anchor);
    expect(new Set(methods.map(({ sentence }) => sentence)).size).toBe(methods.length);
    // Codes never change: those of the swap theorem were named when clones were all there was.
    const shared = methods.filter(({ code }, at) => methods.findIndex((m) => m.code === code) < at);
    expect(shared.map(({ code }) => code)).toEqual(['clones', 'bins-clones']);
    expect(methods.filter(({ code }) => !/^[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
  });

  test('have every anchor of the one page that the methods once were', () => {
    const old = oldAnchors.split(/\s+/);
    expect(old.length).toBeGreaterThan(60);
    expect(old.filter((id) => anchors()[id] === undefined)).toEqual([]);
    expect(Object.keys(references).filter((key) => anchors()[key] !== 'numerics')).toEqual([]);
    const [, carried = '{}'] =
      /<script type="application\/json" id="anchors">(.*?)<\/script>/.exec(all) ?? [];
    expect(JSON.parse(carried)).toEqual(anchors());
  });

  test('begin in plain words, without a formula', () => {
    const plain = part(documentPage('methods'), '<h2 id="plainly">', '<h2 id="kinds">');
    for (const title of ['What epsilon says', 'Why sampling matters', 'Why an interval'])
      expect(plain).toContain(`>${title}</h3>`);
    expect(plain.match(/<p>/g)?.length).toBeGreaterThan(7);
    expect(plain).not.toContain('<math');
    expect(plain.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[=≤εδσ\\]/);
  });

  test('have each anchor once, also together, and no link into the void', () => {
    const bodies = documentNames.map((name) => render(sourceOf(name)).body).join('\n');
    const ids = idsOf(bodies);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    const dead = pages.flatMap(({ name, html }) =>
      [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].flatMap(([, to = '']) => {
        const [, page = name, id] = /^(?:\.\/([\w-]+)\.html)?(?:#(.+))?$/.exec(to) ?? [];
        if (/^https:|^\.\/$|^\.\/#v1|^\.\/honest_epsilon\.py$/.test(to)) return [];
        const target = pages.find((other) => other.name === page);
        const found = target && (id === undefined || idsOf(target.html).includes(id));
        return found ? [] : [`${name}: ${to}`];
      }),
    );
    expect(dead).toEqual([]);
  });

  test('list all pages in their contents, and every heading of the one that is open', () => {
    for (const { name, html } of pages) {
      const headings = [...html.matchAll(/<h[23] id="([^"]+)"/g)].map(([, id]) => id);
      const contents = part(html, '<nav', '</nav>');
      const listed = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
      expect(headings.length, name).toBeGreaterThan(1);
      expect(listed, name).toEqual(headings);
      for (const other of documentNames) expect(contents).toContain(`href="./${other}.html"`);
      expect(contents.match(/aria-current="page"/g)).toHaveLength(1);
    }
  });

  test('show each sampler’s picture, and a line of code that samples so', () => {
    const samplers = part(documentPage('samplers'), '<h2 id="samplers">', '<h2 id="loaders">');
    const each = samplers.split(/(?=<h3 id=)/).slice(1);
    expect(each).toHaveLength(6);
    for (const sampler of each) expect(sampler.match(/<pre /g)).toHaveLength(1);
    expect(samplers.match(/<svg class="sampler-picture/g)).toHaveLength(5);
    expect(() => render('# A\n\nB\n\n<!-- picture none -->')).toThrow('no sampler none');
  });

  test('cite every paper of the references, and each by a link', () => {
    const cited = new Set([...sources.matchAll(citationForm)].map(([, key]) => key));
    expect(cited).toEqual(new Set(Object.keys(references)));
    expect(all.replaceAll(/<a class="cite"[^>]*>[^<]*<\/a>/g, '')).not.toMatch(citationForm);
  });

  test('refuse a paper that is in no list, and a formula that is none', () => {
    expect(() => render('as in [XY99, Thm 1]')).toThrow('XY99');
    expect(() => render('$\\frac{1}$')).toThrow();
  });

  test('leave no TeX, no Markdown, no style and no script of their own', () => {
    const shown = all.replaceAll(/<pre .*?<\/pre>|<code>.*?<\/code>/gs, '');
    expect(shown).not.toMatch(/\\[a-zA-Z([\])]|\$\$|\*\*|\.md\b/);
    expect(all).not.toMatch(/ style=|<style/);
    expect(all.match(/<script type="module"/g)).toHaveLength(documentNames.length);
    const formulas = sources
      .replaceAll(/```.*?```|`[^`]*`/gs, '')
      .match(/\$\$ .+? \$\$|\$[^$]+\$/g);
    expect(all.match(/<math/g)?.length).toBe(formulas?.length);
  });
});

describe('documents: the theorems of clones and swaps', () => {
  const words = part(sourceOf('proofs'), '<h2 id="clones">', '<h2 id="bins-replaced">');

  test('have their statements, their steps and their figure, and say who has checked them', () => {
    for (const said of ['Setting.', 'Theorem.', 'Step 1', 'Step 2', 'Step 3', 'Computation.'])
      expect(words).toContain(`**${said}`);
    expect(words).toContain('**not yet peer-reviewed** [HE26]');
    expect(all).toMatch(/<svg[^>]* role="img" aria-labelledby="clones-name clones-words"/);
    expect(all).toMatch(/<title id="clones-name">.+<desc id="clones-words">/s);
  });

  test('is where a method that rests on it leads', () => {
    const resting = methods.filter(({ sentence }) =>
      /upper end: (swap|clone) theorem$/.test(sentence),
    );
    expect(resting).toHaveLength(7);
    for (const { anchor, sentence } of resting)
      expect([sentence.includes('swap') ? 'swaps' : 'clones', 'stopped']).toContain(anchor);
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

test('documents: shuffled batches in practice are covered, or said not to be', () => {
  const words = part(documentPage('samplers'), '<h2 id="loaders">', '<h2 id="variations">');
  for (const name of ['DistributedSampler', 'set_epoch', 'drop_last', 'tf.data'])
    expect(words).toContain(`<code>${name}</code>`);
  for (const said of ['uniform, secret permutation', 'smallest shard decides', 'taken as full'])
    expect(words).toContain(said);
});

describe('documents: roots', () => {
  test('are radical signs, with brackets around what is more than a letter', () => {
    const text = (mathml: string) => withRadicalSigns(mathml).replaceAll(/<[^>]*>/g, '');
    expect(text('<msqrt><mi>k</mi></msqrt><mi>σ</mi>')).toBe('√kσ');
    expect(text('<msqrt><mn>2</mn><mi>ε</mi></msqrt>')).toBe('√(2ε)');
    expect(text('<msqrt><mrow><mi>a</mi><msqrt><mi>b</mi></msqrt></mrow></msqrt>')).toBe('√(a√b)');
    expect(() => withRadicalSigns('<mroot><mi>k</mi><mn>3</mn></mroot>')).toThrow('power');
  });

  test('nowhere depend on a font for formulas', () => {
    expect(all.match(/class="radical"/g)).toHaveLength(sources.match(/\\sqrt/g)?.length ?? 0);
    const words = readdirSync(`${root}web/src`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(`${root}web/src/${name}`, 'utf8'));
    for (const text of [all, ...words]) expect(text).not.toMatch(/<(msqrt|mroot|menclose)/);
  });
});

test('documents: the page’s foot leads to each by its title', () => {
  const links = JSON.stringify(guides());
  for (const name of documentNames) {
    expect(links).toContain(`"./${name}.html"`);
    expect(links).toContain(`"${render(sourceOf(name)).title}"`);
  }
});
