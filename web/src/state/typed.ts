import type { InputField } from '../../../wasm/generated/schema.js';
import { askedBack, readNumber, type NumberKind } from '../../../wasm/words/number-forms.js';

/** How the numbers of a field are read; a field that holds none is read as any number. */
export const numberKind = ({ type }: Pick<InputField, 'type'>): NumberKind =>
  type === 'count' || type === 'ranks' ? 'count' : 'number';

const usually: Readonly<Record<NumberKind, string>> = {
  count: 'a whole number, such as 60,000',
  number: 'a number, such as 0.8 or 1e-5',
};

/** A typed number, or the sentence that refuses it; `wanted` is what the field must be. */
export function typedNumber(
  text: string,
  label: string,
  kind: NumberKind,
  wanted = usually[kind],
): number | string {
  if (text.trim() === '') return `${label} is missing; give a number.`;
  const read = readNumber(text, kind);
  if (typeof read === 'object') return `${label} “${text.trim()}” ${askedBack(read)}`;
  return read ?? `${label} must be ${wanted}; got “${text}”.`;
}

/** A typed list, or the sentence that refuses it: 1, 0.5, 0.375, with or without brackets. */
function typedList(
  text: string,
  label: string,
  kind: NumberKind = 'number',
): readonly number[] | string {
  const parts = text
    .replace(/^\s*[[(]|[\])]\s*$/g, '')
    .split(/[\s,;]+/)
    .filter((part) => part !== '');
  const numbers = parts.map((part) => readNumber(part, kind));
  const wrong = numbers.findIndex((one) => typeof one !== 'number');
  if (parts.length === 0) return `${label} is missing; give a list of numbers.`;
  if (wrong < 0) return numbers as number[];
  const wanted =
    kind === 'count' ? 'whole numbers, such as 1, 2, 4' : 'numbers, such as 1, 0.5, 0.375';
  return `${label} must be a list of ${wanted}; got “${parts[wrong]}”.`;
}

export type TypedValue = string | number | boolean | readonly number[];

/** What a field's text says: nothing where it is empty, or the sentence that refuses it. */
export function typedValue(
  { type, label }: Pick<InputField, 'type' | 'label'>,
  text: string,
): { value: TypedValue | undefined } | { problem: string } {
  if (text.trim() === '') return { value: undefined };
  if (type === 'choice') return { value: text };
  if (type === 'flag') return { value: text === 'true' };
  const isList = type === 'numbers' || type === 'ranks';
  const kind = numberKind({ type });
  const read = isList ? typedList(text, label, kind) : typedNumber(text, label, kind);
  return typeof read === 'string' ? { problem: read } : { value: read };
}

/** The number that a field's text is; undefined where it is none, or may be two. */
export function numberIn(field: Pick<InputField, 'type'>, text: string): number | undefined {
  const read = readNumber(text, numberKind(field));
  return typeof read === 'number' ? read : undefined;
}
