/** The number that a reader is told is one number, and it is proved, wherever it stands. */

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { answerText } from '../../wasm/command/text.js';
import { phaseFields, queryFields, samplers } from '../../wasm/generated/schema.js';
import type { Answer, Phase, Query } from '../../wasm/generated/schema.js';
import { isRecord, isResult } from '../../wasm/protocol.js';
import { buildReport, formats, quotationOf } from '../../wasm/report/index.js';
import { judgement, markOf, reportedStanding, restsOnOwnProofs } from '../../wasm/words/claims.js';
import { parseNumber, readNumber } from '../../wasm/words/number-forms.js';
import '../../web/src/components/details.js';
import '../../web/src/components/forest.js';
import '../../web/src/element/view.js';
import { doingOf, headline, sentenceText } from '../../web/src/words/sentence.js';
import { AskedEngine } from '../fuzz/engine.js';
import { runs } from '../fuzz/runs.js';
import { facts } from '../wasm/report-facts.js';

let engine: AskedEngine;
beforeAll(async () => {
  engine = await AskedEngine.load();
});

function answerTo(query: Query): Answer | undefined {
  const outcome: unknown = engine.module.call('answer', {
    question: 'epsilon',
    width: 1e-2,
    ...query,
  });
  const result = isRecord(outcome) ? outcome.result : undefined;
  return isResult('answer', result) ? result[0] : undefined;
}

/** Runs that are answered in milliseconds, of every sampler and every size of epsilon. */
const anyPhase = fc.record({
  sampler: fc.constantFrom(...samplers.map(({ name }) => name)),
  noiseMultiplier: fc.double({ min: -1.2, max: 2, noNaN: true }).map((power) => 10 ** power),
  stepsPerEpoch: fc.integer({ min: 1, max: 100 }),
  epochs: fc.constantFrom(1, 1, 1, 1, 1, 1, 2),
});
const anyQuery = fc.record({
  phases: anyPhase.map((phase): Phase[] => [phase]),
  delta: fc.integer({ min: 2, max: 9 }).map((power) => Number(`1e-${power}`)),
});

/** What a template prints, without a document: its strings and its values. */
function printed(part: unknown): string {
  if (Array.isArray(part)) return part.map(printed).join('');
  if (typeof part === 'string' || typeof part === 'number') return String(part);
  if (!isRecord(part) || !Array.isArray(part.strings) || !Array.isArray(part.values)) return '';
  const { strings, values } = part as { strings: string[]; values: unknown[] };
  return strings.map((text, at) => text + printed(values[at])).join('');
}

/** A component's own rendering with these properties. */
function markupOf(name: string, properties: object): string {
  const Component = customElements.get(name);
  if (!Component) throw new Error(`no component ${name}`);
  const component = Object.assign(new Component(), properties);
  return printed((component as unknown as { render: () => unknown }).render());
}

/** Its text alone. */
const rendered = (name: string, properties: object): string =>
  markupOf(name, properties)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

const number = '([\\d.,]+(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?|10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)';
/** Two ends; the lower one is missing where nothing is proved from below. */
const ends = (before: string, between: string, after: string) =>
  new RegExp(`(?:${before}(?:${number}|–|0)${between}|≤ )${number}${after}`);

interface Told {
  words: string;
  lower?: string | undefined;
  upper: string | undefined;
}

