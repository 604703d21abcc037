/** The catalog's facts about samplers, and a run with another sampler's batches. */

import { phaseFields, releaseFields, samplers } from '../generated/schema.js';
import type { Phase, Query, Release, SamplerInfo, SamplerName } from '../generated/schema.js';

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

/** A sampler's name for readers; `composed` is what phases of several samplers are called. */
export const samplerLabel = (name: string, composed: string): string =>
  samplers.find((sampler) => sampler.name === name)?.label ?? composed;

type RunEntry = Phase | Release;

const says = (entry: RunEntry, fields: readonly { name: string }[]) =>
  fields.some(({ name }) => ((entry as Record<string, unknown>)[name] ?? undefined) !== undefined);

/** As the core tells them apart: the two share no field. */
export const isRelease = (entry: RunEntry): entry is Release =>
  says(entry, releaseFields) && !says(entry, phaseFields);

export const isPhase = (entry: RunEntry): entry is Phase => !isRelease(entry);

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
