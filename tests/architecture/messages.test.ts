import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { boundInMessages } from './messages.js';

const core = fileURLToPath(new URL('../core', import.meta.url));
const files = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.(h|cc)$/.test(path),
);

describe('messages: what clang would refuse of the tests of the core', () => {
  it('names no structured binding', () => {
    expect(files.length).toBeGreaterThan(100);
    const found = files.flatMap((path) =>
      boundInMessages(readFileSync(`${core}/${path}`, 'utf8')).map((at) => `${path}:${at}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ['  for (const auto& [a, b] : all) {\n    INFO(a);\n  }', ['2: a']],
    ['  for (const auto [a, b] :\n       {C{1, 2}}) {\n    CAPTURE(b);\n  }', ['3: b']],
    [
      '  const auto [a, b] = f();\n  CHECK_MESSAGE(a < 1,\n                "a" << b);',
      ['2: a', '2: b'],
    ],
    ['  for (const auto& [a, b] : all) {\n    CHECK(a < b);\n  }\n  INFO(a);', []],
    ['  const auto [a, b] = f();\n  INFO("a" << c.a << ab);', []],
    ['  for (const auto& c : all) {\n    INFO(c.first);\n  }', []],
  ])('reads %j', (text, found) => {
    expect(boundInMessages(text)).toEqual(found);
  });
});
