/** The catalog's facts about samplers, and a run with another sampler's batches. */

import { phaseFields, releaseFields, samplers } from '../generated/schema.js';
import type {
  Phase,
  Query,
  Release,
  SamplerInfo,
  SamplerName,
  Solution,
} from '../generated/schema.js';

export function samplerInfo(name: SamplerName): SamplerInfo {
  const info = samplers.find((sampler) => sampler.name === name);
  if (!info) throw new Error(`no sampler ${name}`);
  return info;
}

type SamplerFact = {
  [Key in keyof SamplerInfo]: SamplerInfo[Key] extends boolean ? Key : never;
}[keyof SamplerInfo];

/** A fact of the catalog about a sampler; false of several samplers, and where none is named. */
export const isSo = (name: SamplerName | 'composition' | undefined, fact: SamplerFact): boolean =>
  samplers.some((sampler) => sampler.name === name && sampler[fact]);

function samplerWith(fact: SamplerFact): SamplerName {
  const found = samplers.find((sampler) => sampler[fact]);
  if (!found) throw new Error(`no sampler is ${fact}`);
  return found.name;
}

/** The sampler whose epsilon papers report, whatever they drew. */
export const reportedSampler = samplerWith('usuallyReported');
/** How training loops draw batches unless they are told otherwise. */
export const drawnSampler = samplerWith('usuallyDrawn');

const [usualSampler = reportedSampler] = (phaseFields.find(({ name }) => name === 'sampler')
  ?.choices ?? []) as SamplerName[];

/** A phase's sampler: the schema's first choice where none is named. */
export const samplerOf = ({ sampler = usualSampler }: Phase): SamplerName => sampler;

/** A sampler's name for readers; `composed` is what phases of several samplers are called. */
export const samplerLabel = (name: string, composed: string): string =>
  samplers.find((sampler) => sampler.name === name)?.label ?? composed;

type RunEntry = Phase | Release;

type Fields = readonly { name: string }[];

const says = (entry: RunEntry, fields: Fields, others: Fields) =>
  fields.some(
    ({ name }) =>
      ((entry as Record<string, unknown>)[name] ?? undefined) !== undefined &&
      !others.some((other) => other.name === name),
  );

/** As the core does: by the fields that the other has not. */
const isRelease = (entry: RunEntry): entry is Release =>
  says(entry, releaseFields, phaseFields) && !says(entry, phaseFields, releaseFields);

export const isPhase = (entry: RunEntry): entry is Phase => !isRelease(entry);

/** The run with the value that a calibration found put in, as the core did. */
export const filledIn = (
  phases: Query['phases'],
  { field, value, entries, displaced }: Solution,
): Query['phases'] =>
  phases.map((entry, index) => {
    if (!entries.includes(index)) return entry;
    const rest = Object.entries(entry).filter(([name]) => !displaced.includes(name));
    return { ...Object.fromEntries(rest), [field]: value };
  });

/**
 * The same run with every phase's batches drawn by one sampler; batches of one size have no cap, and
 * others are not drawn with replacement.
 */
export function drawnBy(query: Query, sampler: SamplerName): Query {
  const { sizesVary, canReplace } = samplerInfo(sampler);
  const phases = query.phases.map((entry) => {
    if (!isPhase(entry)) return entry;
    const { maxBatchSize, replacement, ...rest } = entry;
    const cap = sizesVary && maxBatchSize !== undefined ? { maxBatchSize } : {};
    const drawn = canReplace && replacement !== undefined ? { replacement } : {};
    return { ...rest, sampler, ...cap, ...drawn };
  });
  return { ...query, phases };
}
