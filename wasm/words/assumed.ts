import type { AssumptionCode, Grounds } from '../generated/schema.js';

export const assumed = (
  { assumptions, assumptionCodes }: Pick<Grounds, 'assumptions' | 'assumptionCodes'>,
  about: AssumptionCode,
): string[] => assumptions.filter((_, at) => assumptionCodes[at] === about);
