import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { samplers } from '../../wasm/generated/schema.js';
import { eventually, fullTest, settled, someOf, tenBatches } from './reading.js';
import { visits } from './visits.js';

const { go } = visits();

/** Does what a person does, by what a person sees, and counts it. */
class Person {
  interactions = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  private async act(does: () => Promise<unknown>): Promise<void> {
    this.interactions += 1;
    await does();
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  click = (name: string) => this.act(() => this.button(name).click());

  fill = (label: string, text: string) =>
    this.act(() => this.page.getByRole('textbox', { name: label }).fill(text));

  choose = (label: string, option: string) =>
    this.act(() =>
      this.page.getByRole('combobox', { name: label }).selectOption({ label: option }),
    );

  async paste(text: string): Promise<void> {
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await this.act(() => this.page.keyboard.press('ControlOrMeta+V'));
  }

  /** Once the answers above rest: as they arrive they may move the button from under the pointer. */
  async copyQuotation(): Promise<void> {
    await settled(this.page);
    await this.click('Copy quotation');
    await this.button('Copied').waitFor();
  }

  clipboard = () => this.page.evaluate(() => navigator.clipboard.readText());
}

/** Whole runs as they are pasted, one for each way of reading, and what the quotation says of them. */
const texts: readonly (readonly [name: string, text: string, says: RegExp])[] = [
  ['an Opacus history', "{'history': [(1.1, 0.01, 200)], 'mechanism': 'prv'}", /σ = 1\.1/],
  [
    'a YAML file',
    'data:\n  num_examples: 5000\ntraining:\n  batch_size: 50\n  num_epochs: 2\nprivacy:\n  noise_multiplier: 1.4\n',
    /n = 5,000, b = 50 expected, 2 epochs, 200 steps, σ = 1\.4/,
  ],
  [
    'a sentence from a paper',
    'We use sigma = 1.6, batch size 50 and train for 2 epochs on n = 5,000 records.',
    /n = 5,000, b = 50 expected, 2 epochs, 200 steps, σ = 1\.6/,
  ],
];

/** With plain spaces: none of these may break a line. */
const spaced = (text: string) => text.replaceAll('\u00a0', ' ');

describe('e2e: tasks, by what a person sees', () => {
  test('the quotation of an empty page takes one interaction', async () => {
    const { page, complaints } = await go();
    const person = new Person(page);
    await person.copyQuotation();
    expect(await person.clipboard()).toBe(
      'We trained with DP-SGD on shuffled batches (n = 60,000, b = 60, 1 epoch, σ = 0.7). Even if every intermediate model is released, training is (6.653, 10⁻⁵)-differentially private under zero-out neighbours. It is not (ε, 10⁻⁵)-differentially private for any ε < 6.528. Poisson accounting would have reported ε ≤ 0.6090, which does not hold for shuffled batches [Chua et al. 2024]. Bounds computed with Honest Epsilon 0.2.0, using [Chua et al. 2024].',
    );
    expect(person.interactions).toBe(1);
    expect(complaints).toEqual([]);
  });

  test.each(someOf(texts, 2))('the quotation of %s takes three', async (_, text, says) => {
    const { page, complaints } = await go();
    const person = new Person(page);
    await page.getByRole('heading', { name: 'The run', exact: true }).waitFor();
    await person.paste(text);
    await person.click('Poisson batches');
    const quotation = page.getByRole('tabpanel', { name: 'Cite' });
    await eventually(async () => spaced(await quotation.innerText())).toMatch(says);
    await person.copyQuotation();
    expect(spaced(await person.clipboard())).toMatch(says);
    expect(person.interactions).toBe(3);
    expect(complaints).toEqual([]);
  });

  fullTest('the noise for epsilon 3 under every sampler takes two', async () => {
    const { page } = await go(`#v1,${tenBatches}`);
    const person = new Person(page);
    await person.choose('Find', 'Noise multiplier');
    await person.fill('Epsilon', '3');
    const table = page.getByRole('table', { name: /^To meet ε = 3 / });
    await table.waitFor();
    for (const { label } of samplers) {
      const row = table.getByRole('row').filter({ hasText: label });
      await eventually(() => row.innerText(), label).toMatch(/\t\d[\d.]*/);
    }
    expect(person.interactions).toBe(2);
  });
});
