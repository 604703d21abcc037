import { citedIn } from '../words/references.js';
import type { Facts } from './gather.js';
import { erratumOf, quotationOf } from '../words/quotation.js';
import type { Block, Section } from './block.js';
import { sectionsOf, summaryOf } from './sections.js';

/** A disclosure report before it is put into some markup. */
export interface ReportModel {
  title: string;
  summary: string;
  /** What a paper may write, sentence by sentence. */
  quotation: readonly string[];
  /** The same where a reported epsilon is refuted; else empty. */
  erratum: readonly string[];
  sections: readonly Section[];
  /** Keys of the papers that it names, in the order of their first mention. */
  citations: readonly string[];
  facts: Facts;
}

const nodeTexts = (block: Block): readonly string[] => {
  switch (block.kind) {
    case 'text':
      return [block.text];
    case 'list':
      return block.items;
    case 'rows':
      return block.rows.flat();
    case 'table':
      return [...block.head, ...block.body.flat()];
    case 'code':
      return [];
  }
};

export function buildReport(facts: Facts): ReportModel {
  const sections = sectionsOf(facts);
  const quotation = quotationOf(facts);
  const texts = [...quotation, ...sections.flatMap(({ blocks }) => blocks.flatMap(nodeTexts))];
  return {
    title: 'Differential privacy of a training run',
    summary: summaryOf(facts),
    quotation,
    erratum: erratumOf(facts),
    sections,
    citations: citedIn(texts),
    facts,
  };
}