/** A report's part for people; the question below it has all digits. */
const beforeCode = (report: string) =>
  report.slice(0, report.search(/^(## )?I\. /m)).replaceAll(/\s+/g, ' ');

/** Both ends as each place states them, in the spelling of pages. */
function toldOf(query: Query, answer: Answer): Record<string, Told> {
  const { sampler } = answer;
  const phases = query.phases.map((phase) => ({ phase: phase as Phase, derived: answer.derived }));
  const told = {
    ...{ ...facts, query, answer, phases, epsilons: [] },
    ...{ poisson: undefined, tradeoff: undefined },
  };
  const report = buildReport({ ...told, isPoisson: false, reported: undefined });
  const rows = {
    answers: new Map([[sampler, answer]]),
    fresh: new Set([sampler]),
    ...{ own: sampler, refused: new Map(), delta: 'δ' },
  };
  const element = {
    reading: { query, given: [], shown: ['sentence'], problems: new Map() },
    run: { problems: new Map(), state: { ...rows, query, working: false } },
  };
  const words = sentenceText(
    headline(doingOf(query, sampler, answer), answer, undefined, undefined, 1),
  );
  const one = (text: string, upper: string, lower?: string): Told => {
    const find = (pattern?: string) =>
      pattern === undefined ? undefined : new RegExp(pattern).exec(text)?.[1];
    return { words: text, lower: find(lower), upper: find(upper) };
  };
  const both = (text: string, pattern: RegExp): Told => {
    const [, lower, upper] = pattern.exec(text) ?? [];
    return { words: text, lower, upper };
  };
  const sections = report.sections
    .flatMap(({ blocks }) => blocks)
    .filter(({ kind }) => kind !== 'code')
    .map((block) => JSON.stringify(block))
    .join(' ');
  const quoted = ` is \\(${number}, `;
  const claimed = `ε ≤ ${number}†? at`;
  const refuted = `any ε < ${number}\\.`;
  return {
    headline: one(words, `^${claimed}`, `at least ${number}\\.(?: †|$)`),
    element: one(rendered('he-element', element), `ε ≤ ${number}†? at `),
    ladder: both(rendered('he-forest', rows), ends('\\[', ', ', '\\]?†? ')),
    details: one(
      rendered('he-details', { answer, name: sampler }),
      ` at most ${number}†? `,
      ` at least ${number} `,
    ),
    quotation: one(quotationOf(report.facts).join(' '), quoted, refuted),
    report: both(sections, ends('"ε at δ = [^",]+","\\[', ', ', '\\]?†?","proved"')),
    text: one(beforeCode(formats.text.render(report)), quoted, refuted),
    markdown: one(beforeCode(formats.markdown.render(report)), quoted, refuted),
    summary: one(report.summary, `: ${claimed}`, `, at least ${number} \\(`),
    command: one(answerText(answer, 'epsilon'), `^ε ≤ ${number}†? `, `, at least ${number} `),
  };
}

/** Names of the wire, and more digits than anybody gives. */
const unspoken = new RegExp(
  `\\b(?:${[...phaseFields, ...queryFields]
    .map(({ name }) => name)
    .filter((name) => /[A-Z]/.test(name))
    .join('|')})\\b|\\d\\.\\d{7,}`,
);

test('one number: what is promised is proved, the same everywhere, and holds where it is typed in', (context) => {
  let judged = 0;
  const numbers = 100;
  fc.assert(
    fc.property(anyQuery, (query) => {
      const answer = answerTo(query);
      if (!answer || answer.epsilon.upper === null || answer.epsilon.upper === 0) return;
      judged += 1;
      const { lower, upper } = answer.epsilon;
      const told = toldOf(query, answer);
      const promised = told.headline?.upper ?? '';
      for (const [place, { words, upper: most, lower: least }] of Object.entries(told)) {
        expect(words, place).not.toMatch(unspoken);
        expect(most, place).toBe(promised);
        expect(/†|peer-reviewed/.test(words), place).toBe(restsOnOwnProofs(answer));
        if (least !== undefined)
          expect(parseNumber(least), place).toBeLessThanOrEqual(lower ?? Infinity);
      }
      const reported = Number(readNumber(promised, 'number'));
      expect(reported).toBeGreaterThanOrEqual(upper);
      expect(reported).toBeLessThanOrEqual(upper * 1.001);
      const all = { reported, answer, poisson: undefined, releases: 0 };
      expect(reportedStanding(all)).toBe('holds');
      expect(judgement(all)).toBe(
        `That holds: ε is proved to be at most ${promised}${markOf(answer)}.`,
      );
    }),
    runs(numbers, context),
  );
  expect(judged).toBeGreaterThan(0.9 * numbers);
});

test('one number: the ladder says why a row has none in the form’s words', () => {
  const refused = new Map([['poisson', 'batchSize must be at most datasetSize 59; got 60']]);
  const rows = { answers: new Map(), fresh: new Set(), own: 'shuffle', refused };
  const markup = markupOf('he-forest', rows);
  expect(markup).toContain('Batch size must be at most dataset size 59; got 60.');
  expect(markup).not.toContain('datasetSize');
});
