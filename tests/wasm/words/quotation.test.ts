import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer, Interval, Phase, Query } from '../../../wasm/generated/schema.js';
import { samplers } from '../../../wasm/generated/schema.js';
import { createEngine } from '../../../wasm/node.js';
import { erratumOf, quotationOf } from '../../../wasm/words/quotation.js';
import type { Quoted } from '../../../wasm/words/quotation.js';
import { references } from '../../../wasm/words/references.js';
import { citedIn, quotationFormats, quotationNames } from '../../../wasm/report/index.js';
import { certified } from '../../certified.js';
import { runs } from '../../fuzz/runs.js';
import { readPrinted } from '../../printed.js';
import { facts } from '../report-facts.js';

const phase: Phase = {
  sampler: 'shuffle',
  noiseMultiplier: 1.1,
  datasetSize: 60000,
  batchSize: 256,
  epochs: 10,
};
const { published: _, ...unmarked } = facts.answer;
const answer: Answer = {
  ...unmarked,
  epsilon: certified(5.2031, 15.7889),
  derived: { steps: 2350, samplingProbability: 256 / 60000, epochs: 10 },
  method: 'made up',
  methodCode: 'epochs-known',
  warnings: [],
  citations: ['HP24'],
};
const poisson: Answer = {
  ...answer,
  sampler: 'poisson',
  epsilon: certified(0.920169, 0.92017),
  rdp: { lower: null, upper: null, kind: 'bound' },
};
const quoted: Quoted = {
  ...facts,
  answer,
  poisson,
  phases: [{ phase, derived: answer.derived }],
  reported: undefined,
};
const say = (change: Partial<Quoted> = {}, own: Partial<Answer> = {}) =>
  quotationOf({ ...quoted, answer: { ...answer, ...own }, ...change }).join(' ');
const by = (more: Partial<Phase>, own: Partial<Answer> = {}) =>
  say({ phases: [{ phase: { ...phase, ...more }, derived: answer.derived }] }, own);

