import { describe, expect, test } from 'vitest';
import { axeFinds, eventually, field, hashOf, idle, quick, sentence, settled } from './reading.js';
import { visits } from './visits.js';

const { go: visit } = visits();

describe('e2e: the best of several runs', () => {
  test('the group is folded, is answered as the cost of the whole search, and is in the link', async () => {
    const { page, complaints } = await visit(`${quick},noise-multiplier=2,${idle}`);
    await settled(page);
    const tuning = page.getByLabel('Runs tried');
    expect(await tuning.isVisible()).toBe(false);
    const before = await sentence(page).innerText();
    await page.locator('details.more > summary').click();
    await tuning.selectOption('geometric');
    await eventually(() => sentence(page).innerText()).toContain(
      'the best of several runs (number of runs: geometric, mean 10)',
    );
    expect(await sentence(page).innerText()).toContain('A single run has ε ≤ ');
    expect(hashOf(page)).toContain('tuning=geometric');
    await field(page, 'Number of runs').fill('1/2');
    await page.getByText('Number of runs must be a finite number above 1').first().waitFor();
    await field(page, 'Number of runs').fill('30');
    await eventually(() => sentence(page).innerText()).toContain('mean 30)');
    expect(hashOf(page)).toContain('runs=30');
    await tuning.selectOption('none');
    await eventually(() => sentence(page).innerText()).toBe(before);
    expect(complaints).toEqual([]);
  });
});

describe('e2e: what other trainers do, and other targets than ε', () => {
  test('noise is found for an attack’s advantage, and the quotation is of that run', async () => {
    const { page, complaints } = await visit(`${quick},solve-for=noise,${idle}`);
    await settled(page);
    await page.getByLabel('Target', { exact: true }).selectOption('advantage');
    await eventually(() => sentence(page).innerText()).toContain(
      'meets advantage of the best attack ≤ 0.1 for deterministic batches.',
    );
    expect(await page.locator('#field-targetAt').count()).toBe(0);
    expect(hashOf(page)).toContain('target=advantage,');
    await page.getByLabel('Target', { exact: true }).selectOption('accuracy');
    await eventually(() => sentence(page).innerText()).toContain('≤ 0.6 at prior 0.5');
    await page.locator('#field-targetValue').fill('0.4');
    await page.getByText('must be above 0.5, which guessing achieves').first().waitFor();
    expect(complaints).toEqual([]);
  });

  test('bands are folded, for Poisson batches alone, and a varying divisor is not assessed', async () => {
    const { page, complaints } = await visit(
      `#v1,sampler=poisson,dataset-size=100,batch-size=10,noise-multiplier=2,${idle}`,
    );
    await settled(page);
    const before = await sentence(page).innerText();
    expect(await field(page, 'Bands').isVisible()).toBe(false);
    await page.locator('details.more > summary').click();
    await field(page, 'Bands').fill('4');
    await eventually(() => sentence(page).innerText()).not.toBe(before);
    expect(hashOf(page)).toContain('bands=4');
    await page.getByLabel('Divides by actual batch size').check();
    await page.getByText('not assessed').first().waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('e2e: an audit', () => {
  const audited = `${quick},noise-multiplier=2,panel=tradeoff`;
  const outcome = 'he-audit .audit-claim';

  test('right guesses refute the run or not, beside the proof, and are in the link', async () => {
    const { page, complaints } = await visit(audited);
    await settled(page);
    await field(page, 'Canaries').fill('1000');
    await field(page, 'Guesses').first().fill('100');
    await field(page, 'Correct guesses').fill('95');
    await page.locator(outcome).waitFor();
    expect(await page.locator(outcome).innerText()).toMatch(
      /^By the audit, ε ≥ 2\.\d+ at δ = 10⁻⁵/,
    );
    await page.getByText('contradicts deterministic batches as described').waitFor();
    expect(hashOf(page)).toContain('correct=95');
    expect(await axeFinds(page)).toEqual([]);
    await field(page, 'Correct guesses').fill('52');
    await page.getByText('consistent with deterministic batches as described').waitFor();
    await field(page, 'Correct guesses').fill('101');
    await page.getByText('must be at most the 100 guesses; got 101').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a link opens it', async () => {
    const numbers = 'tradeoff.canaries=1000,tradeoff.guesses=100,tradeoff.correct=99';
    const { page } = await visit(`${audited},${numbers}`);
    await page.locator(outcome).waitFor();
    expect(await field(page, 'Correct guesses').inputValue()).toBe('99');
  });
});
