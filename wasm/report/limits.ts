import type { Answer } from '../generated/schema.js';
import { unitOf } from '../words/record.js';
import { list, sentence, type Section } from './block.js';

/** What the numbers say nothing about. */
export const notAssessed: Section = {
  letter: 'J',
  title: 'Not assessed',
  blocks: [
    list([
      'Whether the code does what is stated here: clipping, noise, sampling, random numbers.',
      'Floating-point noise, which does not have exactly the stated distribution.',
      'Side channels, such as the time a step takes or the size of its batch.',
      'Access control, logs, and anything else that leaves the training machine.',
    ]),
  ],
};

/** Against whom they hold. */
export const adversaryOf = (answer: Answer): Section => ({
  letter: 'K',
  title: 'Adversary',
  blocks: [
    sentence(
      `The adversary sees every intermediate model, knows every ${unitOf(answer)} but one, and chooses the worst gradients. Someone who sees only the final model may learn less; we do not claim this.`,
    ),
  ],
});
