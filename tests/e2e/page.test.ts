import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { commandPath } from '../../wasm/words/command-name.js';
import { samplers } from '../../wasm/generated/schema.js';
import {
  axeFinds,
  crossHair,
  cutChoices,
  download,
  draw,
  ends,
  drawing,
  eventually,
  field,
  follow,
  fullTest,
  hashOf,
  idle,
  overflow,
  quick,
  refined,
  row,
  sentence,
  publicPage,
  publish,
  settled,
  someOf,
  tenBatches,
  value,
} from './reading.js';
import { builtPolicy, serve } from './server.js';
import { wholeAddressOf } from '../../web/src/state/address.js';
import { defaultState } from '../../web/src/state/scenario.js';
import { visits } from './visits.js';

const { go, load, addressOf } = visits();

const problem = (page: Page, name: string) => page.locator(`#field-${name}-problem`);

/** The samplers of rows, in their order. */
const namesOf = (rows: Element[]) =>
  rows.map(({ className }) => /\bs-([\w-]+)/.exec(className)?.[1] ?? '');

describe('e2e: the form', () => {
  test('no list cuts what is chosen, from a phone to a desktop', async () => {
    const { page } = await go(
      `#v1,${tenBatches},sampler=poisson,solve-for=noise,tuning=poisson,runs=3,more=shown,${idle}`,
    );
    await page.locator('#field-noiseUnit').waitFor();
    for (const width of someOf([390, 820, 1000, 1280], 2)) {
      await page.setViewportSize({ width, height: 800 });
      const cut = await cutChoices(page.locator('he-scenario .field, .described'));
      expect(cut, String(width)).toEqual([]);
    }
  });
});

describe('e2e: the answer', () => {
  test('a first visit is answered for every sampler, in the picker’s order', async () => {
    const { page, complaints } = await go();
    await settled(page);
    expect(await page.locator('.forest-row').count()).toBe(samplers.length);
    expect(await page.locator('.forest-row').evaluateAll(namesOf)).toEqual(
      samplers.map(({ name }) => name),
    );
    expect(await page.locator('.forest-row.own').evaluateAll(namesOf)).toEqual(['shuffle']);
    expect(await page.locator('.ladder h2').innerText()).toBe(
      'Shuffled batches: 10.9 times the ε that Poisson accounting reports',
    );
    expect(await row(page, 'shuffle').locator('.times').innerText()).toBe('10.9 ×');
    expect(await sentence(page).innerText()).toMatch(
      /^ε\s≤\s6\.653 at δ\s=\s10⁻⁵ is proved for shuffled batches; the true value is at least 6\.528\. Poisson accounting would give ε\s≤\s0\.6090, which does not apply to this run\.$/,
    );
    // HP24, Figure 5: deterministic batches cost 6.652.
    expect(await value(page, 'deterministic').innerText()).toContain('[6.652, 6.653]');
    const [lower, upper] = await ends(page, 'deterministic');
    expect(lower).toBeLessThanOrEqual(6.6525);
    expect(upper).toBeGreaterThanOrEqual(6.652);
    // There: shuffling costs at least 6.528, and Poisson accounting would say at most 0.61.
    expect(await value(page, 'shuffle').innerText()).toContain('[6.528, 6.653]');
    const [least, most] = await ends(page, 'poisson');
    expect(least).toBeGreaterThan(0.6);
    expect(most).toBeLessThanOrEqual(0.61);
    expect(complaints).toEqual([]);
  });

  test('what is typed is answered, whichever way the run is told', async () => {
    const { page } = await go(`#v1,${drawing}`);
    await settled(page);
    await page.getByLabel('Described by').selectOption('steps');
    await field(page, 'Sampling probability').fill('1/10_000');
    await field(page, 'Steps').fill('1e4');
    await field(page, 'Noise multiplier').fill('.5');
    await field(page, 'Delta').fill('1e-6');
    await settled(page);
    // HP24, Figure 4: deterministic 10.997.
    await eventually(() => value(page, 'deterministic').innerText()).toContain('[10.99, 11.00]');
    expect(await page.locator('.derived').innerText()).toContain('10,000 steps');
    await eventually(() => page.locator('#curve-title').innerText()).toContain(
      'σ = 0.5, 10,000 steps',
    );
  });

  test('leads on: to its proof, directions, a reported value, kept draws, other samplers, presets', async () => {
    const { page } = await go(`#v1,${idle}`);
    await settled(page);
    // A number says how it is known.
    const number = value(page, 'shuffle').locator('.number');
    await number.click();
    const card = page.locator('he-details');
    await card.getByText('How Private are DP-SGD Implementations?').waitFor();
    expect(await card.innerText()).toMatch(/at most\s+6\.653\s+at least\s+6\.528\s+gap\s+2 %/);
    await card.getByRole('button', { name: 'Copy as JSON' }).click();
    await card.getByText('Copied').waitFor();
    const copied: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied).toMatchObject({ sampler: 'shuffle', delta: { lower: 1e-5, upper: 1e-5 } });
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'hidden' });
    await eventually(() => page.locator('.number:focus').count()).toBe(1);
    // By the button where there is no key: focus goes back to the number.
    await number.click();
    await card.getByRole('button', { name: 'Close' }).click();
    await card.waitFor({ state: 'hidden' });
    await eventually(() => page.locator('.number:focus').count()).toBe(1);

    // Remove and add are drawn in a row that is open.
    expect(await page.locator('.forest .directions').count()).toBe(0);
    await number.click();
    await eventually(() => page.locator('.forest .directions').count()).toBe(1);
    await number.click();

    // A reported epsilon is drawn as a diamond and held against the proof.
    await page.getByRole('button', { name: 'Check a reported epsilon' }).click();
    await page.locator('#field-reported:focus').waitFor();
    await field(page, 'Reported').fill('0.1');
    await page.locator('.forest-row.own .reported').waitFor();
    await settled(page);
    await field(page, 'Reported').fill('50');
    await eventually(() => page.locator('.aside').innerText()).toContain('valid but loose bound');
    await field(page, 'Reported').fill('');
    await settled(page);

    // The choice between fresh and kept draws appears with the second epoch.
    const choice = page.getByRole('combobox', { name: 'Reshuffle' });
    expect(await choice.count()).toBe(0);
    await field(page, 'Epochs').fill('4');
    await settled(page);
    expect(await sentence(page).innerText()).toContain('is proved for reshuffled batches');
    await choice.selectOption('once');
    await settled(page);
    expect(await sentence(page).innerText()).toContain('batches shuffled once and reused');
    expect(page.url()).toContain('reshuffle=once');
    await field(page, 'Epochs').fill('1');
    await settled(page);

    // Another sampler is one click, and says what it would have been.
    await draw(page, 'Poisson');
    await settled(page);
    await page.locator('.forest-row.own.s-poisson').waitFor();
    expect(await sentence(page).innerText()).toMatch(
      /^ε\s≤\s0\.6090 at .* is proved for Poisson batches, exact to four digits\. Shuffled batches would/,
    );

    // A preset fills the form.
    await page.getByLabel('Example').selectOption({ label: 'MNIST tutorial' });
    await settled(page);
    expect(await field(page, 'Steps').inputValue()).toBe('14062');
    expect(await sentence(page).innerText()).toContain('for Poisson batches');
  });
});

