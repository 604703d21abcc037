import type { Meaning } from './fields.js';
import type { Said } from './imported-run.js';
import { Sayings } from './sayings.js';

const federatedOwn: readonly Meaning[] = [
  ...(['datasetSize', 'batchSize', 'stepBatch', 'deviceBatch', 'steps'] as const),
  ...(['stepsPerEpoch', 'accumulationSteps', 'devices', 'dropLast'] as const),
];
const ofClients: Partial<Record<Meaning, Meaning>> = {
  ...{ clients: 'datasetSize', clientsPerRound: 'batchSize', rounds: 'steps' },
  ...{ clientFraction: 'samplingProbability', epochs: 'localEpochs' },
};
/** Words that say that each client protects its own examples. */
const exampleLevel =
  /\b(?:record|example|sample|instance)[- ]level|\bmake_private\w*|\bPrivacyEngine\b|\b(?:local|on-device) DP-?SGD/i;

/** What of a federated run is the server's, and what each client's own. */
export class FederatedSayings extends Sayings {
  /** Of a federated run the clients are the records; its batches and epochs are each client's own. */
  protected federate(): void {
    const federated =
      this.says('clientsPerRound', 'clientFraction') ||
      (this.says('clients') && this.says('rounds'));
    const ofExamples = federated ? exampleLevel.exec(this.text)?.[0] : undefined;
    const unit =
      ofExamples === undefined
        ? 0
        : this.ask(
            'record',
            `The text is about clients and says “${ofExamples}”. What is a record?`,
            [
              'a client, whose whole update is clipped: a round is a step',
              'an example: the run is one client’s own training, in every round',
            ],
            [...federatedOwn, 'epochs', 'samplingProbability'],
          );
    if (unit === 1) {
      this.ofOneClient();
      return;
    }
    this.clients = federated;
    const both = this.says('localEpochs');
    this.said = this.said.flatMap((one) => {
      const { fact, meaning } = one;
      if (!federated && meaning === 'epochs') return [one];
      if (federated && (federatedOwn.includes(meaning) || (both && meaning === 'epochs')))
        this.ignore(fact, 'each client’s own');
      else if (!federated && meaning === 'clients')
        this.danger(fact, 'it is not clear who the clients are');
      else return [{ ...one, meaning: ofClients[meaning] ?? meaning }];
      return [];
    });
  }

  /** At the level of examples each client is a run of its own, which takes part in every round at most. */
  private ofOneClient(): void {
    const rounds = this.ofMeaning('rounds') ?? 1;
    const epochs: Meaning = this.says('localEpochs') ? 'localEpochs' : 'epochs';
    const some = this.says(epochs);
    this.said = this.said.flatMap((one): Said[] => {
      const { fact, meaning, value } = one;
      if (meaning === (some ? epochs : 'rounds') && value !== undefined) {
        const all = some ? value * rounds : value;
        return [{ ...one, meaning: 'epochs', value: all, text: String(all) }];
      }
      if (!/^(clients|clientsPerRound|clientFraction|rounds|epochs)$/.test(meaning)) return [one];
      this.ignore(fact, 'not of one client’s own training');
      return [];
    });
  }
}
