import { describe, expect, test } from 'vitest';
import type { Query } from '../../wasm/generated/schema.js';
import {
  attributesOf,
  parts,
  queryAttributes,
  readAttributes,
  readElementQuery,
  views,
  withQuestion,
} from '../../web/src/element/attributes.js';
import { unreadParts } from '../../web/src/embed/address.js';
import { runOnPage } from '../../web/src/element/page-link.js';
import { readAddress } from '../../web/src/state/address.js';
import { readScenario } from '../../web/src/state/question.js';
import { snippetsOf, tagOf } from '../../web/src/words/snippets.js';

const read = (attributes: Record<string, string>) =>
  readAttributes(new Map(Object.entries(attributes)));

describe('element: its attributes', () => {
  test('each field of the question has one, and no two share one', () => {
    const names = queryAttributes.map(({ attribute }) => attribute);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['noise-multiplier', 'sampler', 'delta']));
    for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  test('numbers are read as people write them', () => {
    const { query, problems } = read({
      'noise-multiplier': '.8',
      'sampling-probability': '1/1000',
      steps: '10_000',
      delta: '1e-6',
    });
    expect(problems.size).toBe(0);
    expect(query).toMatchObject({
      question: 'compare',
      delta: 1e-6,
      phases: [{ noiseMultiplier: 0.8, samplingProbability: 0.001, steps: 10000 }],
    });
  });

  test('clients, clients per round and rounds make a client the record', () => {
    const said = { sampler: 'poisson', clients: '3400', 'clients-per-round': '100', rounds: '500' };
    const [phase] = read({ ...said, 'noise-multiplier': '1' }).query?.phases ?? [];
    expect(phase).toEqual({
      ...{ sampler: 'poisson', noiseMultiplier: 1, privacyUnit: 'client' },
      ...{ datasetSize: 3400, batchSize: 100, steps: 500 },
    });
    expect(read({ ...said, 'dataset-size': '7' }).problems.get('datasetSize')).toMatch(/twice/);
  });

  test('what is no number is refused by its label, and no question is left', () => {
    const { query, problems } = read({ 'noise-multiplier': 'much', delta: '' });
    expect(query).toBeUndefined();
    expect(problems.get('noiseMultiplier')).toContain('“much”');
    expect(problems.get('delta')).toContain('missing');
  });

  test('a number that can be read in two ways is asked back', () => {
    const { query, problems } = read({ 'noise-multiplier': '1,1', 'dataset-size': '60.000' });
    expect(query).toBeUndefined();
    expect([...problems.values()]).toEqual([
      'Noise multiplier “1,1” is unclear: did you mean 1.1?',
      'Dataset size “60.000” is unclear: did you mean 60,000 or 60?',
    ]);
  });

  test('the question follows from what is given, unless it is said', () => {
    const phases: Query['phases'] = [];
    expect(withQuestion({ phases, delta: 1e-5 }).question).toBe('compare');
    expect(withQuestion({ phases, epsilon: 1 }).question).toBe('delta');
    expect(withQuestion({ phases, epsilon: 1, delta: 1e-5 }).question).toBe('compare');
    expect(withQuestion({ phases, solveFor: 'noise', epsilon: 1, delta: 1e-5 }).question).toBe(
      'calibrate',
    );
    expect(withQuestion({ phases, question: 'delta', delta: 1e-5 }).question).toBe('delta');
  });

  test('a view shows its parts in order; hide takes some away; another word is refused', () => {
    for (const [view, shown] of Object.entries(views)) {
      expect(read({ view }).shown).toEqual(parts.filter((part) => shown.some((s) => s === part)));
    }
    expect(read({ view: 'all', hide: 'form, plot' }).shown).toEqual(['sentence', 'table', 'curve']);
    expect(read({ view: 'nothing' }).problems.get('view')).toContain('answer, compare');
  });

  test.each([
    ['sampler', 'poison', 'poisson', 'sampler'],
    ['sampler', '', 'poisson', 'sampler'],
    ['mechanism', 'gauss', 'gaussian', 'mechanism'],
    ['adjacency', 'add', 'add-remove', 'adjacency'],
    ['reshuffle', 'never', 'each-epoch', 'reshuffle'],
    ['drop-last', 'no', 'false', 'dropLast'],
    ['question', 'all', 'compare', 'question'],
    ['question', 'tradeoff', 'compare, epsilon, delta or calibrate', 'question'],
    ['question', 'audit', 'compare, epsilon, delta or calibrate', 'question'],
    ['solve-for', 'sigma', 'noise', 'solveFor'],
    ['accountant', 'prv', 'pld', 'accountant'],
    ['proofs', 'refereed', 'published', 'proofs'],
    ['hide', 'form plots', 'plot', 'hide'],
    ['lock', 'delta, sigma', 'noise-multiplier', 'lock'],
    ['theme', 'night', 'dark', 'theme'],
  ])('%s="%s" is refused with what would do, and no question is left', (name, text, does, key) => {
    const { query, problems, sampler } = read({ steps: '1', delta: '1e-5', [name]: text });
    expect(query).toBeUndefined();
    expect([...problems.keys()]).toEqual([key]);
    const problem = problems.get(key);
    expect(problem).toContain(name);
    expect(problem).toContain(does);
    expect(problem).toContain(`“${text.split(/[ ,]+/).at(-1) ?? ''}”`);
    expect(sampler).toBe(name === 'sampler' ? undefined : 'poisson');
  });

  test.each([
    ['noise-multiplir', 'did you mean noise-multiplier?'],
    ['sigma', 'did you mean noise-multiplier?'],
    ['neighbors', 'did you mean adjacency?'],
    ['them', 'did you mean theme?'],
    ['wallpaper', 'a name of your own begins with data-.'],
  ])('there is no attribute %s, and no question is left', (name, remedy) => {
    const { query, problems } = read({ steps: '1', delta: '1e-5', [name]: '1' });
    expect(query).toBeUndefined();
    expect([...problems]).toEqual([[name, `There is no attribute ${name}; ${remedy}`]]);
  });

  test('HTML’s own attributes, and marks of scripts and frameworks, are no business of its', () => {
    const marks =
      `id class style title lang dir hidden slot part role tabindex data-theme aria-label
      onclick _ngcontent-abc ng-version v-cloak x-data hx-get @click :class xml:lang`.split(/\s+/);
    const { query, problems } = read({
      ...{ steps: '1', delta: '1e-5' },
      ...Object.fromEntries(marks.map((name) => [name, ''])),
    });
    expect([...problems]).toEqual([]);
    expect(query).toEqual(read({ steps: '1', delta: '1e-5' }).query);
  });

  test('a flag is on by being there', () => {
    const dropped = (text: string) => {
      const [phase] = read({ 'drop-last': text }).query?.phases ?? [];
      return (phase as { dropLast?: boolean }).dropLast;
    };
    expect([dropped(''), dropped('true'), dropped('false')]).toEqual([true, true, false]);
  });

  test.each([
    [{}, 'phases'],
    [{ phases: [] }, 'phases'],
    [{ phases: [{ sampler: 'poison' }] }, 'sampler'],
    [{ phases: [{ mu: 1 }, { sampler: 3 }] }, 'sampler'],
    [{ phases: [{ mu: 1 }], question: 'tradeoff' }, 'question'],
  ])('the property query set to %j is refused', (query, key) => {
    const reading = readElementQuery(query as unknown as Query, { shown: [] });
    expect(reading.query).toBeUndefined();
    expect([...reading.problems.keys()]).toEqual([key]);
  });

  test('lock names what is fixed; alone it fixes everything', () => {
    const locked = (lock?: string) =>
      read({ steps: '1', delta: '1e-5', ...(lock === undefined ? {} : { lock }) })
        .given.filter((field) => field.locked)
        .map(({ attribute }) => attribute);
    expect(locked()).toEqual([]);
    expect(locked('')).toEqual(['steps', 'delta']);
    expect(locked('delta')).toEqual(['delta']);
  });

  test('a question written as attributes reads back as itself', () => {
    const query: Query = {
      question: 'compare',
      phases: [
        { sampler: 'balls-and-bins', noiseMultiplier: 0.1 + 0.2, stepsPerEpoch: 7, epochs: 3 },
      ],
      delta: 1e-7,
    };
    const attributes = attributesOf(query);
    expect(attributes).toBeDefined();
    expect(attributes?.map(([name]) => name)).not.toContain('question');
    expect(read(Object.fromEntries(attributes ?? [])).query).toEqual(query);
    expect(attributesOf({ ...query, phases: [...query.phases, { mu: 1 }] })).toBeUndefined();
  });
});