describe('e2e: the address', () => {
  test('holds the state there and back, and each step of it', async () => {
    const { page } = await go(`#v1,${tenBatches},${idle}`);
    await settled(page);
    const before = await sentence(page).innerText();
    await field(page, 'Noise multiplier').fill('0.9');
    await settled(page);
    const after = await sentence(page).innerText();
    expect(after).not.toBe(before);
    await page.goBack();
    await eventually(() => sentence(page).innerText()).toBe(before);
    expect(await field(page, 'Noise multiplier').inputValue()).toBe('2');
    await page.goForward();
    await eventually(() => sentence(page).innerText()).toBe(after);
    await draw(page, 'Balls-and-bins');
    await settled(page);
    const said = await sentence(page).innerText();
    const { hash } = new URL(page.url());
    expect(hash).toBe(`#v1,sampler=balls-and-bins,${tenBatches.replace('=2', '=0.9')},${idle}`);
    const { page: other } = await go(hash);
    await settled(other);
    expect(await sentence(other).innerText()).toBe(said);
    expect(await field(other, 'Noise multiplier').inputValue()).toBe('0.9');
    expect(await other.getByLabel('How did you load batches?').inputValue()).toBe('balls');
  });

  test('that cannot be read is named, and the run is said not to be the link’s', async () => {
    const { page } = await go('#garbage');
    const alert = page.locator('.note');
    for (const [hash, named] of [
      ['#garbage', '“garbage”'],
      ['#sampler=foo', '“sampler=foo”'],
      ['#v1,unknown=3', '“unknown=3”'],
      ['#v2,noise-multiplier=3', '“v2”'],
      ['#v1,sampler=roulette', '“sampler=roulette”: sampler must be poisson'],
    ] as const) {
      await follow(page, hash);
      await alert.getByText(named).waitFor();
      expect(await alert.getAttribute('role')).toBe('alert');
      expect(await alert.innerText()).toContain('not the run in the link');
    }
    await settled(page);
    // A copied link has the run that stands there.
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Link copied').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(addressOf(wholeAddressOf(defaultState)));
    // To look around changes nothing about it; to edit the run makes it the reader's own.
    await page.getByRole('tab', { name: 'Embed' }).click();
    expect(await alert.count()).toBe(1);
    await field(page, 'Noise multiplier').fill('4');
    await eventually(() => alert.count()).toBe(0);
    // A panel names what of its part cannot be read.
    await follow(page, `${quick},curves.kind=spiral,curves.colour=red`);
    const inPanel = page.locator('#panel-curves').getByRole('alert');
    await inPanel.getByText('“kind=spiral”: kind must be').waitFor();
    await inPanel.getByText('“colour”').waitFor();
  });
});

describe('e2e: mistakes', () => {
  const mistakes: [string, string, string, string, string][] = [
    ['Noise multiplier', 'noiseMultiplier', 'abc', 'a number', '0.7'],
    ['Dataset size', 'datasetSize', '', 'missing', '100'],
  ];
  test('are refused under the field, and kept until they are mended', async () => {
    const { page } = await go(`${quick},${idle}`);
    await settled(page);
    for (const [label, name, text, reason, mended] of mistakes) {
      const which = `${label} “${text}”`;
      const input = field(page, label);
      await input.fill(text);
      await problem(page, name).waitFor();
      expect(await problem(page, name).innerText(), which).toContain(reason);
      expect(await problem(page, name).innerText(), which).toContain(label);
      expect(await input.inputValue()).toBe(text);
      expect(await input.getAttribute('aria-invalid'), which).toBe('true');
      expect(await input.getAttribute('aria-describedby'), which).toBe(`field-${name}-problem`);
      // Nothing may look like an answer to it.
      expect(await page.locator('.forest-row .number').count(), which).toBe(0);
      expect(await page.locator('.forest .tick-label').count(), which).toBe(0);
      await input.fill(mended);
      await settled(page);
      expect(await problem(page, name).count(), which).toBe(0);
    }
  });

  test('an odd but valid run is answered, with a warning', async () => {
    const { page, complaints } = await go(`${quick},${idle}`);
    await settled(page);
    await field(page, 'Delta').fill('0.5');
    await settled(page);
    await page.locator('.warnings li').first().waitFor();
    expect(complaints).toEqual([]);
  });
});

test('e2e: a headline of fewer lines than the last one moves nothing below it', async () => {
  const { page } = await go(`#v1,epochs=10,${idle}`);
  const below = async () => (await page.locator('.scenario-column').boundingBox())?.y;
  await eventually(() => sentence(page).innerText()).toContain('published theorems alone');
  await settled(page);
  const before = await below();
  await field(page, 'Epochs').fill('1');
  await eventually(() => sentence(page).innerText()).toContain('6.528');
  expect(await below()).toEqual(before);
});

