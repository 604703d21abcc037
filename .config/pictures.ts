// The pictures that a browser or a site shows in the page's place: icons, and the preview of a shared link,
// which is the first screen's answer. They are drawn while the page is built, by no browser: the bytes are
// the same on every machine, and of this version.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Resvg, initWasm } from '@resvg/resvg-wasm';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import type { Engine } from '../wasm/client.js';
import { version } from '../wasm/generated/schema.js';
import type { Answer, Query } from '../wasm/generated/schema.js';
import { formatInterval, givenAs } from '../wasm/words/numbers.js';
import { plainPowers } from '../wasm/words/superscripts.js';
import { epsilonScale } from '../web/src/charts/scale.js';
import { readScenario } from '../web/src/state/question.js';
import { rowsOf } from '../web/src/state/rows.js';
import { defaultScenario } from '../web/src/state/scenario.js';
import { rowLabel, setting } from '../web/src/words/sentence.js';
import { previewSize, root } from './page-plugins.js';

const require = createRequire(import.meta.url);
const ready = initWasm(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')));

const tagline = 'The ε of your DP-SGD run, for the batches it actually used.';

export type Light = 'light' | 'dark';

/** A colour of the page's, in either light. */
function colourOf(name: string, light: Light): string {
  const lists = ['samplers', 'palette'].map((list) =>
    readFileSync(`${root}web/src/styles/${list}.css`, 'utf8'),
  );
  const [, bright, dark] =
    new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(lists.join('')) ?? [];
  const colour = light === 'light' ? bright : dark;
  if (colour === undefined) throw new Error(`no colour for ${name}`);
  return colour;
}

interface Answered {
  query: Query;
  answer: Answer;
}

/** What the first screen asks, and each sampler's answer, the reader's own first. */
export async function firstAnswers(engine: Pick<Engine, 'epsilon'>): Promise<Answered[]> {
  const reading = readScenario(defaultScenario);
  if (!('query' in reading)) throw new Error('the first run asks nothing');
  return Promise.all(
    rowsOf(reading.query).map(async ({ query }) => ({
      query,
      answer: await engine.epsilon(query),
    })),
  );
}

/** Where the rows and the scale of a drawing are, in pixels. */
interface Places {
  name: number;
  left: number;
  right: number;
  top: number;
  step: number;
}

const textIn =
  (light: Light) =>
  (words: string, x: number, y: number, size: number, more = '') =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="${colourOf('ink', light)}" ${more}>${words}</text>`;

/** Of a pixel: more is not to be seen, and changes with an answer's last digits. */
const tenth = (x: number) => Math.round(10 * x) / 10;

/** Each sampler's interval to scale, with its number. */
function rowsOfDrawing(all: readonly Answered[], light: Light, places: Places): string[] {
  const { name, left, right, top, step } = places;
  const answers = all.map(({ answer }) => answer);
  const ends = answers.flatMap(({ epsilon: { lower, upper } }) => [lower ?? 0, upper ?? Infinity]);
  const scale = epsilonScale(ends, left, right);
  const text = textIn(light);
  const bottom = top + step * answers.length;
  const ticks = scale.ticks.flatMap(({ x, label }) => [
    `<path d="M${x} ${top}V${bottom}" stroke="${colourOf('grid', light)}" stroke-width="2"/>`,
    text(label, x, bottom + 30, 20, 'fill-opacity="0.7" text-anchor="middle"'),
  ]);
  const rows = answers.flatMap(({ sampler, epsilon }, index) => {
    const y = top + step * (index + 0.5);
    const [from, to] = [
      tenth(scale.at(epsilon.lower ?? 0)),
      tenth(scale.at(epsilon.upper ?? Infinity)),
    ];
    const wide = Math.max(8, to - from);
    return [
      text(rowLabel(sampler), name, y + 9, 26, index === 0 ? 'font-weight="600"' : ''),
      `<path d="M${left} ${y}H${from}" stroke="${colourOf(sampler, light)}" stroke-opacity="0.35" stroke-width="4"/>`,
      `<rect x="${tenth((from + to - wide) / 2)}" y="${y - 10}" width="${tenth(wide)}" height="20" rx="4" fill="${colourOf(sampler, light)}"/>`,
      text(formatInterval(epsilon), right + 40, y + 9, 26, 'font-weight="600"'),
    ];
  });
  return [...ticks, ...rows];
}

/** The run that is drawn, in words. */
function runIn(all: readonly Answered[]): string {
  const [own] = all;
  if (!own) throw new Error('there is nothing to draw');
  const words = [
    `ε at ${givenAs('δ', own.query.delta ?? 0)}`,
    setting(own.query, own.answer.derived),
  ];
  // The typefaces have no raised digits.
  return plainPowers(words.join(', ')).replaceAll(
    /10\^-?(\d+)/g,
    '10<tspan dy="-7" font-size="14">−$1</tspan><tspan dy="7">\u200b</tspan>',
  );
}

/** What a shared link shows in the page's place. */
export function previewSvg(all: readonly Answered[]): string {
  const { width, height } = previewSize;
  const text = textIn('light');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="100%" height="100%" fill="${colourOf('paper', 'light')}"/>
${text('Honest Epsilon', 72, 112, 64, 'font-weight="600"')}
${text(tagline, 72, 164, 29, 'fill-opacity="0.7"')}
${rowsOfDrawing(all, 'light', { name: 72, left: 372, right: 860, top: 216, step: 61 }).join('\n')}
${text(`${runIn(all)} · version ${version}`, 72, height - 24, 20, 'fill-opacity="0.7"')}
</svg>`;
}

