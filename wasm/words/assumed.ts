import type { AssumptionCode, Grounds } from '../generated/schema.js';

/** An answer's assumption about one thing. */
export const assumed = (
  { assumptions, assumptionCodes }: Pick<Grounds, 'assumptions' | 'assumptionCodes'>,
  about: AssumptionCode,
): string[] => assumptions.filter((_, at) => assumptionCodes[at] === about);