describe('e2e: the curve', () => {
  async function drawn(page: Page): Promise<void> {
    await settled(page);
    const lines = page.locator('svg.curve .line:not(.stale)');
    await eventually(() => lines.count()).toBe(samplers.length);
    await refined(page);
  }

  test('is drawn for every sampler, read under the pointer and by keyboard, lit, tabled and left out', async () => {
    const { page } = await go(`${quick},${drawing}`);
    await drawn(page);
    const frame = page.locator('he-curve .read-out');
    await frame.scrollIntoViewIfNeeded();
    const place = await frame.boundingBox();
    if (!place) throw new Error('the curve has no place');
    await page.mouse.move(place.x + place.width / 3, place.y + place.height / 2);
    const key = page.locator('.key-row.s-deterministic .key-value');
    // First read off the drawing, then proved on the spot.
    await eventually(() => key.innerText()).toMatch(/^(\d|\[)/);
    expect(await page.locator('.key-head').innerText()).toMatch(/^δ at ε = [\d.]+$/);

    const slider = crossHair(page);
    const before = await page.locator('.key-head').innerText();
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await eventually(() => page.locator('.key-head').innerText()).not.toBe(before);

    // A row of the plot lights its curve.
    await row(page, 'deterministic').hover();
    await page.locator('svg.curve .line.s-shuffle.quiet').waitFor({ state: 'attached' });
    expect(await page.locator('svg.curve .line.s-deterministic.quiet').count()).toBe(0);

    await page.getByText('as a table').click();
    expect(await page.locator('.points tbody tr').count()).toBe(33 * samplers.length);
    await page.locator('.key-row.s-poisson input').uncheck();
    await eventually(() => page.locator('svg.curve .line').count()).toBe(samplers.length - 1);
    expect(page.url()).toContain('hide=poisson');
  });

  test('a curve that the mouse unticks fades no other one, on the page and in what is saved', async () => {
    // As high as the chart and its key: nothing scrolls away from under the mouse.
    const { page } = await go(`${quick},${drawing}`, { viewport: { width: 1280, height: 1800 } });
    await drawn(page);
    const quiet = page.locator('svg.curve .quiet');
    const poisson = page.locator('.key-row.s-poisson');
    await poisson.hover();
    await eventually(() => quiet.count()).toBeGreaterThan(0);
    // A drawing is saved as it is at rest, whatever the reader points at.
    const pointed = await exportedFromKeyboard(page, 'SVG');
    expect(pointed).not.toMatch(/ opacity="0\.\d+"/);
    await eventually(() => quiet.count()).toBeGreaterThan(0);
    await poisson.click();
    await eventually(() => page.locator('svg.curve .line').count()).toBe(samplers.length - 1);
    expect(await quiet.count()).toBe(0);
    await page.mouse.move(0, 0);
    await row(page, 'shuffle').hover();
    await eventually(() => quiet.count()).toBeGreaterThan(0);
    await page.mouse.move(0, 0);
    await eventually(() => quiet.count()).toBe(0);
    expect(await exportedFromKeyboard(page, 'SVG')).not.toMatch(/ opacity="0\.\d+"/);
  });

  test('where none is drawn yet, keys lead nowhere: it begins at the scenario’s own point', async () => {
    const { page } = await go(`${quick},${drawing},delta=two`);
    const slider = crossHair(page);
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    expect(await slider.isDisabled()).toBe(true);
    expect(await slider.getAttribute('aria-valuetext')).toBe('no curve yet');
    await field(page, 'Delta').fill('1e-5');
    await drawn(page);
    expect(await slider.isDisabled()).toBe(false);
    const [, upper] = await ends(page, 'deterministic');
    expect(Number(await slider.getAttribute('aria-valuenow'))).toBeCloseTo(upper, 2);
  });

  /** The mouse stays where it is. */
  async function exportedFromKeyboard(page: Page, name: string): Promise<string> {
    const button = page.getByRole('button', { name, exact: true });
    await button.focus();
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    return readFile(await file.path(), 'utf8');
  }

  const exported = async (page: Page, name: string) =>
    (await download(page, page.getByRole('button', { name, exact: true }))).content;

  test('goes out as SVG, PNG and CSV with its parameters, for the screen and for a journal', async () => {
    const { page, complaints } = await go(`${quick},${drawing}`);
    await drawn(page);
    expect((await exported(page, 'SVG')).toString()).not.toContain('127.0.0.1');
    await publish(page);
    const svg = (await exported(page, 'SVG')).toString();
    const run = 'Deterministic batches, σ = 0.7, 1 step, q = 1, δ = 10⁻⁵';
    const title = 'Deterministic batches: the same ε for Poisson batches';
    expect(svg).toContain(`<title>${title}, δ at ε, ${run}</title>`);
    // The same above the drawing; the finding and the version below it; the link inside.
    expect(svg).toContain(`>${title}</text>`);
    expect(svg).toContain(`>δ at ε, ${run}</text>`);
    expect(svg).toMatch(
      />ε ≤ [\d.]+ at δ = 10⁻⁵ is proved for deterministic batches, exact to four digits\.<\/text>/,
    );
    expect(svg).toMatch(/>Honest Epsilon [\d.]+<\/text>/);
    expect(svg).toMatch(
      /<desc>ε ≤ [^]*Honest Epsilon [\d.]+; https:\/\/example\.org\/epsilon\/#v1,.*adjacency=/,
    );
    expect(svg).not.toMatch(/class=|<!--/);
    expect(svg.match(/<path /g)?.length).toBeGreaterThanOrEqual(samplers.length);
    expect((await exported(page, 'PNG')).subarray(1, 4).toString()).toBe('PNG');
    const lines = (await exported(page, 'CSV')).toString().trim().split('\n');
    // Two lines say what it is, and one for each curve of which run.
    const head = 2 + samplers.length;
    expect(lines[head]).toBe('sampler,epsilon,delta_lower,delta_upper,kind');
    expect(lines.length - head - 1).toBe(33 * samplers.length);
    for (const line of lines.slice(head + 1)) {
      const [, , lower, upper] = line.split(',').map(Number);
      expect(lower).toBeLessThanOrEqual(upper ?? NaN);
    }

    // As wide as a journal's column, every curve named and told apart by its mark.
    const onScreen = () => page.locator('svg.curve').getAttribute('width').then(Number);
    // As soon as the page has its own width.
    await expect.poll(onScreen).toBeGreaterThan(300);
    const before = await onScreen();
    const width = page.getByRole('combobox', { name: 'Width of the figure' });
    for (const [label, inches] of [
      ['one column, 3.35 in', 3.35],
      ['two columns, 7 in', 7],
    ] as const) {
      await width.selectOption({ label });
      const svg = (await exported(page, 'SVG')).toString();
      expect(svg).toMatch(new RegExp(`<svg[^>]* width="${String(inches)}in"`));
      // A journal's page is white.
      expect(svg).toContain('<rect width="100%" height="100%" fill="rgb(255, 255, 255)"');
      for (const { label: name } of samplers)
        expect(svg).toMatch(new RegExp(`[>, ]${name}( for [^<,]+)?[<,]`));
      const marks = [...svg.matchAll(/data-line="([^"]+)"(?:(?!data-line).)*?data-mark/gs)];
      expect(new Set(marks.map(([, name]) => name)).size).toBe(samplers.length);
      // What holds for other neighbours than the run's says so.
      expect(svg).toMatch(/[>"]Fixed-size batches for add\/remove neighbours[<"]/);
      const png = await exported(page, 'PNG');
      expect(png.readUInt32BE(16)).toBe(600 * inches);
    }
    expect(await onScreen()).toBe(before);
    expect(await page.locator('svg.curve .line:has([data-mark])').count()).toBe(samplers.length);
    expect(complaints).toEqual([]);
  });

  test('goes out as PDF by the print dialog: the picture alone, on a page of its size', async () => {
    const { page, complaints } = await go(`${quick},${drawing}`);
    await drawn(page);
    await page.getByLabel('Width of the figure').selectOption({ label: 'one column, 3.35 in' });
    await page.evaluate(() => {
      const { prototype } = HTMLIFrameElement;
      const view = Object.getOwnPropertyDescriptor(prototype, 'contentWindow');
      Object.defineProperty(prototype, 'contentWindow', {
        get(this: HTMLIFrameElement) {
          const inside = view?.get?.call(this) as Window;
          inside.print = () => {
            const [sheet] = inside.document.adoptedStyleSheets;
            const [rule] = sheet?.cssRules ?? [];
            const words = inside.document.body.innerText;
            Object.assign(window, { printed: [rule?.cssText, words, inside.document.title] });
            inside.dispatchEvent(new Event('afterprint'));
          };
          return inside;
        },
      });
    });
    await page.getByRole('button', { name: 'PDF', exact: true }).click();
    const printed = () =>
      page.evaluate(() => (window as unknown as { printed?: string[] }).printed ?? []);
    await eventually(printed).toHaveLength(3);
    const [rule, words, title] = await printed();
    expect(rule).toMatch(/^@page \{.*size: 321\.6px [\d.]+px;/);
    expect(words).toContain('epsilon ε');
    expect(title).toBe('delta-epsilon');
    expect(await page.locator('iframe').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('the reader chooses a linear or a logarithmic axis, and the link keeps it', async () => {
    const { page } = await go(`${quick},${drawing}`);
    await drawn(page);
    const named = { name: 'logarithmic ε axis' };
    const toggle = page.locator('#panel-curves').getByRole('checkbox', named);
    expect(await page.locator('svg.curve .tick-label').allTextContents()).toContain('0');
    expect(await toggle.isChecked()).toBe(false);
    await toggle.check();
    await eventually(() => hashOf(page)).toContain('curves.axis=log');
    await page.getByRole('region', { name: 'Every sampler' }).getByRole('checkbox', named).check();
    await eventually(() => hashOf(page)).toContain(',axis=log');
    await eventually(() => page.locator('svg.curve .tick-label').allTextContents()).not.toContain(
      '0',
    );
    await page.getByRole('radio', { name: 'ε vs noise' }).check();
    await drawn(page);
    expect(await toggle.isChecked()).toBe(true);
    await toggle.uncheck();
    await eventually(() => page.locator('svg.curve .tick-label').allTextContents()).toContain('0');
  });

  test('goes out in plain colours, those of a light page, its axes named in words', async () => {
    const { page } = await go(`${quick},${drawing}`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('he-page').evaluate((host) => {
      host.style.setProperty('--poisson', 'oklch(0.7 0.1 230)');
      host.style.setProperty('--shuffle', 'color-mix(in srgb, red 50%, transparent)');
    });
    await drawn(page);
    const svg = (await exported(page, 'SVG')).toString();
    const colours = [...svg.matchAll(/ (?:fill|stroke)="([^"]*)"/g)].map(([, colour]) => colour);
    for (const colour of colours) expect(colour).toMatch(/^(rgb\(\d+, \d+, \d+\)|none|url\(.*)$/);
    expect(svg).not.toMatch(/var\(|light-dark|color-mix|oklch|color\(/);
    expect(svg).toContain('<rect width="100%" height="100%" fill="rgb(253, 252, 249)"');
    // The words around the drawing, too; names have the colours of their curves.
    const inks = [...svg.matchAll(/<text(?! data-label)[^>]* fill="rgb\((\d+), (\d+), (\d+)\)"/g)];
    expect(inks.length).toBeGreaterThan(10);
    for (const [text, ...ink] of inks) expect(Math.max(...ink.map(Number)), text).toBeLessThan(128);
    expect(svg).toContain('>epsilon ε</text>');
    expect(svg).toContain('stroke="rgb(255, 0, 0)"');
    expect(svg).toContain('stroke-opacity="0.50');
  });
});

describe('e2e: more about the run', () => {
  const more = (page: Page) => page.locator('details.more > summary');

  test('is one click away, and what is unusual in it stays in sight', async () => {
    const { page, complaints } = await go(`${quick},${idle}`);
    await settled(page);
    const mechanism = page.getByRole('combobox', { name: 'Mechanism' });
    expect(await mechanism.isVisible()).toBe(false);
    await more(page).click();
    await mechanism.selectOption('laplace');
    await field(page, 'Records per user').fill('2');
    await settled(page);
    expect(page.url()).toContain('more=shown');
    expect(page.url()).toMatch(/mechanism=laplace/);
    await more(page).click();
    expect(await mechanism.isVisible()).toBe(false);
    expect(await more(page).innerText()).toBe(
      'More about the run: Laplace noise, records per user 2',
    );
    await eventually(() => page.url()).not.toContain('more=shown');
    expect(complaints).toEqual([]);
  });

  test('a field that the sampler cannot use is hidden, and keeps its text', async () => {
    const { page } = await go(`#v1,more=shown,sampler=poisson,max-batch-size=90,${idle}`);
    await settled(page);
    const cap = field(page, 'Maximum batch size');
    expect(await page.locator('.derived').innerText()).toMatch(
      /Batches hold 60 records on average; 99 % hold at most \d+; in 99\.9 % of runs none exceeds \d+\. Some batch/,
    );
    await draw(page, 'Shuffle');
    expect(await cap.count()).toBe(0);
    expect(await page.locator('he-scenario :disabled').count()).toBe(0);
    expect(await field(page, 'Participations').count()).toBe(0);
    await draw(page, 'Balls-and-bins');
    expect(await field(page, 'Participations').count()).toBe(1);
    expect(await cap.inputValue()).toBe('90');
  });

  test('a run that one sampler alone can do leaves the others out, and says why', async () => {
    const { page } = await go(`#v1,sampler=balls-and-bins,participations=2,${idle}`);
    await eventually(() => sentence(page).innerText()).toContain('2 participations per epoch');
    await page.locator('main:not(.refining-now)').waitFor();
    expect(await page.locator('.forest-row .number').count()).toBe(1);
    expect(await value(page, 'poisson').innerText()).toBe('not for this run');
    expect(await page.locator('.forest-details.s-poisson').innerText()).toContain(
      'this many times per epoch',
    );
  });

  test('fixed-size batches sampled with replacement: from the box to the quotation', async () => {
    const { page } = await go(`#v1,sampler=poisson,${tenBatches}`);
    await settled(page);
    const again = page.locator('#field-replacement');
    expect(await again.isVisible()).toBe(false);
    await draw(page, 'Fixed-size batches');
    await settled(page);
    const distinct = await value(page, 'without-replacement').innerText();
    await again.check();
    await eventually(() => sentence(page).innerText()).toContain('sampled with replacement');
    await settled(page);
    expect(page.url()).toContain('replacement=true');
    expect(await value(page, 'without-replacement').innerText()).not.toBe(distinct);
    await eventually(() => page.locator('.quotation').innerText()).toContain(
      'fixed-size batches, a new one at every step, sampled with replacement (',
    );
  });

  fullTest('substitution says that it moves a sum by twice the clipping norm', async () => {
    const { page } = await go(
      `#v1,more=shown,sampler=poisson,${tenBatches},adjacency=substitution,${idle}`,
    );
    await settled(page);
    const words = 'twice the clipping norm';
    expect(await page.locator('.assumptions').innerText()).toContain(words);
  });
});

describe('e2e: other accountants', () => {
  test('stand in a row that is open', async () => {
    const { page } = await go(`#v1,sampler=poisson,${tenBatches},${idle}`);
    await settled(page);
    expect(await page.locator('.forest .others').count()).toBe(0);
    await value(page, 'poisson').locator('.number').click();
    const own = row(page, 'poisson');
    await own.locator('.others').waitFor();
    expect(await own.locator('.others').textContent()).toMatch(/Rényi ≤ [\d.]+\s+GDP ≈ [\d.]+/);
    // An estimate is a hollow dot; a bound fades; neither has two ends.
    expect(await own.locator('.others .hollow').count()).toBe(1);
    expect(await own.locator('.others linearGradient').count()).toBe(1);
  });

  test('alone: a bound has no lower end, an estimate none at all', async () => {
    const { page, complaints } = await go(
      `#v1,sampler=poisson,${tenBatches},accountant=rdp,${idle}`,
    );
    await settled(page);
    expect(await value(page, 'poisson').innerText()).toMatch(/^≤ /);
    expect(await sentence(page).innerText()).toMatch(
      /^ε\s≤\s\S+ at .* is proved for Poisson batches\./,
    );
    expect(await page.locator('.forest .others').count()).toBe(0);
    await follow(page, `#v1,sampler=poisson,accountant=gdp,${idle}`);
    await settled(page);
    expect(await value(page, 'poisson').innerText()).toMatch(/^≈ /);
    expect(await sentence(page).innerText()).toContain(
      'is estimated, not proved, for Poisson batches',
    );
    expect(await row(page, 'poisson').locator('.hollow').count()).toBe(1);
    // No formula at all: said in every place, drawn in none.
    await follow(page, `#v1,sampler=poisson,accountant=gdp,mechanism=laplace,${idle}`);
    await settled(page);
    expect(await value(page, 'poisson').innerText()).toContain('no bound');
    expect(await sentence(page).innerText()).toContain('Nothing is proved about ε');
    expect(await row(page, 'poisson').locator('.tick, .hollow, .bar').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe('e2e: what is solved for', () => {
  const solve = (page: Page) => page.getByRole('combobox', { name: 'Find' });

  test('a noise multiplier is found, shown large, and taken into the run', async () => {
    const { page, complaints } = await go(`#v1,sampler=poisson,${tenBatches},epochs=2,${idle}`);
    await settled(page);
    await solve(page).selectOption({ label: 'Noise multiplier' });
    await settled(page);
    expect(await sentence(page).innerText()).toMatch(
      /^Noise multiplier [\d.]+ meets ε\s=\s2 at δ\s=\s10⁻⁵ for Poisson batches\.$/,
    );
    expect(await page.locator('.aside').innerText()).toMatch(/^At this noise multiplier, ε /);
    expect(page.url()).toContain('solve-for=noise');
    const found = await page.locator('output.found').innerText();
    const [, upper] = await ends(page, 'poisson');
    expect(upper).toBeLessThanOrEqual(2);
    expect(upper).toBeGreaterThan(1.99);
    await field(page, 'Epsilon').fill('1');
    await eventually(() => sentence(page).innerText()).toMatch(/meets ε\s=\s1 at/);
    await settled(page);
    expect(Number(await page.locator('output.found').innerText())).toBeGreaterThan(Number(found));
    // What was typed is there again, until the value is taken.
    await solve(page).selectOption({ label: 'Epsilon' });
    expect(await field(page, 'Noise multiplier').inputValue()).toBe('2');
    await page.goBack();
    await settled(page);
    const taken = await page.locator('output.found').innerText();
    await page.getByRole('button', { name: 'Use this value' }).click();
    await settled(page);
    expect(await field(page, 'Noise multiplier').inputValue()).toBe(taken);
    expect((await ends(page, 'poisson'))[1]).toBeLessThanOrEqual(1);
    expect(await solve(page).inputValue()).toBe('epsilon');
    expect(complaints).toEqual([]);
  });

  fullTest('delta and steps are found, and their ε meets the target', async () => {
    const { page, complaints } = await go(`#v1,${idle}`);
    const tenSteps = 'by=steps,noise-multiplier=2,sampling-probability=0.1,steps=10';
    for (const [name, hash, said] of [
      ['Delta', tenBatches, /^At ε\s=\s2, δ\s≤\s\S+ for Poisson batches/],
      ['Steps', tenSteps, /^[\d,]+ steps meet ε/],
    ] as const) {
      await follow(page, `#v1,sampler=poisson,${hash},${idle}`);
      await eventually(() => solve(page).inputValue()).toBe('epsilon');
      await solve(page).selectOption({ label: name });
      await settled(page);
      expect(await sentence(page).innerText()).toMatch(said);
      const [, upper] = await ends(page, 'poisson');
      // Epsilon at a delta that was found is as wide as any.
      expect(upper, name).toBeLessThanOrEqual(name === 'Delta' ? 2 * (1 + 1e-3) : 2);
    }
    expect(complaints).toEqual([]);
  });

  fullTest('a cap is found for the delta that it may add', async () => {
    const { page } = await go(`#v1,sampler=poisson,${tenBatches},solve-for=cap,${idle}`);
    await settled(page);
    await field(page, 'Delta of the cap').fill('1e-12');
    await eventually(() => sentence(page).innerText()).toMatch(
      /^Maximum batch size [\d,]+ adds at most δ\s=\s10⁻¹² at/,
    );
    await settled(page);
    await page.getByRole('button', { name: 'Use this value' }).click();
    await settled(page);
    expect(page.url()).toMatch(/max-batch-size=\d+/);
    expect(await page.locator('details.more > summary').innerText()).toContain(
      'maximum batch size',
    );
  });

  test('what the run does not have is not offered; what cannot be met is said', async () => {
    const { page } = await go(`#v1,sampler=poisson,${tenBatches.replace('=2', '=0.2')},${idle}`);
    await settled(page);
    const option = (name: string) => solve(page).locator('option', { hasText: name });
    expect(await option('Steps').count()).toBe(0);
    expect(await option('Epochs').count()).toBe(1);
    await solve(page).selectOption({ label: 'Maximum batch size' });
    await draw(page, 'Shuffle');
    expect(await problem(page, 'solveFor').innerText()).toContain('one size');
    await draw(page, 'Poisson');
    await solve(page).selectOption({ label: 'Epochs' });
    await field(page, 'Epsilon').fill('0.001');
    await eventually(() => sentence(page).innerText()).toMatch(/^No .* meets ε = 0\.001 at/);
    expect(await page.locator('output.found').innerText()).toBe('none');
    expect(await page.locator('.forest-row .number').count()).toBe(0);
  });
});

describe('e2e: several phases', () => {
  const entries = (page: Page) => page.locator('.entry');
  const tool = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test('are added, told apart, and come to a total', async () => {
    const { page, complaints } = await go(`#v1,sampler=poisson,${tenBatches},${idle}`);
    await settled(page);
    expect(await entries(page).count()).toBe(0);
    await tool(page, 'Add a phase').click();
    await eventually(() => entries(page).count()).toBe(2);
    await settled(page);
    expect(await page.locator('.forest-row').count()).toBe(samplers.length);
    expect(await sentence(page).innerText()).toMatch(
      /^ε\s≤\s\S+ at .* is proved for these 2 phases, exact/,
    );
    await draw(page, 'Shuffle');
    await settled(page);
    await eventually(() => page.locator('.forest-row').count()).toBe(samplers.length + 1);
    expect(await page.locator('.forest-row').first().innerText()).toContain('Your phases');
    expect(await sentence(page).innerText()).toContain('Poisson accounting would give');
    await tool(page, 'Add another release').click();
    await page.getByRole('radio', { name: 'μ-GDP' }).check();
    await page.locator('#field-release-mu').fill('0.25');
    await settled(page);
    expect(await sentence(page).innerText()).toContain('for these 2 phases and another release');
    await eventually(() => page.locator('.entry-alone').allInnerTexts()).not.toContain('');
    // Each entry alone costs less than all of them.
    const alone = (await page.locator('.entry-alone').allInnerTexts()).map((text) =>
      Number(/([\d.]+)\]?†?$/.exec(text)?.[1]),
    );
    const [, total] = await ends(page, 'composition');
    expect(Math.max(...alone)).toBeLessThan(total * 1.01);
    const { hash } = new URL(page.url());
    expect(hash).toBe(
      `#v1,sampler=poisson,${tenBatches},open=3,${idle},and=phase,${tenBatches},and=mu,mu=0.25`,
    );
    await page.goBack();
    await eventually(() => page.locator('#field-release-mu').inputValue()).toBe('0.5');
    expect(complaints).toEqual([]);
  });

  test('are moved, copied and removed; one phase looks as it always did', async () => {
    const small = 'dataset-size=100,batch-size=100';
    const { page } = await go(
      `#v1,sampler=poisson,${small},${idle},and=mu,and=phase,${small},epochs=2`,
    );
    await settled(page);
    const names = () => page.locator('.entry b').allInnerTexts();
    expect(await names()).toEqual(['Poisson batches', 'Release', 'Shuffled batches']);
    const total = await ends(page, 'composition');
    await tool(page, 'Down').click();
    await eventually(names).toEqual(['Release', 'Poisson batches', 'Shuffled batches']);
    await settled(page);
    // In whatever order, it is the same run.
    await eventually(() => ends(page, 'composition')).toEqual(total);
    expect(page.url()).toContain('at=2,open=2');
    await tool(page, 'Duplicate').click();
    await eventually(names).toEqual([
      'Release',
      'Poisson batches',
      'Poisson batches',
      'Shuffled batches',
    ]);
    for (let left = 3; left > 1; --left) {
      await tool(page, 'Remove').click();
      await eventually(() => entries(page).count()).toBe(left);
    }
    await page.locator('.entry', { hasText: 'Release' }).locator('button').click();
    await page.locator('.entry.chosen', { hasText: 'Release' }).waitFor();
    await tool(page, 'Remove').click();
    await eventually(() => entries(page).count()).toBe(0);
    await settled(page);
    expect(await sentence(page).innerText()).not.toContain('phases');
  });

  test('a mistake in a phase that is not open is found from the list', async () => {
    const { page } = await go(
      `#v1,${tenBatches.replace('=2', '=x')},open=2,${idle},and=phase,${tenBatches}`,
    );
    await page.locator('.entry.wrong').waitFor();
    expect(await page.locator('.entry.wrong').innerText()).toContain('has an error');
    await page.locator('.entry.wrong button').click();
    await problem(page, 'noiseMultiplier').waitFor();
    await field(page, 'Noise multiplier').fill('1');
    await settled(page);
    expect(await page.locator('.entry.wrong').count()).toBe(0);
  });

  fullTest('a value is found for the open one', async () => {
    const { page } = await go(
      `#v1,sampler=poisson,${tenBatches},solve-for=noise,open=2,${idle},and=phase,sampler=poisson,${tenBatches}`,
    );
    await settled(page);
    expect(await sentence(page).innerText()).toContain(' in phase 2 meets ');
    await page.getByRole('button', { name: 'Use this value' }).click();
    await settled(page);
    expect(hashOf(page)).toMatch(
      new RegExp(
        `^#v1,sampler=poisson,${tenBatches},open=2,${idle},and=phase,sampler=poisson,noise-multiplier=[^2]`,
      ),
    );
  });

  test('have curves, a command and a table', async () => {
    const { page } = await go(`${quick},${drawing},and=phase,dataset-size=100,batch-size=100`);
    await settled(page);
    await eventually(() => page.locator('svg.curve .line.s-composition').count()).toBe(1);
    expect(await page.locator('.forest-row').count()).toBe(samplers.length + 1);
    const command = await page.locator('.command code').innerText();
    expect(command).toMatch(/^echo '\{.*\}' \| node path\/to\/\S+ epsilon --query -$/);
  });
});

describe('e2e: without a mouse', () => {
  test('everything is reached and worked by keyboard', async () => {
    const { page } = await load(`${quick.replace('deterministic', 'shuffle')},${drawing}`);
    await settled(page);
    const focused = () =>
      page.evaluate(() => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        if (at?.localName === 'summary') at = at.parentElement;
        return at?.getAttribute('name') ?? at?.getAttribute('role') ?? at?.className ?? '';
      });
    const tabTo = async (wanted: string) => {
      for (let press = 0; press < 40; ++press) {
        await page.keyboard.press('Tab');
        if ((await focused()).includes(wanted)) return;
      }
      throw new Error(`the Tab key never reached ${wanted}`);
    };
    await tabTo('sampler-choice');
    await page.keyboard.press('Enter');
    await tabTo('sampler');
    await page.keyboard.press('ArrowDown');
    await eventually(() => page.url()).toContain('sampler=balls-and-bins');
    await tabTo('noiseMultiplier');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('0.5');
    await settled(page);
    await eventually(() => value(page, 'deterministic').innerText()).toContain('[9.997, 9.998]');
    await tabTo('number');
    await page.keyboard.press('Enter');
    await page.locator('he-details h3:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('he-details').waitFor({ state: 'hidden' });
    await eventually(() => page.locator('.number:focus').count()).toBe(1);
    await tabTo('slider');
    const slider = crossHair(page);
    const at = async () => Number(await slider.getAttribute('aria-valuenow'));
    // It rests at the scenario's own point.
    await eventually(at).toBeCloseTo((await ends(page, 'balls-and-bins'))[1], 2);
    const before = await at();
    await page.keyboard.press('ArrowLeft');
    await eventually(at).toBeLessThan(before);
    await eventually(() => slider.getAttribute('aria-valuetext')).toContain(
      'Deterministic batches δ',
    );
  });

  const looks: [string, string, BrowserContextOptions][] = [
    [
      'on a phone, with several phases, in the dark',
      `${quick},open=2,more=shown,and=phase,sampler=poisson,dataset-size=100,batch-size=100,and=epsilon`,
      { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
    ],
    ['with everything shown', `${quick},epochs=2,more=shown`, {}],
    ['with a mistake', `${quick},delta=two`, {}],
  ];
  test.each(someOf(looks, 2))('axe finds nothing: %s', async (_name, hash, options) => {
    const { page } = await go(hash, options);
    if (hash.includes('delta=two')) await problem(page, 'delta').waitFor();
    else {
      await settled(page);
      await page.locator('.full-report').scrollIntoViewIfNeeded();
      await page.locator('article.report').waitFor();
      await value(page, 'shuffle').locator('.number').click();
      await page.locator('he-details dl').waitFor();
    }
    expect(await axeFinds(page)).toEqual([]);
  });
});

describe('e2e: wherever it is opened', () => {
  test('however wide it is, nothing scrolls sideways', async () => {
    const hash = `${quick},more=shown,${drawing},and=mu`;
    const { page } = await go(hash, { viewport: { width: 320, height: 800 } });
    await settled(page);
    await eventually(() => page.locator('svg.curve .line').count()).toBe(samplers.length);
    for (const width of someOf([320, 390, 768, 1440], 2)) {
      await page.setViewportSize({ width, height: 800 });
      await eventually(() => overflow(page), `${width} pixels`).toBe(0);
    }
  });

  test('the numbers stand beside the answer above the fold, on a phone below it within a screen', async () => {
    const bottom = async (page: Page, selector: string) => {
      const box = await page.locator(selector).boundingBox();
      return box ? box.y + box.height : NaN;
    };
    const { page } = await go(`#v1,${idle}`, { viewport: { width: 1280, height: 720 } });
    await settled(page);
    const numbers = ['datasetSize', 'batchSize', 'epochs', 'noiseMultiplier', 'delta'];
    for (const part of [...numbers.map((name) => `#field-${name}`), '.sentence', '.forest'])
      expect(await bottom(page, part), part).toBeLessThanOrEqual(720);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await bottom(page, '#field-datasetSize')).toBeLessThanOrEqual(844);
    expect(await bottom(page, '.sentence')).toBeLessThan(await bottom(page, '#field-datasetSize'));
  });

  test('the answer is a few tab stops away, and stays while the page scrolls', async () => {
    const { page } = await go(`#v1,${idle}`);
    await settled(page);
    const inAnswer = () =>
      page.evaluate(() => {
        const focused = document.querySelector('he-page')?.shadowRoot?.activeElement;
        return Boolean(focused?.closest('.answer'));
      });
    await page.keyboard.press('Tab');
    expect(await page.locator('.skip:focus').innerText()).toBe('Skip to the answer');
    let stops = 1;
    for (; stops <= 12 && !(await inAnswer()); ++stops) await page.keyboard.press('Tab');
    expect(stops).toBeLessThanOrEqual(12);
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('.answer:focus').count()).toBe(1);
    await page.locator('.adders').scrollIntoViewIfNeeded();
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, 900);
    const claim = page.locator('.in-sight');
    await claim.waitFor();
    expect(await claim.innerText()).toMatch(/^ε ≤ 6\.653 at δ = 10⁻⁵/);
    await page.getByRole('button', { name: 'Copy citation' }).click();
    await page.getByText('Citation copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^We trained with DP-SGD on shuffled batches/,
    );
    await page.getByRole('button', { name: 'Add a phase' }).click();
    await eventually(() => page.locator('.entry.chosen button:focus').count()).toBe(1);
  });

  test('computes nothing on the main thread', async () => {
    const { page } = await go('about:blank');
    await page.addInitScript(() => {
      const counter = globalThis as unknown as { modules: number };
      counter.modules = 0;
      for (const name of ['instantiate', 'compile', 'instantiateStreaming'] as const) {
        const original = WebAssembly[name] as (...values: unknown[]) => unknown;
        Object.assign(WebAssembly, {
          [name]: (...values: unknown[]) => {
            ++counter.modules;
            return original(...values);
          },
        });
      }
    });
    await page.goto(addressOf(quick));
    await settled(page);
    expect(await page.evaluate(() => (globalThis as unknown as { modules: number }).modules)).toBe(
      0,
    );
  });

  test('says so where WebAssembly is blocked', async () => {
    const strict = await serve({ policy: builtPolicy().replace(" 'wasm-unsafe-eval'", '') });
    try {
      const { page } = await go(strict.address);
      await page.getByText('This page cannot compute here.', { exact: true }).waitFor();
      expect(await page.getByRole('alert').innerText()).toContain('WebAssembly');
      expect(await page.getByRole('alert').innerText()).toContain(commandPath);
    } finally {
      await strict.close();
    }
  });

  test('says what it is where scripts are off', async () => {
    const { page } = await go('', { javaScriptEnabled: false });
    await page.locator('.plain-notice').waitFor();
    expect(await page.locator('.plain-notice').innerText()).toContain('needs JavaScript');
    expect(await page.locator('.skeleton').isVisible()).toBe(false);
  });

  test('prints the sentence, the plot, the table and the parameters', async () => {
    const { page } = await go(`${quick},noise-multiplier=0.9`);
    await settled(page);
    await page.emulateMedia({ media: 'print' });
    for (const selector of ['.sentence', '.forest', '#field-noiseMultiplier', '.print-link']) {
      expect(await page.locator(selector).isVisible(), selector).toBe(true);
    }
    const printed = page.locator('.print-link');
    expect(await printed.innerText()).toBe('This copy of the page has no public address.');
    await publish(page);
    await eventually(() => printed.innerText()).toContain(publicPage);
    expect(await printed.innerText()).toContain('noise-multiplier=0.9');
    expect(await page.locator('.notes').isVisible()).toBe(false);
    // The panel that is open comes after it, on the same sheet where there is room.
    await page.locator('.quotation').waitFor();
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    const [link, panel] = await Promise.all(
      ['.print-link', '.panels-section'].map((part) => page.locator(part).boundingBox()),
    );
    expect(panel?.y).toBeGreaterThanOrEqual((link?.y ?? NaN) + (link?.height ?? NaN));
    const kept = await page
      .locator('.scenario-column')
      .evaluate((column) => getComputedStyle(column).breakInside);
    expect(kept).toBe('avoid');
  });

  test('prints the boxes that are ticked, and no others', async () => {
    const { page } = await go(
      `#v1,sampler=deterministic,dataset-size=1001,batch-size=100,drop-last=true,more=shown,${idle}`,
    );
    await settled(page);
    await page.emulateMedia({ media: 'print' });
    const ticked = page.locator('#field-dropLast');
    expect(await ticked.isVisible()).toBe(true);
    expect(await ticked.evaluate((box) => getComputedStyle(box).appearance)).toBe('auto');
    expect(await page.locator('#field-drawnDivisor').isVisible()).toBe(false);
  });

  test('every wrong field is marked, what a field means stands beside it, and on a phone the claim stays', async () => {
    const { page } = await go(`${quick},${idle}`, { viewport: { width: 390, height: 700 } });
    await settled(page);
    await field(page, 'Noise multiplier').fill('-1');
    await field(page, 'Dataset size').fill('0.5');
    await page.locator('#field-noiseMultiplier-problem').waitFor();
    await page.locator('#field-datasetSize-problem').waitFor();
    expect(await page.locator('.explained').innerText()).toBe('Number of training records.');
    await field(page, 'Dataset size').fill('1,000');
    await field(page, 'Noise multiplier').fill('0.7');
    await page.locator('.adders').scrollIntoViewIfNeeded();
    await eventually(() => page.locator('.away .in-sight').innerText()).toMatch(
      /^ε ≤ [\d.]+ at δ = 10⁻⁵/,
    );
  });
});