/** The README's picture, in either light. */
export const ladderSvg = (all: readonly Answered[], light: Light): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1120 400" font-family="Charter, Georgia, 'Noto Serif', serif">
${textIn(light)(`${runIn(all)} · version ${version}`, 0, 24, 20, 'fill-opacity="0.7"')}
${rowsOfDrawing(all, light, { name: 0, left: 312, right: 832, top: 48, step: 61 }).join('\n')}
</svg>
`;

/** The page's typeface, in files that the renderer reads: one for each weight, and for each alphabet. */
const facesFor = (text: string): Promise<Uint8Array[]> =>
  Promise.all(
    [400, 600].flatMap((wght) =>
      ['latin', 'greek'].map((alphabet) => {
        const name = `source-serif-4-${alphabet}-wght-normal.woff2`;
        const file = require.resolve(`@fontsource-variable/source-serif-4/files/${name}`);
        const cut = { targetFormat: 'truetype', variationAxes: { wght } } as const;
        return subsetFont(readFileSync(file), text, cut);
      }),
    ),
  );

/** Paints a drawing, without fonts or anything else of the system. */
export async function pngOf(svg: string, width: number): Promise<Uint8Array> {
  await ready;
  const fontBuffers = svg.includes('<text') ? await facesFor(svg) : [];
  const font = { fontBuffers, loadSystemFonts: false };
  return new Resvg(svg, { fitTo: { mode: 'width', value: width }, font }).render().asPng();
}

/** The icon on paper, with a margin of a twelfth, in the colours of light pages. */
function icon(): string {
  const drawing = readFileSync(`${root}web/public/icon.svg`, 'utf8');
  const light = drawing.replace(/@media[^{]*\{(?:[^{}]*\{[^{}]*\})*\}/, '');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3.2 -3.2 38.4 38.4"><rect x="-3.2" y="-3.2" width="38.4" height="38.4" fill="${colourOf('paper', 'light')}"/>${light.replace('viewBox', 'width="32" height="32" viewBox')}</svg>`;
}

/** The pictures by their names in the site. */
export async function drawnPictures(engine: Pick<Engine, 'epsilon'>) {
  const drawings = [
    ['preview.png', previewSvg(await firstAnswers(engine)), previewSize.width],
    ['apple-touch-icon.png', icon(), 180],
    ['icon-512.png', icon(), 512],
  ] as const;
  return Promise.all(
    drawings.map(async ([fileName, svg, width]) => ({ fileName, source: await pngOf(svg, width) })),
  );
}

export function pictures(): Plugin {
  return {
    name: 'pictures',
    apply: 'build',
    async generateBundle() {
      const { createEngine } = (await import(`${root}dist/node/index.js`)) as {
        createEngine: () => Promise<Engine>;
      };
      const engine = await createEngine();
      try {
        for (const { fileName, source } of await drawnPictures(engine))
          this.emitFile({ type: 'asset', fileName, source });
      } finally {
        engine.close();
      }
    },
  };
}
