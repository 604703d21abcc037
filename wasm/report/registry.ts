import { assumed } from '../words/assumed.js';
import type { ReportModel } from './model.js';
import { quotationText } from './text.js';
import { mechanismWords } from './words.js';

/** Every JSON text is a YAML scalar. */
const scalar = (value: string | number): string => JSON.stringify(value);

/** A key and its text; without one the line is a comment, for the person who files the entry. */
const entry = (depth: number, key: string, value: string | number | undefined): string =>
  value === undefined
    ? `${'  '.repeat(depth)}# ${key}: ''`
    : `${'  '.repeat(depth)}${key}: ${scalar(value)}`;

/** The guarantee as the registry writes it; empty where no finite one is proved. */
function parameters({ answer }: ReportModel['facts']): string[] {
  const { epsilon, delta } = answer;
  const proved = epsilon.kind === 'certified' || epsilon.kind === 'bound';
  if (!proved || epsilon.upper === null || delta.upper === null)
    return ['    # privacy_parameters: no finite guarantee is proved'];
  return [
    '    privacy_parameters:',
    entry(3, 'epsilon', epsilon.upper),
    entry(3, 'delta', delta.upper),
  ];
}

/**
 * An entry of the deployments registry that OpenDP keeps and NIST proposed to host, by the keys of its
 * template: filled in as far as a run states its facts, the rest left as comments.
 */
export function registry({ summary, quotation, facts }: ReportModel): string {
  const { answer, phases, date } = facts;
  const persons = phases.some(({ phase }) => (phase.recordsPerUser ?? 1) > 1);
  const mechanisms = new Set(
    phases.map(({ phase }) => mechanismWords[phase.mechanism ?? 'gaussian']),
  );
  const unassessed = answer.tuning
    ? `Tuning is part of the guarantee: ${summary}`
    : 'Not part of the guarantee.';
  const open = (...keys: string[]) => keys.map((key) => entry(2, key, undefined));
  return `${[
    entry(0, 'url_slug', undefined),
    'deployment:',
    '  basic:',
    ...open('name', 'description', 'intended_use', 'data_product_region', 'data_product_sector'),
    '    # data_curators: []',
    entry(2, 'data_product_type', 'Machine learning model'),
    entry(2, 'publication_date', date),
    '  dp_variant:',
    entry(2, 'variant_name', 'Approximate DP'),
    ...open('data_domain', 'unprotected_quantities'),
    '  privacy_loss:',
    entry(2, 'privacy_unit', persons ? 'User-level' : 'Record-level'),
    entry(2, 'privacy_unit_details', assumed(answer, 'neighbours')[0]),
    ...parameters(facts),
    entry(2, 'privacy_parameters_details', quotationText(quotation)),
    '  deployment_model:',
    entry(2, 'model_name', 'Central'),
    ...open('trust_assumptions', 'actors', 'release_type', 'data_source_type', 'access_type'),
    '  implementation:',
    entry(2, 'preprocessing_and_hyperparameter_tuning', unassessed),
    entry(2, 'mechanisms', [...mechanisms].join('; ')),
    entry(2, 'composition', `${answer.method}; ${answer.derived.steps} steps`),
    entry(
      2,
      'post_processing',
      'Every iterate may be published; what is computed from them costs nothing more.',
    ),
    ...open('justification', 'utility'),
    entry(2, 'additional_information', facts.link),
    '  administrative:',
    '    # evidence_sources: {}',
    entry(2, 'status', 'Draft'),
    '    # registry_authors: []',
    entry(2, 'tier', 3),
  ].join('\n')}\n`;
}
