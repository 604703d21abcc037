import type { InputField } from '../generated/schema.js';
import { kebab } from './kebab.js';

/** Edit distance with adjacent swaps: the typos people make. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; ++i) {
    const row = [i];
    for (let j = 1; j <= b.length; ++j) {
      const changed = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + changed);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/**
 * The name that was probably meant: one that begins like it, since people shorten names, else the
 * nearest by edit distance, if any is near at all.
 */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const shortened = names.filter((name) => typed.length > 2 && name.startsWith(typed));
  if (shortened[0] !== undefined) return shortened[0];
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(typed.length / 3)) + 1;
  for (const name of names) {
    const d = distance(typed, name);
    if (d < bestDistance) {
      best = name;
      bestDistance = d;
    }
  }
  return best;
}

/** The papers' letters that people spell out. */
const letters: Readonly<Record<string, string>> = { σ: 'sigma', δ: 'delta', ε: 'epsilon' };

/**
 * The flag or attribute that was probably meant: a field goes by its letter, its name and its label
 * (`--sigma`, `--noise-multiplir`, `--neighbors`), any of `others` by its name.
 */
export function meantName(
  typed: string,
  fields: readonly Pick<InputField, 'name' | 'label' | 'symbol'>[],
  others: readonly string[],
): string | undefined {
  const byLetter = fields.find(
    ({ symbol }) => symbol !== '' && (symbol === typed || letters[symbol] === typed),
  );
  if (byLetter) return kebab(byLetter.name);
  const names = new Map([
    ...fields.map(
      ({ label, name }) => [label.toLowerCase().replaceAll(' ', '-'), kebab(name)] as const,
    ),
    ...[...fields.map(({ name }) => kebab(name)), ...others].map((name) => [name, name] as const),
  ]);
  return names.get(nearest(typed, [...names.keys()]) ?? '');
}
