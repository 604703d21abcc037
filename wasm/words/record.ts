/** What a record is, and what fields are called where it is a client. */

import type { Phase, Query, Release } from '../generated/schema.js';

/** THE table of names that federated learning has for fields; as flags and attributes, too. */
const clientLabels: Readonly<Partial<Record<string, string>>> = {
  datasetSize: 'Clients',
  batchSize: 'Clients per round',
  steps: 'Rounds',
  stepsPerEpoch: 'Rounds per epoch',
};

/** The fields with such a name, and the name as a field's: batchSize, clientsPerRound. */
export const clientNames: readonly (readonly [field: string, name: string])[] = Object.entries(
  clientLabels,
).map(([field, label = '']) => {
  return [field, label.toLowerCase().replace(/ (.)/g, (_, letter: string) => letter.toUpperCase())];
});

/** A field as it is called where a record is a client, or an example. */
export const calledFor = <Info extends { name: string; label: string }>(
  info: Info,
  clients: boolean,
): Info => ({ ...info, label: (clients ? clientLabels[info.name] : undefined) ?? info.label });

export const isOfClients = ({ privacyUnit }: { privacyUnit?: string | undefined }): boolean =>
  privacyUnit === 'client';

/** "client" where a record is one, else "record". */
export const unitOf = (of: { privacyUnit?: string | undefined }): string =>
  isOfClients(of) ? 'client' : 'record';

export const asksOfClients = ({ phases }: Pick<Query, 'phases'>): boolean =>
  phases.some((entry: Phase | Release) => 'privacyUnit' in entry && isOfClients(entry));

/** The same of a question in the making: a name of a client's says that a record is one. */
export function withClients(
  phase: Readonly<Record<string, unknown>>,
  named: boolean,
): Record<string, unknown> {
  return named && phase.privacyUnit === undefined
    ? { ...phase, privacyUnit: 'client' }
    : { ...phase };
}
