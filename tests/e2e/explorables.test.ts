import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { download, eventually, fullTest, hashOf, quick, settled, someOf } from './reading.js';
import { visits } from './visits.js';

// The panels look alike, and those that were opened stay.
const { load: visit } = visits();

async function go(panel: string, extra = '', options?: BrowserContextOptions) {
  const visited = await visit(`${quick},panel=${panel}${extra}`, options);
  await settled(visited.page);
  await visited.page.locator('.explorable').waitFor();
  return visited;
}

const said = (page: Page) => page.locator('.explorable-sentence').innerText();
const saying = (page: Page) => eventually(() => said(page));
const input = (page: Page, label: string) =>
  page.locator('.explorable').getByRole('textbox', { name: label });
const cells = (page: Page, table: string, row: string, nth = 0) =>
  page
    .getByRole('region', { name: table })
    .locator('tr', { has: page.getByRole('rowheader', { name: row, exact: true }) })
    .nth(nth)
    .innerText();
// A number between the others, whatever it is.
const joint: unknown = expect.stringMatching(/^\[\d\.\d{3}×10⁻[⁴⁵], \d\.\d{3}×10⁻[⁴⁵]\]$/);
const columns = (text: string) => text.split('\t').map((part) => part.trim());

describe('e2e: the shuffle model, a random start and mixtures', () => {
  test('the shuffle model beside what is proved of it, and what no theorem covers', async () => {
    const asked =
      ',shuffle.local-epsilon=4.444,shuffle.clone=stronger,shuffle.epsilon=0.4,shuffle.delta=';
    const { page, complaints } = await go('shuffle-model', asked);
    await saying(page).toContain('After shuffling, δ ≤ 4.675×10⁻⁵ at ε = 0.4');
    expect(columns(await cells(page, 'δ at each ε', '0.4'))).toEqual([
      '0.4',
      '[4.674×10⁻⁵, 4.675×10⁻⁵]',
      '[4.946×10⁻⁵, 4.947×10⁻⁵]',
      joint,
      'n/a',
    ]);
    expect(await page.locator('.remark').innerText()).toContain('needs more users');
    expect(await page.locator('.explorable .why').innerText()).toContain(
      'no output is more likely',
    );
    await page.getByRole('combobox', { name: 'Clone' }).selectOption('standard');
    await saying(page).toContain('δ ≤ 0.001140 at ε = 0.4');
    expect(await page.locator('.tradeoff-drawing .line').count()).toBe(3);
    const sources = await page
      .locator('.explorable .assumptions a')
      .evaluateAll((list) => list.map((link) => link.getAttribute('href')));
    expect(sources[0]).toBe('./methods.html#shuffle-model');
    expect(sources.slice(1)).toEqual(
      expect.arrayContaining([expect.stringContaining('arxiv.org')]),
    );
    expect(sources.join()).not.toContain('object');
    expect(complaints).toEqual([]);
  });

  test('a random start against clipping alone, and without clipping', async () => {
    const { page } = await go('initialisation', ',start.epsilon=0.5');
    await saying(page).toBe(
      'With the start drawn at random, δ ≤ 0.1606 at ε = 0.5; clipping alone (1-GDP) gives δ ≤ 0.2385.',
    );
    expect(columns(await cells(page, 'The same step without clipping', '0.5'))[1]).toBe(
      '[0.3004, 0.3005]',
    );
    expect(columns(await cells(page, 'Its Rényi divergence', '2'))).toEqual([
      '2',
      'infinite',
      '≤ 1.000',
    ]);
    expect(await page.locator('.remark').innerText()).toContain('infinite from order 1.618 on');
    await input(page, 'Clipping norm').fill('');
    await saying(page).toContain('Without clipping');
    expect(await page.locator('.tradeoff-drawing .line').count()).toBe(1);
    // An empty field is remembered as empty.
    expect(hashOf(page)).toContain('start.clip=');
    await page.reload();
    await saying(page).toContain('Without clipping');
    expect(await input(page, 'Clipping norm').inputValue()).toBe('');
  });

  test('mixtures, both directions, with the weights that were found best', async () => {
    const { page } = await go('mixtures', ',mixtures.epsilon=0.1');
    await saying(page).toBe(
      'At ε = 0.1, δ ≤ 0.08731; advanced joint concavity proves δ ≤ 0.2217, joint concavity δ ≤ 0.3524.',
    );
    expect(columns(await cells(page, 'δ at each ε', '0.1', 1))).toEqual([
      ...['0.1', 'add', '[0.08730, 0.08731]', '≤ 0.2217', '≤ 0.3524', '0.2778', '0.4526'],
    ]);
  });

  const mistakes = {
    'shuffle-model': [
      ['Users', '1.5', 'Users must be a whole number of at least 1; got 1.5.'],
      ['Users', 'x', 'Users must be a whole number, such as 60,000; got “x”.'],
      ['Users', '1.000', 'Users “1.000” is unclear: did you mean 1000 or 1?'],
    ],
    initialisation: [['Noise', 'loud', 'Noise must be a number, such as 0.8 or 1e-5; got “loud”.']],
    mixtures: [
      ['First mean of Q', '', 'is required'],
      ['Epsilon', '1, x', 'Epsilon must be a list of numbers, such as 1, 0.5, 0.375; got “x”.'],
    ],
  } as const;
  test.each(someOf(Object.entries(mistakes), 3))(
    '%s: a mistake is named, and no number stays',
    async (panel, tried) => {
      const { page } = await go(panel);
      const drawing = page.locator('.tradeoff-drawing');
      for (const [label, text, words] of tried) {
        await drawing.waitFor();
        const right = await input(page, label).inputValue();
        await input(page, label).fill(text);
        await eventually(() => page.locator('.explorable .problem').innerText()).toContain(words);
        await saying(page).toContain(`Correct “${label}”.`);
        expect(await drawing.count()).toBe(0);
        expect(await input(page, label).getAttribute('aria-invalid')).toBe('true');
        expect(await input(page, label).inputValue()).toBe(text);
        await input(page, label).fill(right);
      }
    },
  );

  fullTest('what was typed is in the address, and one step back', async () => {
    const { page } = await go('mixtures');
    await page.locator('.tradeoff-drawing').waitFor();
    const [before, first] = [hashOf(page), await said(page)];
    await input(page, 'Weight').fill('1/4');
    await page.getByLabel('logarithmic axis').check();
    await eventually(() => hashOf(page)).toContain('mixtures.axis=log,mixtures.weight=1/4');
    await saying(page).not.toBe(first);
    const typed = await said(page);
    await page.reload();
    await saying(page).toBe(typed);
    expect(await input(page, 'Weight').inputValue()).toBe('1/4');
    expect(await page.getByLabel('logarithmic axis').isChecked()).toBe(true);
    await page.goBack();
    await page.goBack();
    await eventually(() => hashOf(page)).toBe(before);
    await eventually(() => input(page, 'Weight').inputValue()).toBe('1/3');
    await saying(page).toBe(first);
  });

  test('the trade-off is read by key and pointer, listed and saved', async () => {
    const { page } = await go('mixtures');
    const plot = page.getByRole('slider', { name: /^False positive rate/ });
    await plot.focus();
    expect(await plot.getAttribute('aria-valuetext')).toMatch(
      /^False positive rate 0\.01\. exact: false negatives \[?0\.98[^;]*, true positives \[?0\.018[^;]*;/,
    );
    await page.keyboard.press('Home');
    await eventually(() => plot.getAttribute('aria-valuenow')).toBe('0');
    await page.keyboard.press('End');
    await eventually(() => plot.getAttribute('aria-valuetext')).toMatch(
      /false negatives \[?0[^;]*, true positives \[?1/,
    );
    const box = await plot.boundingBox();
    if (!box) throw new Error('the plot is not drawn');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await eventually(async () => Number(await plot.getAttribute('aria-valuenow'))).toBeLessThan(
      0.6,
    );
    const exports = page.getByRole('group', { name: 'Export the trade-off' });
    const csv = await download(page, exports.getByRole('button', { name: 'CSV' }));
    expect(csv.name).toBe('mixtures-tradeoff.csv');
    const lines = csv.content
      .toString()
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('#'));
    expect(lines[0]).toBe('curve,bound,false_positive_rate,false_negative_rate');
    expect(lines).toContain('exact,lower,1,0');
    const svg = await download(page, exports.getByRole('button', { name: 'SVG' }));
    expect(svg.content.toString()).toContain('<title>Trade-off of the best attack, w = 1/3');
    await page.getByText('These curves as a table').click();
    expect(columns(await cells(page, 'Points of the trade-off curves', '0.01'))[1]).toMatch(
      /^\[?0\.98/,
    );
  });
});
