import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { methodsPage } from './methods.js';

const loadersSummary = 'Which of these is my data loader?';

/** What people have, which sampler that is, and how to enter it in the form. */
const loaders: readonly (readonly [TemplateResult | string, TemplateResult])[] = [
  [
    html`PyTorch <code>DataLoader(shuffle=True)</code>`,
    html`<b>Shuffled batches</b>. With <code>drop_last=True</code>, tick
      <i>Drop last batch</i> under <i>More about the run</i>: records dropped from an epoch reveal
      nothing in that epoch.`,
  ],
  [
    html`PyTorch <code>DistributedSampler</code>`,
    html`<b>Shuffled batches</b>. One permutation of all records is split across the workers, so the
      batches of all workers at a step are one batch. Enter the batch size of one worker, and the
      number of workers as <i>Devices</i>. Call <code>set_epoch</code> every epoch; otherwise all
      epochs use one order. Set <code>drop_last=True</code> (and tick <i>Drop last batch</i>) unless
      the dataset size is a multiple of the number of workers; otherwise some records are used
      twice, which this tool does not cover. Set a secret <code>seed</code>: the default is 0, and
      batches that anyone can recompute count as deterministic.`,
  ],
  [
    'Fixed shards, each shuffled by its own worker',
    html`<b>Shuffled batches</b>; enter it the same way if all shards have the same size. A record
      is hidden only among the records of its own shard, and <i>T</i> is the number of batches in
      the shard. If shard sizes differ, enter the smallest shard as if it were the whole dataset, on
      one device.`,
  ],
  [
    html`<code>tf.data</code> with <code>shuffle(buffer)</code>`,
    html`<b>Shuffled batches</b> only if the buffer holds the whole dataset. With a smaller buffer,
      a record’s position in the file nearly determines its batch; no known theorem covers that:
      choose <b>Deterministic batches</b>, whose upper end still holds.`,
  ],
  [
    'Shuffled once, the order kept',
    html`<b>Shuffled batches</b>, with <i>Reshuffle</i> set to <i>once</i>.`,
  ],
  [
    html`Opacus, <code>poisson_sampling=True</code>`,
    html`<b>Poisson batches</b>. This is the default of Opacus.`,
  ],
  [
    html`A fresh subset at every step, as <code>torch.randperm(n)[:b]</code>`,
    html`<b>Fixed-size batches</b>.`,
  ],
  [
    html`PyTorch <code>RandomSampler(replacement=True)</code>`,
    html`<b>Fixed-size batches</b>, with <i>With replacement</i> ticked.`,
  ],
];

/** Folded below the samplers: from the loader that the reader has to the sampler to choose. */
export const loaderHelp = () =>
  html`<details class="loaders">
    <summary>${loadersSummary}</summary>
    <dl>
      ${loaders.map(
        ([loader, words]) =>
          html`<dt>${loader}</dt>
            <dd>${words}</dd>`,
      )}
    </dl>
    <p><a href=${`${methodsPage}#loaders`}>Why, and what is not covered</a></p>
  </details>`;
