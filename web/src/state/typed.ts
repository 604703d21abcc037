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
export function typedList(text: string, label: string): readonly number[] | string {
  const parts = text
    .replace(/^\s*[[(]|[\])]\s*$/g, '')
    .split(/[\s,;]+/)
    .filter((part) => part !== '');
  const numbers = parts.map((part) => readNumber(part, 'number'));
  const wrong = numbers.findIndex((one) => typeof one !== 'number');
  if (parts.length === 0) return `${label} is missing; give a list of numbers.`;
  return wrong < 0
    ? (numbers as number[])
    : `${label} must be a list of numbers, such as 1, 0.5, 0.375; got “${parts[wrong]}”.`;
}

/** The number that a field's text is; undefined where it is none, or may be two. */
export function numberIn(field: Pick<InputField, 'type'>, text: string): number | undefined {
  const read = readNumber(text, numberKind(field));
  return typeof read === 'number' ? read : undefined;
}
