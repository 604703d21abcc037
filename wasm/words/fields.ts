import { phaseFields, queryFields } from '../generated/schema.js';
import type { InputField, Solution } from '../generated/schema.js';
import { format } from './numbers.js';
import type { Setting } from './numbers.js';
import { kebab } from './kebab.js';

/** A field of a phase or a question as the schema describes it. */
export function fieldInfo(name: string): InputField {
  const info = [...phaseFields, ...queryFields].find((field) => field.name === name);
  if (!info) throw new Error(`no field ${name}`);
  return info;
}

/** A value that was found, in digits that still meet the target: less of a sampling probability is safer. */
export function formatFound(
  { field, value }: Pick<Solution, 'field' | 'value'>,
  setting?: Setting,
) {
  const side = field === 'samplingProbability' ? 'down' : 'up';
  return format(value, { ...setting, side: Number.isInteger(value) ? 'given' : side });
}

const known = [...phaseFields, ...queryFields];

/** The engine's text, its fields called as `call` does, and its numbers written for readers. */
function retold(
  text: string,
  field: string | undefined,
  call: (info: InputField, first: boolean) => string,
) {
  const subject = known.find(({ name }) => name === field && text.startsWith(name));
  const start = subject ? call(subject, true) : '';
  const rest = text
    .slice(subject?.name.length ?? 0)
    .replaceAll(/(?<![\w-])[a-z]+(?:[A-Z][a-z]+)+(?!\w)/g, (name, offset: number) => {
      const info = known.find((other) => other.name === name);
      return info ? call(info, start === '' && offset === 0) : name;
    });
  // More digits than people give are a computer's.
  return (start + rest).replaceAll(
    /(= )?(?<![\w./-])(\d+\.\d{7,}(?:e[+-]?\d+)?)(?!\w)/g,
    (_, equals: string | undefined, digits: string) => {
      const text = format(Number(digits), { side: 'given', medium: 'text' });
      return text.startsWith('≈') ? text : `${equals ?? ''}${text}`;
    },
  );
}

/** As a form says it: "Batch size must be at most dataset size 59; got 60". */
export const withLabels = (text: string, field?: string): string =>
  retold(text, field, ({ label }, first) => (first ? label : label.toLowerCase()));

/** As the command says it: "--batch-size must be at most --dataset-size 59; got 60". */
export const withFlags = (text: string, field?: string): string =>
  // What to solve for is the command's own word.
  retold(text, field, ({ name }) => (name === 'solveFor' ? 'what to find' : `--${kebab(name)}`));
