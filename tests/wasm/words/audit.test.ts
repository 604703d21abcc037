import { expect, test } from 'vitest';
import type { AuditAnswer } from '../../../wasm/generated/schema.js';
import { percent, auditLowerWords, auditOf, auditVerdict } from '../../../wasm/words/audit.js';
import { facts } from '../report-facts.js';

const audit: AuditAnswer = {
  ...facts.answer,
  epsilon: { lower: 2.1988, upper: null, kind: 'confidence' },
  delta: 1e-5,
  confidence: 0.95,
};

test('audit: what is refuted is rounded down; a lower end of 0 refutes nothing', () => {
  expect(auditLowerWords(audit)).toBe('ε ≥ 2.198 at δ = 10⁻⁵, with 95 % confidence');
  expect(auditLowerWords({ ...audit, epsilon: { ...audit.epsilon, lower: 0 } })).toBe(
    'no ε above 0 is refuted at δ = 10⁻⁵, with 95 % confidence',
  );
});

test('audit: counts over many runs have a p-value', () => {
  const counts = {
    ...audit,
    methodCode: 'audit-counts' as const,
    pValue: 0.0321,
    contradicts: true,
  };
  expect(auditVerdict(counts)).toMatch(/Such counts have a p-value of at most 0\.033\.$/);
  expect(auditOf({ phases: [], members: 5, truePositives: [3] })).toMatchObject({ members: 5 });
  expect(auditOf({ phases: [], delta: 1e-5 })).toEqual({});
});

test('audit: it contradicts a run or is consistent with it, with a probability rounded up', () => {
  expect(auditVerdict(audit)).toBeUndefined();
  expect(auditVerdict({ ...audit, pValue: 0.00611, contradicts: true })).toBe(
    'The audit contradicts shuffled batches as described, with 95 % confidence. This many correct guesses have a probability of at most 0.0062.',
  );
  expect(auditVerdict({ ...audit, sampler: 'composition', pValue: 1, contradicts: false })).toBe(
    'The audit is consistent with these phases together as described. This many correct guesses is not surprising for such a run.',
  );
});

test('audit: a confidence has all its nines, and is never 100 %', () => {
  expect([0.95, 0.999, 0.57, 1 - 1e-10].map(percent)).toEqual([
    '95 %',
    '99.9 %',
    '57 %',
    '99.99999999 %',
  ]);
  expect(percent(1 - 2 ** -53)).toBe('99.999999999999 %');
});
