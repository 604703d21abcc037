import { phaseFields, queryFields, releaseFields } from '../../../wasm/generated/schema.js';

const fields = [...phaseFields, ...releaseFields, ...queryFields];

/** A field by its label; one of an entry that is not open has the entry's number before it. */
function named(key: string): string | undefined {
  const [, entry, name] = /^(?:(\d+):)?(?:release-)?(.*)$/.exec(key) ?? [];
  const label =
    name === 'reported' ? 'Reported ε' : fields.find((field) => field.name === name)?.label;
  return label && (entry === undefined ? `“${label}”` : `“${label}” of entry ${entry}`);
}

/** What to correct: the fields may be a screen away. "Correct “Dataset size” and “Batch size”." */
export function toCorrect(problems: Iterable<string>): string {
  const names = [...problems].flatMap((key) => named(key) ?? []);
  const last = names.pop();
  if (last === undefined) return 'Correct the run above.';
  return `Correct ${names.length > 0 ? `${names.join(', ')} and ${last}` : last}.`;
}
