import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFinds, eventually, field, hashOf, idle, overflow, quick, settled } from './reading.js';
import { visits } from './visits.js';

const { go, load } = visits();

const box = (page: Page) => page.locator('#paste-text');
const open = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const choose = (page: Page, sampler: string) =>
  page.locator('he-paste').getByRole('button', { name: sampler, exact: true }).click();

describe('e2e: paste to fill', () => {
  test('a sentence fills the form once its sampler is told, and the way back is one step', async () => {
    const { page, complaints } = await go(`${quick},${idle}`);
    await settled(page);
    const before = hashOf(page);
    await open(page, 'a config or a paper’s text');
    await eventually(() =>
      page.evaluate(() => document.querySelector('he-page')?.shadowRoot?.activeElement?.id),
    ).toBe('paste-text');
    await box(page).fill(
      'sigma = 1.1, batch size 50, 2 epochs, n = 5,000, learning rate 0.25, (3, 1e-6)-DP',
    );
    const said = page.locator('he-paste');
    await said.getByText('Noise multiplier 1.1').waitFor();
    await said.getByText('Ignored: learning rate 0.25.').waitFor();
    expect(hashOf(page)).toBe(before);
    await choose(page, 'Poisson batches');
    await eventually(() => hashOf(page)).toBe(
      '#v1,sampler=poisson,noise-multiplier=1.1,dataset-size=5%2C000,batch-size=50,epochs=2,delta=1e-6,reported=3,panel=embed',
    );
    await settled(page);
    expect(await box(page).isVisible()).toBe(false);
    // What was typed is still there, and so is the run before.
    await open(page, 'a config or a paper’s text');
    expect(await box(page).inputValue()).toContain('learning rate');
    await page.goBack();
    await eventually(() => hashOf(page)).toBe(before);
    expect(complaints).toEqual([]);
  });

  test('a federated run is one of clients, and noise may be that of an average, down to the quotation', async () => {
    const { page, complaints } = await go(quick);
    await settled(page);
    await open(page, 'a config or a paper’s text');
    await box(page).fill(
      'num_clients: 1000\nclients_per_round: 20\nrounds: 50\nlocal_epochs: 3\nnoise_multiplier: 1.1\n',
    );
    await choose(page, 'Poisson batches');
    const clients = field(page, 'Clients per round');
    await eventually(() => clients.inputValue()).toBe('20');
    await settled(page);
    await page.getByText('is proved for Poisson batches of clients').waitFor();
    await clients.fill('2000');
    await page.getByText('Clients per round must be at most clients 1000; got 2000.').waitFor();
    await clients.fill('20');
    await page.locator('details.more summary').click();
    await page.locator('#field-noiseUnit').selectOption('average');
    await page.locator('#field-noiseStddev').fill('0.055');
    await page.getByText('Clipping norm is missing').waitFor();
    await page.locator('#field-clippingNorm').fill('1');
    await settled(page);
    await page
      .getByText(
        '1,000 clients, 20 clients per round expected, 50 rounds, 3 local epochs, σ = 1.1 from standard deviation 0.055 of the average, clipping norm 1',
      )
      .waitFor();
    expect(complaints).toEqual([]);
  });

  test('what a file does not say is asked for, and what it cannot mean is named', async () => {
    const { page } = await go(`${quick},${idle}`);
    await open(page, 'a config or a paper’s text');
    await box(page).fill('DiscreteGaussianDpEvent(1.0)');
    await page.getByText('DiscreteGaussianDpEvent is not accounted for here.').waitFor();
    expect(await page.locator('.paste-samplers').count()).toBe(0);
    await box(page).fill(
      '{"per_device_train_batch_size": 10, "num_train_epochs": 3, "max_steps": -1}',
    );
    await page.locator('.paste-missing').getByText('Dataset size').waitFor();
    await choose(page, 'Shuffled batches');
    await eventually(() => field(page, 'Dataset size').inputValue()).toBe('');
    expect(await field(page, 'Dataset size').evaluate((input) => input.matches(':focus'))).toBe(
      true,
    );
    await page.locator('#field-datasetSize-problem').waitFor();
    await page.locator('#field-noiseMultiplier-problem').waitFor();
  });

  test('who changes their mind is where they were; who plans a run is asked for the epsilon to meet', async () => {
    const { page } = await go(`${quick},${idle}`);
    await open(page, 'a config or a paper’s text');
    await box(page).waitFor();
    await page.keyboard.press('Escape');
    await box(page).waitFor({ state: 'hidden' });
    const opener = page.getByRole('button', { name: 'a config or a paper’s text' });
    await eventually(() => opener.evaluate((one) => one.matches(':focus'))).toBe(true);
    await open(page, 'a target ε');
    await page.locator('#field-epsilon:focus').waitFor();
    expect(hashOf(page)).toContain('solve-for=noise');
  });

  test('what has two readings is asked first, what may change the answer stands above it', async () => {
    const { page } = await go(`${quick},${idle}`);
    await open(page, 'a config or a paper’s text');
    await box(page).fill(
      'n: 5000\nbatch_size: 50\nepochs: 2\nsigma: 1.1\nworld_size: 4\nnoise_std: 3\n',
    );
    await page.getByText('Is the batch of 50 that of a whole step').waitFor();
    expect(await page.locator('.paste-samplers').count()).toBe(0);
    expect(await page.locator('.paste-dangers').innerText()).toContain('noise_std: 3');
    await page.getByRole('button', { name: '200 in a step' }).click();
    await choose(page, 'Poisson batches');
    await eventually(() => hashOf(page)).toContain('devices=4');
    expect(hashOf(page)).toContain('batch-size=50');
  });

  test('the readers of formats are fetched once there is something to read', async () => {
    const { page } = await load(`${quick},${idle}`);
    const scripts = () =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    await open(page, 'a config or a paper’s text');
    await box(page).waitFor();
    const before = await scripts();
    await box(page).fill('sigma = 1');
    await page.getByText('Noise multiplier 1').waitFor();
    expect((await scripts()).length).toBeGreaterThan(before.length);
  });

  test('nothing typed is lost where the readers cannot be fetched', async () => {
    const { page } = await load(`${quick},${idle}`);
    await open(page, 'a config or a paper’s text');
    await box(page).waitFor();
    await page.route(/\/import-[^/]*\.js$/, (route) => route.abort());
    await box(page).fill('sigma = 1.1\nepochs = 3');
    await page.getByText('The reader could not be fetched').waitFor();
    expect(await box(page).inputValue()).toBe('sigma = 1.1\nepochs = 3');
  });

  test('its two columns are readable, one above the other where they are narrow; axe finds nothing', async () => {
    const { page } = await go(`${quick},${idle}`);
    await open(page, 'a config or a paper’s text');
    await box(page).fill('n: 5000\nbatch_size: 50\nepochs: 2\nnoise_multiplier: 1.1\n');
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 900 });
      const cell = page.locator('he-paste dd').first();
      await cell.waitFor();
      const [value, list] = await Promise.all([
        cell.boundingBox(),
        page.locator('he-paste dl').boundingBox(),
      ]);
      expect(value?.width ?? 0).toBeGreaterThan(0.45 * (list?.width ?? 0));
    }
    await box(page).fill("{'history': [(1.1, 0.00390625, 14040)], 'mechanism': 'rdp'}");
    await page.locator('.paste-samplers').waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await axeFinds(page)).toEqual([]);
  });
});
