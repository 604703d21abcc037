import { expect, test } from 'vitest';
import { queryOf, readRun } from '../../../wasm/import/index.js';
import { outcomeOf } from './outcome.js';
import type { Outcome } from './outcome.js';
import { shapes } from './shapes.js';

const counts: Partial<Record<Outcome, number>> = {};

test.each(shapes)('import: $name', (shape) => {
  const run = readRun(shape.text);
  const got =
    'wrong' in run
      ? run
      : {
          query: queryOf(run, undefined),
          missing: run.missing.map(({ field }) => field),
          asks: run.ambiguous.length > 0,
        };
  const outcome = outcomeOf(shape, got);
  counts[outcome] = (counts[outcome] ?? 0) + 1;
  if (!shape.phases) {
    expect(['asked', 'refused by name']).toContain(outcome);
    expect('wrong' in run ? run.wrong.join() : JSON.stringify(run.ambiguous)).toMatch(
      shape.says ?? /./,
    );
    return;
  }
  expect({
    outcome,
    ...('wrong' in run
      ? run
      : {
          query: queryOf(run, undefined),
          ambiguous: run.ambiguous,
          missing: run.missing,
          dangerous: run.dangerous,
        }),
  }).toMatchObject({ outcome: 'right' });
  if ('wrong' in run) return;
  expect(run.epsilon === undefined ? undefined : Number(run.epsilon)).toBe(shape.epsilon);
  expect(run.dangerous.map(({ quote }) => quote).join()).toMatch(shape.dangerous ?? /^$/);
  // Each fact is found where it says.
  for (const { quote, line, column } of run.facts) {
    const rest = shape.text
      .split('\n')
      .slice(line - 1)
      .join('\n')
      .slice(column - 1)
      .replace(/\s+/g, ' ');
    expect(rest.startsWith(quote.replace(/…$/, ''))).toBe(true);
  }
});

test('import: at least 36 of the shapes are read right and whole, none wrong', () => {
  expect(counts.wrong ?? 0).toBe(0);
  expect(counts.right).toBeGreaterThanOrEqual(36);
});