describe('quotation: what it says', () => {
  test('the run, the guarantee, what is refuted, what Poisson accounting says, and the source', () => {
    expect(say()).toBe(
      'We trained with DP-SGD on batches reshuffled every epoch (n = 60,000, b = 256, 10 epochs, σ = 1.1). Even if every intermediate model is released, training is (15.79, 10⁻⁵)-differentially private under zero-out neighbours. It is not (ε, 10⁻⁵)-differentially private for any ε < 5.203. Poisson accounting would have reported ε ≤ 0.9202, which does not hold for shuffled batches [HP24]. Bounds computed with Honest Epsilon 9.8.7, using [HP24].',
    );
  });

  test.each<[string, Interval, string, string]>([
    [
      'both ends alike',
      certified(0.60893, 0.60895),
      'is (0.6090, 10⁻⁵)-differentially',
      'any ε < 0.608',
    ],
    ['nothing spent', certified(0, 0), 'is (0, 10⁻⁵)-differentially', ''],
    [
      'a lower end of 0',
      { lower: 0, upper: 2, kind: 'bound' },
      'is (2.000, 10⁻⁵)-differentially',
      '',
    ],
    [
      'no lower end',
      { lower: null, upper: 2.34567, kind: 'bound' },
      'is (2.346, 10⁻⁵)-differentially',
      '',
    ],
    [
      'no upper end',
      { lower: 3, upper: null, kind: 'bound' },
      'No finite ε is proved for training at δ = 10⁻⁵ for zero-out neighbours',
      'any ε < 3.00',
    ],
    [
      'an infinite upper end',
      { lower: 3, upper: Infinity, kind: 'certified' },
      'No finite ε is proved',
      'any ε < 3.00',
    ],
    ['nothing at all', { lower: null, upper: null, kind: 'bound' }, 'No finite ε is proved', ''],
    [
      'confidence',
      { lower: 1, upper: 2, kind: 'confidence' },
      'Up to the stated error probability, even if every intermediate model is released, training is (2.000,',
      'any ε < 1.00',
    ],
    [
      'an estimate',
      { lower: 2, upper: 2, kind: 'estimate' },
      'We estimate ε ≈ 2.000 at δ = 10⁻⁵ for zero-out neighbours; this is an estimate, not a guarantee.',
      '',
    ],
  ])('%s', (_, epsilon, words, refuted) => {
    const said = say({ poisson: undefined }, { epsilon });
    expect(said).toContain(words);
    if (refuted === '') expect(said).not.toMatch(/not \(ε/);
    else expect(said).toContain(refuted);
    if (epsilon.kind === 'estimate') expect(said).not.toContain('differentially private');
    const whole = epsilon.kind === 'certified' && epsilon.upper !== Infinity;
    expect(said.includes('Bounds computed')).toBe(whole);
  });

  test('the neighbours that the answer holds for, and that others were asked for', () => {
    const warnings = [{ code: 'other-neighbours' as const, text: '' }];
    expect(by({ adjacency: 'add-remove' }, { warnings })).toContain(
      'private under zero-out neighbours. It is not (ε, 10⁻⁵)-differentially private for any ε < 5.203. This holds for zero-out neighbours, not for the add/remove neighbours we asked about.',
    );
    expect(by({ adjacency: 'substitution' }, { adjacency: 'substitution' })).toContain(
      'private under substitution neighbours.',
    );
    expect(say({}, { adjacency: 'mixed', warnings })).toContain('No guarantee can be stated');
    expect(say({}, { adjacency: 'mixed', warnings })).not.toContain('-differentially private');
    expect(by({ recordsPerUser: 3 })).toContain(
      'under zero-out neighbours that differ in all records of one person (at most 3).',
    );
  });

  test('delta asked at an epsilon', () => {
    const own = { epsilon: certified(3, 3), delta: certified(0.0068321, 0.138612) };
    expect(say({ asked: 'delta' }, own)).toContain(
      'is (3, 0.1387)-differentially private under zero-out neighbours. It is not (3, δ)-differentially private for any δ < 0.006832.',
    );
    expect(say({ asked: 'delta' }, { ...own, delta: certified(0.5, 1) })).toContain(
      'No δ below 1 is proved for training at ε = 3',
    );
  });

  test('a long delta is rounded to the side of each claim, a fraction written as one', () => {
    expect(say({}, { delta: certified(1 / 60000, 1 / 60000) })).toContain('(15.79, 1/60,000)-');
    const said = say({}, { delta: certified(1.23456789e-5, 1.23456789e-5) });
    expect(said).toContain('(15.79, 1.235×10⁻⁵)-differentially');
    expect(said).toContain('not (ε, 1.234×10⁻⁵)-differentially private');
  });

  test('found noise is rounded up, and then nothing is refuted', () => {
    const said = by({ noiseMultiplier: 1.0604871234 });
    expect(said).toContain('σ ≈ 1.061)');
    expect(said).not.toMatch(/not \(ε|does not hold/);
  });

  test('phases, and releases that are taken at their word', () => {
    const two = { phases: [{ phase }, { phase: { ...phase, sampler: 'poisson' as const } }] };
    expect(say(two)).toContain(
      'in 2 phases: batches reshuffled every epoch (n = 60,000, b = 256, 10 epochs, σ = 1.1); Poisson batches,',
    );
    expect(say(two)).toContain('which does not hold for these batches');
    const beside = say({ releases: [{ epsilon: 0.5, delta: 1e-8 }, { mu: 0.2 }, { rho: 0.1 }] });
    expect(beside).toContain(
      'The budget also covers 3 other releases, stated to be (0.5, 10⁻⁸)-differentially private, 0.2-GDP, and 0.1-zCDP.',
    );
    const long = [{ epsilon: 0.123412345, delta: 1.23412345e-8 }, { mu: 0.123412345 }];
    expect(say({ releases: [...long, { rho: 0.123412345 }] })).toContain(
      'to be (0.1235, 1.235×10⁻⁸)-differentially private, 0.1235-GDP, and 0.1235-zCDP.',
    );
    expect(say({ releases: [{ boundedRange: 0.123412345 }] })).toContain(
      'another release, stated to be of bounded range 0.1235',
    );
    expect(beside).toContain('training and releases together are (15.79,');
    expect(beside).toContain('provided that the stated guarantees hold');
    expect(beside).not.toMatch(/not \(ε|Poisson accounting/);
    const alone = say({ phases: [], releases: [{ mu: 1 }], poisson: undefined });
    expect(alone).toMatch(/^We made a release, stated to be 1-GDP\. The release is \(15\.79,/);
    expect(alone).not.toContain('iterate');
  });

  test('Poisson accounting: refuted, not proved, of other neighbours, or not comparable', () => {
    const of = (epsilon: Interval, more: Partial<Answer> = {}) =>
      say({ poisson: { ...poisson, epsilon, ...more } });
    expect(of(certified(6, 6))).toContain(
      'reported ε ≤ 6.000, which is not proved for shuffled batches',
    );
    expect(of(certified(16, 16))).not.toContain('Poisson');
    expect(of(certified(5.2029, 5.20295))).toContain('5.203, which does not hold');
    expect(of(poisson.epsilon, { adjacency: 'add-remove' })).toContain(
      'reported ε ≤ 0.9202, for add/remove neighbours.',
    );
    expect(of({ lower: 1, upper: 1, kind: 'estimate' })).not.toContain('Poisson');
    expect(say({ isPoisson: true })).not.toContain('Poisson accounting');
    expect(by({ maxBatchSize: 300 })).not.toContain('Poisson accounting');
  });

  test('a theorem that is not yet peer-reviewed is said to be one, with what holds without', () => {
    const published = { lower: 1.2, upper: 15.78123, kind: 'certified' as const };
    const own = 'The upper bound uses a theorem that is not yet peer-reviewed [HE26]; ';
    expect(say({}, { published })).toContain(`${own}published theorems alone give ε ≤ 15.79.`);
    const none = { ...published, upper: null };
    expect(say({}, { published: none })).toContain(`${own}published theorems alone give no ε.`);
    expect(say()).not.toContain('peer-reviewed');
    const estimate = { lower: 2, upper: 2, kind: 'estimate' as const };
    expect(say({}, { published, epsilon: estimate })).not.toContain('peer-reviewed');
  });
});

describe('quotation: the erratum', () => {
  test('corrects what is refuted', () => {
    const words = erratumOf({ ...quoted, reported: 1.2 }).join(' ');
    expect(words).toMatch(
      /^Erratum: we reported ε = 1\.2 at δ = 10⁻⁵\. That is too small: ε is proved to be at least 5\.203\. Poisson accounting of this run gives ε ≤ 0\.9202\. We trained/,
    );
    expect(words).toContain('training is (15.79, 10⁻⁵)-differentially private');
  });

  test.each<[string, Partial<Quoted>]>([
    ['nothing was reported', {}],
    ['the number holds', { reported: 16 }],
    ['it is open', { reported: 6 }],
    ['releases may be more private', { reported: 1.2, releases: [{ mu: 1 }] }],
    ['delta was asked', { reported: 1.2, asked: 'delta' }],
    ['neighbours differ', { reported: 1.2, answer: { ...answer, adjacency: 'mixed' } }],
  ])('is not written where %s', (_, change) => {
    expect(erratumOf({ ...quoted, ...change })).toEqual([]);
  });
});

describe('quotation: its markups', () => {
  const published = { lower: 1.2, upper: 20, kind: 'certified' as const };
  const own = { citations: ['HP24', 'CG24', 'HE26'], published };
  const sentences = quotationOf({ ...quoted, answer: { ...answer, ...own } });
  const origin = {
    version: '9.8.7',
    date: '2025-11-30',
    link: 'https://x.org/#v1',
    methods: undefined,
  };
  const written = (name: keyof typeof quotationFormats) =>
    quotationFormats[name].render(sentences, origin);

  test('plain text names papers as people do, and keeps them apart', () => {
    expect(written('text')).toContain(
      '[Chua et al. 2024, arXiv:2403.17673; Chua et al. 2024, arXiv:2411.04205]',
    );
    expect(written('text')).toContain('peer-reviewed [Honest Epsilon, 2026]; published theorems');
  });

  test('LaTeX cites by key, Markdown by link, and both the program', () => {
    expect(written('latex')).toContain('using~\\cite{HP24,CG24}.');
    expect(written('latex')).toContain('Honest Epsilon 9.8.7~\\cite{honest-epsilon}');
    expect(written('latex')).not.toMatch(/[^\x20-\x7e]/);
    expect(written('markdown')).toContain(
      '[[Chua et al. 2024, arXiv:2403.17673](https://arxiv.org/abs/2403.17673)',
    );
    expect(written('markdown')).toContain('[Honest Epsilon 9.8.7](https://x.org/#v1)');
    expect(written('model-card')).toMatch(/^## Differential privacy\n\nWe trained [^]*not cover/);
  });
});

test('quotation: its ends hold the computed ones, whatever they are', (context) => {
  const end = fc.double({ min: 1e-9, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(end, end, (a, b) => {
      const [lower, upper] = [Math.min(a, b), Math.max(a, b)];
      const said = say({ poisson: undefined }, { epsilon: certified(lower, upper) });
      const [, most = ''] = /is \((.+?), 10⁻⁵\)-differentially/.exec(said) ?? [];
      const [, least = ''] = /any ε < (\S+)\. /.exec(said) ?? [];
      expect(readPrinted(most), said).toBeGreaterThanOrEqual(upper);
      expect(readPrinted(least), said).toBeLessThanOrEqual(lower);
    }),
    runs(800, context),
  );
});

test('quotation: of every sampler and relation, from the engine, is whole and cites what exists', async () => {
  const engine = await createEngine({ workers: 2 });
  const queries = samplers.flatMap(({ name }) =>
    (['zero-out', 'add-remove', 'substitution'] as const).map((adjacency): Query => {
      const run = {
        ...phase,
        sampler: name,
        adjacency,
        datasetSize: 1000,
        batchSize: 50,
        epochs: 2,
      };
      return { phases: [run], delta: 1e-5 };
    }),
  );
  try {
    for (const query of queries) {
      const own = await engine.epsilon(query);
      const phases = query.phases.map((one) => ({ phase: one as Phase, derived: own.derived }));
      const sentences = quotationOf({ ...quoted, answer: own, poisson: undefined, phases });
      const said = sentences.join(' ');
      const warned = own.warnings.some(({ code }) => code === 'other-neighbours');
      expect(said).toContain(
        `private under ${own.adjacency === 'add-remove' ? 'add/remove' : own.adjacency} neighbours`,
      );
      expect(said.includes('we asked about.'), said).toBe(warned);
      expect(citedIn(sentences).filter((key) => !references[key])).toEqual([]);
      for (const name of quotationNames) {
        expect(quotationFormats[name].render(sentences, facts)).not.toMatch(
          /undefined|NaN|Infinity|\[object/,
        );
      }
    }
  } finally {
    engine.close();
  }
}, 120_000);
