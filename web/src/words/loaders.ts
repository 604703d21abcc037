import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { methodsPage } from './methods.js';

const loadersSummary = 'Which one is your data loader?';

/** What people have, which sampler that is, and how to enter it in the form. */
const loaders: readonly (readonly [TemplateResult | string, TemplateResult])[] = [
  [
    html`PyTorch <code>DataLoader(shuffle=True)</code>`,
    html`<b>Shuffled batches</b>. With <code>drop_last=True</code>, tick
      <i>Drop last batch</i> under <i>More about the run</i>: the records that an epoch happens to
      leave out reveal nothing in it.`,
  ],
  [
    html`PyTorch <code>DistributedSampler</code>`,
    html`<b>Shuffled batches</b>. One permutation of all records is dealt to the workers, so the
      batches of all workers at a step are one batch. Enter the batch size of one worker, and the
      workers as <i>Devices</i>. Call <code>set_epoch</code> every epoch, or all epochs use one
      order. Unless the workers divide the dataset, set <code>drop_last=True</code> here and in the
      loader and tick <i>Drop last batch</i>: otherwise some records are used twice, which nothing
      here covers. Set a secret <code>seed</code>: it is 0 by default, and batches that others can
      compute are deterministic ones.`,
  ],
  [
    'Fixed shards, each shuffled by its own worker',
    html`<b>Shuffled batches</b>, entered in the same way if all shards are equally long. A record
      hides among the records of its own shard only, and <i>T</i> is the number of the shard’s
      batches. If the shards differ, enter the smallest one as a dataset on one device.`,
  ],
  [
    html`<code>tf.data</code> with <code>shuffle(buffer)</code>`,
    html`<b>Shuffled batches</b> only if the buffer holds the whole dataset. With a smaller one, a
      record’s place in the file nearly tells its batch, and no theorem here covers that: choose
      <b>Deterministic batches</b>, whose upper end holds.`,
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
