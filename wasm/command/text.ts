import type { Comparison } from '../client.js';
import { phaseFields, samplers } from '../generated/schema.js';
import type { Answer, Derived, Interval, Warning } from '../generated/schema.js';
import { columns } from './flags.js';
import { showGiven, showInterval } from './numbers.js';

type Asked = 'epsilon' | 'delta';

const symbols: Record<Asked, string> = { epsilon: 'ε', delta: 'δ' };

function labelOf(sampler: string): string {
  return samplers.find(({ name }) => name === sampler)?.label ?? sampler;
}

function given(answer: Answer, asked: Asked): string {
  const other = asked === 'epsilon' ? 'delta' : 'epsilon';
  return `at ${symbols[other]} = ${showInterval(answer[other])}`;
}

function claim(name: string, value: Interval): string {
  const relation = value.lower !== null && value.lower === value.upper ? '=' : '∈';
  return `${name} ${relation} ${showInterval(value)}`;
}

function showDerived(derived: Derived): string {
  const known: Record<string, string> = Object.fromEntries(
    phaseFields.map(({ name, label }) => [name, label.toLowerCase()]),
  );
  return Object.entries(derived as unknown as Record<string, number>)
    .map(([name, value]) => `${known[name] ?? name} ${showGiven(value)}`)
    .join(', ');
}

function showWarnings(warnings: readonly Warning[]): [string, string][] {
  return warnings.map(({ code, text }) => ['warning', `${text} (${code})`]);
}

/** One answer as a person reads it. */
export function answerText(answer: Answer, asked: Asked): string {
  const value = answer[asked];
  const rows: [string, string][] = [
    ['remove', showInterval(answer.directions.remove)],
    ['add', showInterval(answer.directions.add)],
    ['method', answer.method],
    ['schedule', showDerived(answer.derived)],
    ...answer.assumptions.map((text): [string, string] => ['assumes', text]),
    ...showWarnings(answer.warnings),
  ];
  if (answer.conjecture) {
    rows.splice(2, 0, ['if conjectured', showInterval(answer.conjecture)]);
  }
  const head = `${claim(symbols[asked], value)}  ${given(answer, asked)}  (${value.kind})`;
  return `${head}\n${labelOf(answer.sampler)}\n${columns(rows)}\n`;
}

/** Every sampler's answer, a row each. */
export function comparisonText({ answers }: Comparison, asked: Asked): string {
  const [first] = answers;
  if (!first) return '';
  const header = ['sampler', symbols[asked], 'remove', 'add', ''];
  const rows = answers.map((answer) => [
    labelOf(answer.sampler),
    showInterval(answer[asked]),
    showInterval(answer.directions.remove),
    showInterval(answer.directions.add),
    answer[asked].kind,
  ]);
  const table = [header, ...rows];
  const widths = header.map((_, i) => Math.max(...table.map((row) => row[i]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  // A warning that several samplers share is said once, with their names.
  const sharers = new Map<string, string[]>();
  for (const { sampler, warnings } of answers) {
    for (const { code, text } of warnings) {
      const key = `${text} (${code})`;
      sharers.set(key, [...(sharers.get(key) ?? []), labelOf(sampler)]);
    }
  }
  const notes = [...sharers].map(([text, names]) =>
    names.length === answers.length ? `warning: ${text}` : `${names.join(', ')}: ${text}`,
  );
  const head = `${symbols[asked]} ${given(first, asked)}, for each way to draw the batches`;
  return `${[head, '', ...lines, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n')}\n`;
}
