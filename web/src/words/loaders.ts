import { html, type TemplateResult } from 'lit';

/** What somebody with this loader has to look out for, by the loader's name. */
export const loaderNotes: Readonly<Record<string, TemplateResult>> = {
  dataloader: html`With <code>drop_last=True</code>, tick <i>Drop last batch</i> under
    <i>More about the run</i>: records dropped from an epoch reveal nothing in that epoch.`,
  distributed: html`One permutation of all records is split across the workers, so the batches of
    all workers at a step are one batch. Enter the batch size of one worker, and the number of
    workers as <i>Devices</i>. Call <code>set_epoch</code> every epoch; otherwise all epochs use one
    order. Set <code>drop_last=True</code> (and tick <i>Drop last batch</i>) unless the dataset size
    is a multiple of the number of workers; otherwise some records are used twice, which this tool
    does not cover. Set a secret <code>seed</code>: the default is 0, and batches that anyone can
    recompute count as deterministic.`,
  shards: html`Enter the batch size of one worker, and the number of workers as <i>Devices</i>, if
    all shards have the same size. If shard sizes differ, enter the smallest shard as if it were the
    whole dataset, on one device. A record is hidden only among the records of its own shard.`,
  'small-buffer': html`With a smaller buffer, a record’s position in the file nearly determines its
  batch; no known theorem covers that. The upper end for deterministic batches still holds.`,
  unsure: html`The upper end for deterministic batches holds for any order, so it is safe to report.`,
};
