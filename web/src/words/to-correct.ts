import { phaseFields, queryFields, releaseFields } from '../../../wasm/generated/schema.js';

const labelOf = (name: string): string | undefined =>
  name === 'reported'
    ? 'Reported ε'
    : [...phaseFields, ...releaseFields, ...queryFields].find((field) => field.name === name)
        ?.label;

/** What to correct: the field may be a screen away. "Correct “Dataset size”, marked in red." */
export function toCorrect(problems: Iterable<string>): string {
  const names = [...problems];
  const [label] = names.map(labelOf);
  if (names.length > 1) return `Correct the ${String(names.length)} fields marked in red.`;
  return label === undefined
    ? 'Correct the field marked in red.'
    : `Correct “${label}”, marked in red.`;
}
