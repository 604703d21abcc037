import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discard, must, packed, root, siteWith } from './package.js';
import { someOf } from './reading.js';
import { serve } from './server.js';
import { visits } from './visits.js';

const { go } = visits();
let unpacked: string;
let app: string;

beforeAll(async () => {
  unpacked = await packed();
  app = siteWith('vite', unpacked);
});

afterAll(() => {
  discard(app);
  discard(join(unpacked, '..'));
});

/** The question of the example app. */
const program = `
  import { createEngine, QueryError } from 'honest-epsilon';
  import { HonestEpsilon } from 'honest-epsilon/element';
  const engine = await createEngine({ workers: 1 });
  const phase = { sampler: 'poisson', noiseMultiplier: 0.8, samplingProbability: 0.001, steps: 1000 };
  const { epsilon } = await engine.epsilon({ phases: [phase], delta: 1e-6 });
  const bad = await engine.epsilon({ phases: [{ ...phase, steps: -1 }], delta: 1e-6 }).catch((e) => e);
  console.log(JSON.stringify({ epsilon, field: bad instanceof QueryError && bad.field, attributes: HonestEpsilon.observedAttributes }));
  engine.close();`;

interface Printed {
  epsilon: unknown;
  field: string;
  attributes: string[];
}

async function inNode(): Promise<Printed> {
  writeFileSync(join(app, 'program.mjs'), program);
  return JSON.parse(await must(process.execPath, ['program.mjs'], app)) as Printed;
}

describe('e2e: the packed package', () => {
  test('holds what it exports, and nothing of the sources or the page', () => {
    const { exports, bin } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as {
      exports: unknown;
      bin: unknown;
    };
    const named: string[] = [];
    JSON.stringify([exports, bin], (_, value: unknown) => {
      if (typeof value === 'string') named.push(value);
      return value;
    });
    expect(named.length).toBeGreaterThan(6);
    for (const path of named)
      expect(readFileSync(join(unpacked, path)).length, path).toBeGreaterThan(0);
    expect(readdirSync(unpacked).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    expect(readdirSync(join(unpacked, 'dist')).sort()).toEqual(['browser', 'node', 'types']);
  });

  test('imports in Node, the element too: there it has no page and needs none', async () => {
    const { epsilon, field, attributes } = await inNode();
    expect(epsilon).toMatchObject({ kind: 'certified' });
    expect(field).toBe('steps');
    expect(attributes).toEqual(expect.arrayContaining(['noise-multiplier', 'delta', 'view']));
  });

  test('its command runs', async () => {
    const bin = join(app, 'node_modules/honest-epsilon/dist/node/honest-epsilon.js');
    expect(await must(process.execPath, [bin, '--help'], app)).toContain('epsilon');
  });

  test('builds into an app, whose digits are those of Node', async () => {
    await build({
      root: app,
      configFile: false,
      logLevel: 'error',
      base: './',
      build: { target: 'es2022' },
    });
    const site = await serve({ folder: join(app, 'dist') });
    try {
      const { page, complaints } = await go(site.address);
      await page.locator('output:not(:empty)').waitFor();
      const { epsilon } = await inNode();
      expect(JSON.parse(await page.locator('output').innerText())).toEqual(epsilon);
      await page.locator('honest-epsilon .sentence:not(.muted)').waitFor();
      expect(await page.locator('honest-epsilon .sentence').innerText()).toMatch(
        /^ε\s≤\s6\.653 .* at least 6\.528/,
      );
      expect(complaints).toEqual([]);
    } finally {
      await site.close();
    }
  });

  const resolutions = someOf(['bundler', 'nodenext'], 2);
  test.each(resolutions)('its types hold, resolved as %s', async (resolution) => {
    writeFileSync(
      join(app, 'typed.mts'),
      `import { createEngine } from 'honest-epsilon';
       import type { Answer, Query } from 'honest-epsilon';
       import type { HonestEpsilon } from 'honest-epsilon/element';
       const query: Query = { phases: [{ sampler: 'shuffle', noiseMultiplier: 1 }], delta: 1e-5 };
       export const answer: Promise<Answer> = createEngine().then((engine) => engine.epsilon(query));
       const element: HonestEpsilon = document.createElement('honest-epsilon');
       export const upper: number | null | undefined = element.answer?.epsilon.upper;
       // @ts-expect-error No sampler has this name.
       export const wrong: Query = { phases: [{ sampler: 'shuffled' }] };`,
    );
    const module = resolution === 'bundler' ? 'esnext' : 'nodenext';
    await must(
      process.execPath,
      [
        ...[join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict', 'typed.mts'],
        ...['--module', module, '--moduleResolution', resolution, '--target', 'es2022'],
        ...['--lib', 'es2023,dom,dom.iterable'],
      ],
      app,
    );
  });
});
