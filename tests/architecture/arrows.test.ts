import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { faultsOf } from './arrows.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

function filesOf(folder: string, ending: RegExp): string[] {
  return readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length).replace(/^\/+/, ''))
    .filter((path) => !/(^|\/)(node_modules|generated|dist|build)\//.test(path))
    .sort();
}

describe('arrows: who may include and import whom', () => {
  it.each([
    ['core', /\.(h|cc)$/, 30],
    ['wasm', /\.(h|cc|ts)$/, 8],
    ['web', /\.ts$/, 8],
  ])('holds in %s/', (folder, ending, atLeast) => {
    const files = filesOf(folder, ending);
    expect(files.length).toBeGreaterThanOrEqual(atLeast);
    const faults = files.flatMap((path) => faultsOf(path, readFileSync(`${root}/${path}`, 'utf8')));
    expect(faults).toEqual([]);
  });

  it.each([
    ['core/base/x.h', '#include "core/math/normal.h"'],
    ['core/math/x.cc', '#include "core/pairs/gaussian.h"'],
    ['core/pld/x.cc', '  #  include "core/rdp/renyi.h"'],
    ['core/monte_carlo/x.cc', '#include "core/pairs/pair.h"'],
    ['core/samplers/x.cc', '#include "core/wire/schema.h"'],
    ['core/runs/x.cc', '#include "core/samplers/poisson.h"'],
    ['core/samplers/x.cc', '#include "core/tradeoff/curve.h"'],
    ['core/samplers/x.cc', '#include "deterministic.h"'],
    ['core/newroom/x.cc', '#include "core/base/interval.h"'],
    ['core/wire/x.cc', '#include "core/accounts/programme.h"'],
    ['core/accounts/x.cc', '#include "wasm/bindings.h"'],
    ['core/accounts/x.cc', '#include <emscripten/bind.h>'],
    ['core/accounts/x.cc', '#include <iostream>'],
    ['core/accounts/x.cc', '#include <chrono>'],
    ['core/pld/x.cc', '#include <kissfft/kissfft.hh>'],
    ['core/pld/x.cc', '#include <boost/math/special_functions/erf.hpp>'],
    ['wasm/bindings.cc', '#include "core/samplers/poisson.h"'],
    ['wasm/client.ts', "import { x } from '../web/src/main.js';"],
    ['wasm/words/x.ts', "import { QueryError } from '../errors.js';"],
    ['wasm/words/x.ts', "import type { Engine } from '../client.js';"],
    ['wasm/import/x.ts', "import { exhibits } from '../papers/index.js';"],
    ['wasm/report/x.ts', "import { exhibits } from '../papers/index.js';"],
    ['wasm/papers/x.ts', "import { write } from '../command/io.js';"],
    ['wasm/client.ts', "import { write } from './command/io.js';"],
    ['wasm/import/x.ts', "import { createClient } from '../client.js';"],
    ['wasm/newroom/x.ts', "import { format } from '../words/numbers.js';"],
    ['web/src/live/x.ts', "import create from '../../../wasm/generated/engine.mjs';"],
    ['web/src/live/x.ts', "import { Pool } from '../../../wasm/pool.js';"],
    ['web/src/live/x.ts', "const pool = await import('../../../wasm/pool.js');"],
    [
      'web/src/live/x.ts',
      "new Worker(new URL('../../../wasm/browser/worker.js', import.meta.url));",
    ],
    ['web/src/charts/x.ts', "import { createEngine } from '../../../wasm/index.js';"],
    ['web/src/charts/x.ts', "import { type Answer, samplers } from '../../../wasm/index.js';"],
    ['web/src/charts/x.ts', "export { samplers } from '../../../wasm/generated/schema.js';"],
    ['web/src/state/x.ts', "import { html } from 'lit';"],
    ['web/src/state/x.ts', "import { draw } from '../charts/forest.js';"],
    ['web/src/state/x.ts', "document.title = 'x';"],
    ['web/src/state/x.ts', 'const here = window.location;'],
    ['web/src/x.ts', "import { build } from '../../.scripts/build.mjs';"],
  ])('refuses in %s: %s', (path, text) => {
    expect(faultsOf(path, text)).toHaveLength(1);
  });

  it.each([
    ['core/math/x.cc', '#include "core/base/rounding.h"'],
    ['core/math/fft.cc', '#include <kissfft/kissfft.hh>'],
    ['core/samplers/x.cc', '#include "core/pld/profile.h"\n#include "core/runs/run.h"'],
    ['core/accounts/x.cc', '#include "core/samplers/poisson.h"\n#include <vector>'],
    ['core/base/x.h', '// #include "core/wire/schema.h"\n/* #include "core/wire/schema.h" */'],
    ['wasm/bindings.cc', '#include <emscripten/bind.h>\n#include "core/accounts/answer.h"'],
    ['wasm/words/x.ts', "import { samplers } from '../generated/schema.js';"],
    ['wasm/node/x.ts', "import { Pool } from '../pool.js';"],
    ['wasm/command/x.ts', "import { exhibits } from '../papers/index.js';"],
    ['web/src/charts/x.ts', "import { format } from '../../../wasm/words/numbers.js';"],
    ['web/src/charts/x.ts', "import type { Answer } from '../../../wasm/index.js';"],
    ['web/src/charts/x.ts', "import { type Answer } from '../../../wasm/index.js';"],
    ['web/src/live/x.ts', "import { createEngine } from '../../../wasm/index.js';"],
    ['web/src/state/x.ts', "import { samplers } from '../../../wasm/generated/schema.js';"],
    ['web/src/state/x.ts', 'const view = { location: 1 };\nconst it = view.location; // document'],
  ])('allows in %s: %s', (path, text) => {
    expect(faultsOf(path, text)).toEqual([]);
  });

  it('does not pass over an include that it cannot read', () => {
    expect(() => faultsOf('core/accounts/x.cc', '#include MACRO')).toThrow(/cannot be read/);
  });
});
