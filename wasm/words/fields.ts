import { phaseFields, queryFields } from '../generated/schema.js';
import type { InputField } from '../generated/schema.js';

/** A field of a phase or a question as the schema describes it. */
export function fieldInfo(name: string): InputField {
  const info = [...phaseFields, ...queryFields].find((field) => field.name === name);
  if (!info) throw new Error(`no field ${name}`);
  return info;
}

/** The side to which a found value's digits are cut: less of a sampling probability is safer. */
export const safeSide = (name: string) => (name === 'samplingProbability' ? 'down' : 'up');
