import type { AssumptionCode, Grounds } from '../generated/schema.js';

/** What an answer assumes of one thing. */
export const assumed = (
  { assumptions, assumptionCodes }: Pick<Grounds, 'assumptions' | 'assumptionCodes'>,
  about: AssumptionCode,
): string[] => assumptions.filter((_, at) => assumptionCodes[at] === about);
