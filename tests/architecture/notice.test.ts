import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const notice = text('wasm/NOTICE.txt');

/** The packages named by imports, and by url() in styles, of what is bundled. */
function imported(): Set<string> {
  const found = new Set<string>();
  for (const room of ['web/src', 'wasm']) {
    for (const entry of readdirSync(`${root}${room}`, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(ts|css)$/.test(entry)) continue;
      const named = text(`${room}/${entry}`).matchAll(
        /(?:\bfrom |\bimport |\bimport\(|\burl\()'((?:@[\w-]+\/)?[\w-]+)(?:\/[^']*)?'/g,
      );
      for (const [, name = ''] of named) found.add(name);
    }
  }
  // Our own name stands in what the page gives to copy.
  found.delete('honest-epsilon');
  return found;
}

interface Package {
  license: string;
  dependencies?: Record<string, string>;
}

/** The licence of each package that those bring along; types are erased. */
function shipped(names: Iterable<string>): Map<string, string> {
  const licences = new Map<string, string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name.startsWith('@types/') || licences.has(name)) continue;
    const read = JSON.parse(text(`node_modules/${name}/package.json`)) as Package;
    licences.set(name, read.license);
    waiting.push(...Object.keys(read.dependencies ?? {}));
  }
  return licences;
}

const listed = new Map(
  Array.from(notice.matchAll(/^ {2}(\S.*) \(([^)]+)\)$/gm), ([, name = '', licence = '']) => [
    name,
    licence,
  ]),
);

test('notice: lists every package that is bundled, with its licence, and no other', () => {
  const packages = shipped(imported());
  expect(packages.size).toBeGreaterThan(5);
  const npm = [...listed].filter(([name]) => /^[@a-z]/.test(name) && !name.startsWith('libc'));
  expect(Object.fromEntries(npm.filter(([name]) => name !== 'musl'))).toEqual(
    Object.fromEntries(packages),
  );
});

test('notice: every licence may be shipped with Apache-2.0, and has its terms in the file', () => {
  const terms: Record<string, string> = {
    ISC: 'Permission to use, copy, modify, and/or distribute this software',
    MIT: 'Permission is hereby granted, free of charge, to any person obtaining a copy',
    'BSD-3-Clause': 'Redistribution and use in source and binary forms',
    'BSL-1.0': 'Boost Software License - Version 1.0',
    'OFL-1.1': 'SIL OPEN FONT LICENSE Version 1.1',
    'Apache-2.0': 'Apache License, Version 2.0',
    'Apache-2.0 WITH LLVM-exception': 'Apache License 2.0 with LLVM Exceptions',
  };
  for (const [name, licence] of listed) {
    expect(terms[licence], `${name}: ${licence}`).toBeDefined();
    expect(notice).toContain(terms[licence]);
  }
});

test('notice: names what the core is compiled with', () => {
  for (const name of ['KISS FFT', 'Boost.Math', 'Emscripten', 'musl']) {
    expect(listed.has(name), name).toBe(true);
  }
  // A header of another library would need its line.
  const headers = text('CMakeLists.txt').matchAll(/^require_headers\((\w+)/gm);
  expect(Array.from(headers, ([, name]) => name)).toEqual(['boost', 'kissfft', 'doctest']);
});