describe('element: snippets', () => {
  const attributes = [
    ['sampler', 'shuffle'],
    ['noise-multiplier', '0.7'],
    ['lock', ''],
  ] as const;

  test('every way of embedding holds the tag or, in a frame, all of its attributes', () => {
    const all = snippetsOf(attributes, 'https://example.org/embed.html');
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
    for (const { key, steps } of all) {
      const code = steps.map((step) => step.code).join('\n');
      if (key === 'frame') {
        expect(code).toContain('embed.html#sampler=shuffle&amp;noise-multiplier=0.7&amp;lock=');
      } else expect(code.replace(/\s+/g, ' '), key).toContain('sampler="shuffle" noise-multiplier');
    }
  });

  test('what would end an attribute is escaped', () => {
    expect(tagOf([['sampler', '"><script>']])).toContain('sampler="&quot;>&lt;script>"');
  });

  test('no line of a long tag reads as a quotation in Markdown, and none is empty', () => {
    const long = tagOf([...attributes, ['dataset-size', '60000'], ['view', 'compare']]);
    expect(long.split('\n').length).toBeGreaterThan(3);
    expect(long).not.toMatch(/^\s*(>|$)/m);
  });

  test.each(['mkdocs', 'sphinx', 'docusaurus', 'quarto'])(
    'a site made with %s is told to let its own switch choose light or dark',
    (wanted) => {
      const ways = snippetsOf(attributes, 'https://example.org/embed.html');
      const code = ways
        .find(({ key }) => key === wanted)
        ?.steps.map((step) => step.code)
        .join('\n');
      expect(code).toMatch(/^honest-epsilon \{[^}]*color-scheme: light;/m);
      expect(code).toMatch(/(dark|slate).* honest-epsilon \{\s*color-scheme: dark;/);
    },
  );
});

describe('frame: its address', () => {
  const known = ['sampler', 'delta'];
  test('is read where every part is an attribute', () => {
    expect(unreadParts('', known)).toBe('');
    expect(unreadParts('sampler=poisson&delta=1e-5', known)).toBe('');
  });

  test.each([
    ['unknown=3', '“unknown”'],
    ['sampler=poisson&delt=1', '“delt”'],
    ['v1,sampler=poisson', '“v1,sampler”'],
    ['delta=1&delta=2', '“delta”'],
  ])('names what of %s is not', (hash, named) => {
    const text = unreadParts(hash, known);
    expect(text).toContain(named);
    expect(text).toContain('not the one it describes');
  });

  test('names the first of a hundred thousand', () => {
    const hash = Array.from({ length: 100_000 }, (_, key) => `k${String(key)}`).join('&');
    const started = performance.now();
    expect(unreadParts(hash, known)).toContain('“k19”, and 99,980 more. Write');
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('element: its link to the page', () => {
  const page = 'https://example.org/epsilon/';
  const linked = (attributes: Record<string, string>) =>
    runOnPage(page, read({ page, ...attributes }).query);

  test.each<Record<string, string>>([
    {
      ...{ sampler: 'shuffle', 'noise-multiplier': '0.7', 'dataset-size': '60000' },
      ...{ 'batch-size': '60', epochs: '2', reshuffle: 'once', delta: '1e-5' },
    },
    {
      ...{ sampler: 'poisson', 'noise-multiplier': '1', 'sampling-probability': '1/1000' },
      ...{ steps: '1000', epsilon: '1' },
    },
    {
      ...{ sampler: 'balls-and-bins', 'dataset-size': '60010', 'batch-size': '100', epochs: '3' },
      ...{ 'solve-for': 'noise', epsilon: '3', delta: '1e-6', 'drop-last': '' },
    },
  ])('holds the same run: %o', (attributes) => {
    const address = linked(attributes);
    expect(address).toMatch(/^https:\/\/example\.org\/epsilon\/#/);
    const { state } = readAddress(address?.slice(page.length) ?? '');
    const reading = readScenario(state.scenario);
    const { query } = read(attributes);
    if (!('query' in reading) || !query) throw new Error('not a run');
    expect(reading.query.phases[0]).toMatchObject({ ...query.phases[0] });
    const { delta, epsilon } = query;
    expect(reading.query).toMatchObject({
      ...(delta === undefined ? {} : { delta }),
      ...(epsilon === undefined ? {} : { epsilon }),
    });
  });

  test('is none where the page is unknown, or its form cannot hold the run', () => {
    const run = { 'noise-multiplier': '1', 'sampling-probability': '0.01', steps: '10' };
    expect(runOnPage(undefined, read({ ...run, delta: '1e-5' }).query)).toBeUndefined();
    expect(linked({ ...run, delta: '1e-5' })).toBeDefined();
    expect(linked({ 'sampling-probability': '0.01', steps: '10', delta: '1e-5' })).toBeUndefined();
    const query: Query = { phases: [{ epsilon: 1, delta: 1e-6 }], delta: 1e-5 };
    expect(runOnPage(page, query)).toBeUndefined();
  });

  test.each(['file:///home/me/index.html', 'javascript:alert(1)', 'example.org', ''])(
    'is refused where the address is none: %s',
    (address) => {
      const { problems, query } = read({ page: address, delta: '1e-5' });
      expect(query).toBeUndefined();
      expect(problems.get('page')).toContain('must be a web address');
    },
  );
});
