import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine, samplers } from '../../wasm/node.js';
import type { Engine, Interval, Phase, Query } from '../../wasm/node.js';
import { references } from '../../wasm/words/references.js';
import { accountingError, errorSentence } from '../../wasm/report/error.js';
import { buildReport, formatNames, formats, gather } from '../../wasm/report/index.js';
import type { Facts } from '../../wasm/report/index.js';
import { escapeLatex } from '../../wasm/report/latex.js';
import { escapeMarkdown, quotationMarkdown } from '../../wasm/report/markdown.js';
import { dpAccountingSource, opacusSource } from '../../wasm/report/snippets.js';
import { facts } from './report-facts.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const date = '2025-11-30';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ workers: 2 });
});
afterAll(() => {
  engine.close();
});

test.each(formatNames)('report: %s reads as it did', async (name) => {
  const { extension, render } = formats[name];
  const path = `./report/made-up.${extension}.golden`;
  await expect(render(buildReport(facts))).toMatchFileSnapshot(path);
});

/** What leaves the column of an article at 10 points, as LaTeX has shown; no rule is wider than that. */
function overfull(source: string, bare: string): string[] {
  const code = [...source.matchAll(/\\begin\{verbatim\}([\s\S]*?)\\end\{verbatim\}/g)];
  const lines = code.flatMap(([, text = '']) => text.split('\n'));
  const widths = [...bare.matchAll(/\\begin\{tabular\}\{(.*)\}$/gm)].map(([, columns = '']) =>
    [...columns.matchAll(/p\{([\d.]+)/g)].reduce(
      (sum, [, width]) => sum + Number(width) + 0.035,
      -0.035,
    ),
  );
  const words = bare.split(/\s|\\allowbreak/).filter((word) => !/[\\{]/.test(word));
  return [
    ...lines.filter((line) => line.length > 80).map((line) => `wide line: ${line}`),
    ...widths.filter((width) => width > 1).map((width) => `wide table: ${width}`),
    ...words.filter((word) => word.length > 32).map((word) => `wide word: ${word}`),
  ];
}

/** Environments that are opened and not closed, braces that do not match, signs that are no ASCII. */
function latexFaults(source: string): string[] {
  const faults = [...source.matchAll(/[^\n\x20-\x7e]/gu)].map(([sign]) => `sign ${sign}`);
  const bare = source.replaceAll(/\\begin\{verbatim\}[\s\S]*?\\end\{verbatim\}/g, '');
  const open: string[] = [];
  for (const [, what, name = ''] of bare.matchAll(/\\(begin|end)\{(\w+)\}/g)) {
    if (what === 'begin') open.push(name);
    else if (open.pop() !== name) faults.push(`\\end{${name}}`);
  }
  faults.push(...open.map((name) => `\\begin{${name}}`));
  const signs = bare.replaceAll(/\\[\\{}$&#%_]/g, '');
  let depth = 0;
  for (const sign of signs) {
    depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
    if (depth < 0) faults.push('a brace too many');
  }
  if (depth !== 0) faults.push(`${depth} braces left open`);
  if ((signs.match(/\$/g) ?? []).length % 2 !== 0) faults.push('a formula left open');
  const prose = signs.replaceAll(/\$[^$]*\$/g, '').replaceAll(/~?\\(cite|begin)[^\n]*/g, '');
  faults.push(...[...prose.matchAll(/[#%_^~]/g)].map(([sign]) => `bare ${sign}`));
  return [...faults, ...overfull(source, bare)];
}

const run: Phase = { noiseMultiplier: 1, datasetSize: 1000, batchSize: 30, epochs: 2 };
/** Of fewer batches, for compositions, which take the longest. */
const short: Phase = { ...run, datasetSize: 90 };
/** What is asked of them. */
const coarse = { delta: 1e-5, width: 0.1 };
const two: Query = {
  phases: [
    { ...short, sampler: 'poisson' },
    { ...short, sampler: 'balls-and-bins', epochs: 1, maxBatchSize: 60 },
    { mu: 0.2 },
    { rho: 0.01 },
    { epsilon: 0.1, delta: 1e-9 },
  ],
  ...coarse,
};
const questions: [string, Query][] = [
  ...samplers.map(({ name }): [string, Query] => [
    name,
    { phases: [{ ...run, sampler: name }], delta: 1e-5 },
  ]),
  ['phases and releases', two],
  [
    'a phase of every sampler',
    { phases: samplers.map(({ name }) => ({ ...short, sampler: name })), ...coarse },
  ],
  [
    'delta',
    {
      question: 'delta',
      phases: [{ ...run, sampler: 'poisson' }, { mu: 0.2 }],
      epsilon: 3,
    },
  ],
  [
    'substitution',
    { phases: [{ ...run, sampler: 'poisson', adjacency: 'substitution' }], delta: 1e-5 },
  ],
  [
    'groups, Laplace',
    {
      phases: [{ ...run, sampler: 'poisson', mechanism: 'laplace', recordsPerUser: 2 }],
      delta: 1e-5,
    },
  ],
  ['repeats', { phases: [{ ...run, sampler: 'balls-and-bins', participations: 2 }], delta: 1e-5 }],
  ['a release alone', { phases: [{ mu: 1 }], delta: 1e-5 }],
  [
    'steps and probability',
    {
      phases: [{ sampler: 'poisson', noiseMultiplier: 1, samplingProbability: 0.01, steps: 100 }],
      delta: 1e-5,
      accountant: 'rdp',
    },
  ],
  [
    'calibration',
    {
      question: 'calibrate',
      solveFor: 'noise',
      phases: [{ ...run, sampler: 'balls-and-bins', noiseMultiplier: undefined }],
      epsilon: 2,
      delta: 1e-5,
    },
  ],
];

describe('report: of every run', () => {
  test.each(questions)('%s', async (_, query) => {
    const gathered = await gather(engine, query, { date, link: 'https://example.org/#v1,a=%25&b' });
    const report = buildReport(gathered);
    expect(report.sections.map(({ letter }) => letter).join('')).toBe('ABCDEFGHIJK');
    for (const section of report.sections) expect(section.blocks.length).toBeGreaterThan(0);
    expect(report.citations.filter((key) => !references[key])).toEqual([]);
    for (const key of gathered.answer.citations) expect(report.citations).toContain(key);
    for (const name of formatNames) {
      const text = formats[name].render(report);
      expect(text).not.toMatch(/undefined|NaN|Infinity|\[object/);
      expect(text.endsWith('\n')).toBe(true);
      expect(text).not.toMatch(/\n\n\n\n/);
    }
    expect(latexFaults(formats.latex.render(report))).toEqual([]);
    const bibtex = formats.bibtex.render(report);
    // \url needs a package that the article may not load; and BibTeX sorts by author or key.
    expect(bibtex).not.toContain('\\url');
    expect(bibtex.match(/^ {2}(author|key) = /gm)?.length).toBe(bibtex.match(/^@/gm)?.length);
    expect(latexFaults(bibtex).filter((fault) => !fault.startsWith('bare'))).toEqual([]);
    const cited = [...formats.latex.render(report).matchAll(/\\cite(?:\[[^\]]*\])?\{(\w+)\}/g)];
    for (const [, key = ''] of cited) expect(bibtex).toContain(`{${key},`);
    const told = JSON.parse(formats.json.render(report)) as { answer: unknown; query: Query };
    const { gridPoints } = gathered.answer.work;
    const { assumptionCodes: codes, ...plain } = gathered.answer;
    expect(codes.length).toBe(plain.assumptions.length);
    const timeless = { ...plain, work: { gridPoints } };
    expect(told.answer).toEqual(JSON.parse(JSON.stringify(timeless)));
    // The question in it leads to the same numbers.
    const again = await engine.answer(told.query);
    if (!('epsilon' in again)) throw new Error('no answer');
    expect(again.epsilon).toEqual(gathered.answer.epsilon);
    expect(again.delta).toEqual(gathered.answer.delta);
  });
});

describe('report: what it holds', () => {
  const gathered = (query: Query) => gather(engine, query, { date });
  const shuffled: Query = { phases: [{ ...run, sampler: 'shuffle' }], delta: 1e-5 };

  test('every epsilon is that of the engine', async () => {
    const { epsilons, poisson } = await gathered(shuffled);
    expect(epsilons.map(({ delta }) => delta)).toEqual([1e-3, 1e-5, 1e-6, 1e-7, 1e-9]);
    for (const { delta, epsilon } of epsilons)
      expect(epsilon).toEqual((await engine.epsilon({ ...shuffled, delta })).epsilon);
    // 34 steps an epoch, at a rate of 30 in 1000.
    const twin: Phase = {
      sampler: 'poisson',
      noiseMultiplier: 1,
      samplingProbability: 0.03,
      steps: 68,
    };
    expect(poisson?.epsilon).toEqual(
      (await engine.epsilon({ phases: [twin], delta: 1e-5 })).epsilon,
    );
  });

  test('its Poisson twin is about the same neighbours and the same persons', async () => {
    const all = { adjacency: 'substitution', recordsPerUser: 2, swapped: true } as const;
    const whole: Phase = { noiseMultiplier: 1, ...all };
    const { poisson } = await gathered({
      phases: [{ ...whole, sampler: 'deterministic', datasetSize: 100, batchSize: 50 }],
      delta: 1e-5,
    });
    const twin: Phase = { ...whole, sampler: 'poisson', samplingProbability: 0.5, steps: 2 };
    const { epsilon } = await engine.epsilon({ phases: [twin], delta: 1e-5 });
    expect(poisson?.epsilon).toEqual(epsilon);
  });

  test('a calibration is reported at the value found', async () => {
    const { query, answer } = await gathered({
      question: 'calibrate',
      solveFor: 'epochs',
      phases: [{ ...run, sampler: 'poisson', epochs: undefined, steps: 5 }],
      epsilon: 6,
      delta: 1e-5,
    });
    const [phase] = query.phases as Phase[];
    expect(phase?.epochs).toBeGreaterThan(1);
    expect(phase).not.toHaveProperty('steps');
    expect(answer.epsilon.upper).toBeLessThanOrEqual(6);
    // What the core put in is what is asked again.
    expect((await engine.epsilon(query)).epsilon).toEqual(answer.epsilon);
  });

  test('the hash is that of the engine’s bytes', async () => {
    const known: Phase = { ...run, sampler: 'deterministic' };
    const { wasmSha256 } = await gathered({ phases: [known], delta: 1e-5 });
    const bytes = await readFile(`${root}dist/node/engine.wasm`);
    expect(wasmSha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  test('a question without a target is refused', async () => {
    await expect(gathered({ phases: shuffled.phases })).rejects.toMatchObject({ field: 'delta' });
  });
});

describe('report: the size of the accounting error', () => {
  const of = (
    lower: number | null,
    upper: number | null,
    kind: Interval['kind'] = 'certified',
  ) => ({
    lower,
    upper,
    kind,
  });
  test.each([
    ['understates', of(6.5, 6.75), of(0.5, 0.75), 5.75, 6.25],
    ['overstates', of(1, 1.25), of(2, 2.5), -1.5, -0.75],
    ['undecided', of(1, 2), of(1.5, 3), -2, 0.5],
    ['undecided', of(0, 0), of(0, 0), 0, 0],
  ])('%s', (direction, own, poisson, lower, upper) => {
    const error = accountingError(own, poisson, false);
    expect(error?.direction).toBe(direction);
    expect(error?.difference.lower).toBeCloseTo(lower, 12);
    expect(error?.difference.upper).toBeCloseTo(upper, 12);
    expect(error?.difference.lower).toBeLessThanOrEqual(lower);
    expect(error?.difference.upper).toBeGreaterThanOrEqual(upper);
  });

  test('nothing is said where nothing is proved', () => {
    const both = of(1, 1);
    for (const open of [of(null, 2, 'bound'), of(1, null), of(2, 2, 'estimate')]) {
      expect(accountingError(open, both, false)).toBeUndefined();
      expect(accountingError(both, open, false)).toBeUndefined();
    }
    expect(accountingError(of(null, 2, 'bound'), of(null, 2, 'bound'), true)?.direction).toBe(
      'agrees',
    );
  });

  test('the difference is proved as far as both numbers are', () => {
    for (const [own, poisson, kind] of [
      ['certified', 'certified', 'certified'],
      ['certified', 'bound', 'bound'],
      ['bound', 'certified', 'bound'],
    ] as const)
      expect(accountingError(of(3, 4, own), of(1, 2, poisson), false)?.difference.kind).toBe(kind);
  });

  test.each([
    [
      of(6.53, 6.65),
      of(0.6066, 0.60701),
      'understate ε by at least 5.922 and at most 6.044, a factor of at least 10.75.',
    ],
    [of(1.5, 2), of(0, 0), 'understate ε by at least 1.499 and at most 2.001.'],
    [of(1, 1.25), of(2, 2.5), 'overstate ε by at least 0.7499 and at most 1.501.'],
    [of(1, 2), of(1.5, 3), 'not proved to be wrong: the two intervals overlap.'],
  ])('its words name a least and a most, cut to the safe side: %j, %j', (own, poisson, words) => {
    const error = accountingError(own, poisson, false);
    if (!error) throw new Error('no error');
    expect(errorSentence(error, 'ε', own, poisson)).toContain(words);
  });

  test('Poisson batches are accounted as such', () => {
    const own = of(1, 2);
    const error = accountingError(own, own, true);
    if (!error) throw new Error('no error');
    expect(errorSentence(error, 'ε', own, own)).toBe(
      'The batches are Poisson batches, and accounted for as such.',
    );
  });
});

test('report: nothing that is typed becomes markup', () => {
  const hostile = '\\input{x} $a_1^2$ & 50% #1 ~ <b> "q" |x| {y} ε≤10⁻⁵ 漢';
  expect(latexFaults(escapeLatex(hostile))).toEqual([]);
  expect(escapeLatex(hostile)).toContain('\\textbackslash{}input\\{x\\}');
  expect(escapeLatex(hostile)).toContain('$\\varepsilon$$\\le$10$^{-5}$ (U+6F22)');
  expect(escapeMarkdown('*a* _b_ `c` <d> [e](f) | #\ng')).toBe(
    '\\*a\\* \\_b\\_ \\`c\\` \\<d\\> [e]\\(f) \\| \\# g',
  );
});

test('report: a link of Markdown ends where it should, and leads to the web', () => {
  const words = ['Computed with Honest Epsilon 9.9.9.'];
  const of = (link: string) =>
    quotationMarkdown(words, { version: '9.9.9', date: '', link, methods: undefined });
  expect(of('https://example.org/#a=(1)<b>`c`|d e')).toBe(
    'Computed with [Honest Epsilon 9.9.9](https://example.org/#a=%281%29%3Cb%3E%60c%60%7Cd%20e).',
  );
  for (const link of ['javascript:alert(1)', 'file:///home/reader', 'data:,x', 'no address'])
    expect(of(link)).toBe(words[0]);
});

test('report: the bibliography is the first table of the core, and says where each paper is read', async () => {
  const text = await readFile(`${root}core/REFERENCES.md`, 'utf8');
  const [table = ''] = text.split('\nThose that only');
  const keys = [...table.matchAll(/^\| (\w+\d\d) /gm)].map(([, key]) => key);
  expect(Object.keys(references)).toEqual(keys);
  for (const [key, { authors, title, year, arxiv, doi, section }] of Object.entries(references)) {
    expect(authors && title && year, key).toBeTruthy();
    expect([arxiv, doi, section].filter(Boolean), key).toHaveLength(1);
  }
  expect(references.TW14).toEqual({
    ...{ authors: 'L. N. Trefethen, J. A. C. Weideman', year: 2014, doi: '10.1137/130932132' },
    ...{ title: 'The Exponentially Convergent Trapezoidal Rule', journal: 'SIAM Review' },
  });
});

// Python comes with Emscripten, which is a Python program: a machine that builds this has it.
async function python(source: string): Promise<string> {
  const { stdout } = await promisify(execFile)('python3', ['-I', '-c', source]);
  return stdout.trim();
}

describe('report: the Python it shows', () => {
  /** The library's part, played: what the source asks of it. */
  const played = async (modules: string, source: string) =>
    JSON.parse(
      await python(`import json, sys, types
said = []
${modules}
exec(${JSON.stringify(source)})
`),
    ) as unknown;

  test('dp_accounting is asked for Poisson batches of the run’s rate', async () => {
    const modules = `
class Event:
    def __init__(self, *of): self.of = [x.of if isinstance(x, Event) else x for x in of]
class Accountant:
    def __init__(self, relation): said.append(relation)
    def compose(self, event, count): said.append([event.of, count])
    def get_epsilon(self, delta): return json.dumps(said + [delta])
m = types.ModuleType("dp_accounting")
m.pld = types.SimpleNamespace(PLDAccountant=Accountant)
m.NeighboringRelation = types.SimpleNamespace(ADD_OR_REMOVE_ONE="add or remove")
m.GaussianDpEvent = m.PoissonSampledDpEvent = Event
sys.modules["dp_accounting"] = m`;
    expect(await played(modules, dpAccountingSource(facts))).toEqual([
      'add or remove',
      [[0.1, [0.7]], 20],
      1e-5,
    ]);
  });

  test('Opacus is asked for the same', async () => {
    const modules = `
class Accountant:
    def get_epsilon(self, *, delta): return json.dumps([self.history, delta])
m = types.ModuleType("opacus.accountants")
m.PRVAccountant = Accountant
sys.modules["opacus"] = types.ModuleType("opacus")
sys.modules["opacus.accountants"] = m`;
    expect(await played(modules, opacusSource(facts))).toEqual([[[0.7, 0.1, 20]], 1e-5]);
  });

  test('other libraries are named only for what they know', () => {
    const sources = (change: Partial<Phase>) => {
      const phases = facts.phases.map(({ phase: known, derived: schedule }) => ({
        phase: { ...known, ...change },
        derived: schedule,
      }));
      const changed: Facts = { ...facts, phases };
      return formats.text.render(buildReport(changed));
    };
    expect(sources({})).toMatch(/dp_accounting[^]*opacus/);
    expect(sources({ mechanism: 'laplace' })).toContain('LaplaceDpEvent');
    expect(sources({ mechanism: 'laplace' })).not.toContain('opacus');
    expect(sources({ adjacency: 'substitution' })).not.toContain('dp_accounting');
    expect(sources({ recordsPerUser: 2 })).not.toContain('dp_accounting');
  });
});
