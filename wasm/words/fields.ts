import {
  initialisationQueryFields,
  mixturesQueryFields,
  monteCarloQueryFields,
  phaseFields,
  queryFields,
  shuffleModelQueryFields,
} from '../generated/schema.js';
import type { InputField, Solution } from '../generated/schema.js';
import labels from './choice-labels.json' with { type: 'json' };
import { withThousands } from './number-forms.js';
import { format, type Setting, given, inText } from './numbers.js';
import { kebab } from './kebab.js';
import { calledFor, clientNames } from './record.js';
import { samplerLabel } from './samplers.js';

export function fieldInfo(name: string): InputField {
  const info = [...phaseFields, ...queryFields].find((field) => field.name === name);
  if (!info) throw new Error(`no field ${name}`);
  return info;
}

/** Choices whose names on the wire mean nothing to a reader. */
const choiceLabels: Readonly<Record<string, string>> = labels;

/** A field's choice as a reader knows it. */
export const choiceLabel = (field: string, choice: string): string =>
  field === 'sampler'
    ? samplerLabel(choice, choice)
    : (choiceLabels[`${field} ${choice}`] ?? choiceLabels[choice] ?? choice);

/** A value that was found, in digits that still meet the target: less of a sampling probability is safer. */
export function formatFound(
  { field, value }: Pick<Solution, 'field' | 'value'>,
  setting?: Setting,
) {
  const side = field === 'samplingProbability' ? 'down' : 'up';
  return format(value, { ...setting, side: Number.isInteger(value) ? 'given' : side });
}

/** The engine's text, its fields called as `call` does, and its numbers written for readers. */
function retold(
  text: string,
  field: string,
  call: (name: string, first: boolean) => string | undefined,
) {
  const called = text.startsWith(field) ? call(field, true) : undefined;
  const start = called ?? '';
  const rest = text
    .slice(called === undefined ? 0 : field.length)
    .replaceAll(
      /(?<![\w-])[a-z]+(?:[A-Z][a-z]+)+(?!\w)/g,
      (name, offset: number) => call(name, offset === 0) ?? name,
    );
  const grouped = (start + rest).replaceAll(
    /(?<![\w.,/+-]|process )\d{5,}(?![\w.]*\w)/g,
    (digits) => withThousands(digits),
  );
  // More digits than people give are a computer's.
  return grouped.replaceAll(
    /(= )?(?<![\w./-])(\d+\.\d{7,}(?:e[+-]?\d+)?)(?!\w)/g,
    (_, equals: string | undefined, digits: string) => {
      const text = given(Number(digits), inText);
      return text.startsWith('≈') ? text : `${equals ?? ''}${text}`;
    },
  );
}

/** As a form says it: "Batch size must be at most dataset size 59; got 60". */
export const withLabels = (text: string, field = '', clients = false): string =>
  retold(text, field, (name, first) => {
    const info = [...phaseFields, ...queryFields].find((one) => one.name === name);
    const label = info && calledFor(info, clients).label;
    return first ? label : label?.toLowerCase();
  });

/** The fields of every question that the command asks, but what its first word says. */
const flags: readonly string[] = [
  ...[...phaseFields, ...queryFields, ...monteCarloQueryFields, ...shuffleModelQueryFields],
  ...[...initialisationQueryFields, ...mixturesQueryFields],
]
  .map(({ name }) => name)
  .filter((name) => name !== 'solveFor' && name !== 'question');

/** As the command says it: "--batch-size must be at most --dataset-size 59; got 60". */
export const withFlags = (text: string, field = '', clients = false): string =>
  retold(text, field, (name) => {
    if (name === 'solveFor') return 'what to find';
    const client = clients ? clientNames.find(([of]) => of === name)?.[1] : undefined;
    if (client !== undefined) return `--${kebab(client)}`;
    return flags.includes(name) ? `--${kebab(name)}` : undefined;
  });
