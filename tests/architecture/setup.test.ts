import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeReplaced } from '../../.scripts/setup.mjs';

const script = fileURLToPath(new URL('../../.scripts/setup.mjs', import.meta.url));

/** The programs of each package, by which the scripts find it. */
const programs: Readonly<Record<string, string[]>> = {
  cmake: ['cmake'],
  'ninja-build': ['ninja'],
  emscripten: ['em-config', 'em++'],
  'g++': ['g++'],
  git: ['git'],
  parallel: ['parallel'],
  'chromium-headless-shell': ['chromium-headless-shell'],
};

/** A folder that alone is searched for programs, with no more in it than a fresh system has. */
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'honest-epsilon-system-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function program(name: string, source: string): Promise<void> {
  await writeFile(join(folder, name), `#!${process.execPath}\n${source}`);
  await chmod(join(folder, name), 0o755);
}

/** An apt-get that knows no package before it has updated, and refuses all for one that it lacks. */
async function aptWithout(lacking: string): Promise<void> {
  const known = Object.fromEntries(Object.entries(programs).filter(([name]) => name !== lacking));
  await program(
    'apt-get',
    `const { appendFileSync, existsSync, writeFileSync } = require('node:fs');
    const { join } = require('node:path');
    const words = process.argv.slice(2);
    appendFileSync(join(__dirname, 'calls'), words.join(' ') + '\\n');
    const lists = join(__dirname, 'lists');
    if (words.includes('update')) writeFileSync(lists, '');
    if (words.includes('install')) {
      const known = existsSync(lists) ? ${JSON.stringify(known)} : {};
      const names = words.slice(words.indexOf('install') + 1).filter((word) => word[0] !== '-');
      for (const name of names) {
        if (known[name]) continue;
        console.error('E: Unable to locate package ' + name);
        process.exit(100);
      }
      if (words.includes('--simulate')) process.exit(0);
      for (const file of names.flatMap((name) => known[name])) {
        writeFileSync(join(__dirname, file), '', { mode: 0o755 });
      }
    }`,
  );
  // Whoever is not root needs it.
  await program(
    'sudo',
    `const [, ...words] = process.argv.slice(2);
    const { status } = words[0] === 'true'
      ? { status: 0 }
      : require('node:child_process').spawnSync(words[0], words.slice(1), { stdio: 'inherit' });
    process.exit(status);`,
  );
}

/** What `npm test` says while it looks for what it needs, and whether it goes on. */
async function prepared(): Promise<{ goesOn: boolean; said: string }> {
  const source = `import(${JSON.stringify(script)})
    .then(({ prepareSystem, requireNode }) => prepareSystem('test').then(requireNode))
    .catch(({ message }) => { console.log(message); process.exitCode = 1; })`;
  const child = spawn(process.execPath, ['-e', source], { env: { PATH: folder } });
  const said = text(child.stdout);
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { goesOn: code === 0, said: await said };
}

const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trimEnd().split('\n');

test('setup: one package that the system does not offer keeps no other from being installed', async () => {
  await aptWithout('chromium-headless-shell');
  const { goesOn, said } = await prepared();
  expect(said).toBe(
    `installing ${Object.keys(programs).join(' ')} ...
missing: Chromium without windows
  apt-get knows no package chromium-headless-shell: Google Chrome serves, too, and so does any Chromium whose path is in CHROMIUM
going on without
`,
  );
  expect(goesOn).toBe(true);
  expect(await calls()).toContain('-o DPkg::Lock::Timeout=300 update');
  for (const name of ['cmake', 'ninja', 'em++', 'g++', 'git', 'parallel']) {
    await expect(readFile(join(folder, name), 'utf8'), name).resolves.toBe('');
  }
});

test('setup: without an essential package it ends and names no other', async () => {
  await aptWithout('emscripten');
  const { goesOn, said } = await prepared();
  expect(goesOn).toBe(false);
  expect(said.split('\n').slice(1)).toEqual([
    'missing: Emscripten',
    '  apt-get knows no package emscripten: install it in another way',
    '',
  ]);
});

test('setup: what is offered but cannot be installed is to be installed by hand', async () => {
  await aptWithout('');
  const source = await readFile(join(folder, 'apt-get'), 'utf8');
  const full = `if (words.includes('-y')) {
    console.error('E: You do not have enough free space');
    process.exit(100);
  }\n`;
  await writeFile(join(folder, 'apt-get'), source.replace('for (const file of', `${full}$&`));
  const { goesOn, said } = await prepared();
  expect(goesOn).toBe(false);
  const [, missing, heading, line, ...reason] = said.trimEnd().split('\n');
  expect(missing).toMatch(/^missing: CMake, Ninja, /);
  expect(heading).toBe('Install by hand:');
  expect(line).toBe(`  apt-get install --no-install-recommends ${Object.keys(programs).join(' ')}`);
  expect(reason).toEqual(['(E: You do not have enough free space)']);
});

test('setup: without a network the reason is what updating met', async () => {
  await aptWithout('');
  const source = await readFile(join(folder, 'apt-get'), 'utf8');
  const failed = "console.error('W: Failed to fetch http://deb.debian.org');";
  await writeFile(join(folder, 'apt-get'), source.replace("writeFileSync(lists, '');", failed));
  const { goesOn, said } = await prepared();
  expect(goesOn).toBe(false);
  expect(said).toContain('apt-get knows no package cmake: install it in another way\n');
  expect(said.trimEnd().split('\n').at(-1)).toBe('(W: Failed to fetch http://deb.debian.org)');
});

test('setup: where all is there, nothing is asked of the system', async () => {
  await aptWithout('');
  expect((await prepared()).said).toBe(`installing ${Object.keys(programs).join(' ')} ...\n`);
  const before = await calls();
  expect(await prepared()).toEqual({ goesOn: true, said: '' });
  expect(await calls()).toEqual(before);
});

test.each([
  ['Inst nodejs (18.20.4+dfsg-1~deb12u1 Debian:12 [amd64])', '/usr/bin/node', '18.20.4'],
  ['Inst nodejs [16.1.0] (1:18.20.4 Debian [amd64]) []', '/usr/bin/node', '18.20.4'],
  ['Inst nodejs (18.20.4+dfsg-1~deb12u1 Debian:12 [amd64])', '/usr/local/bin/node', undefined],
  ['Inst nodejs (20.19.2+dfsg-1 Debian:13 [amd64])', '/usr/bin/node', undefined],
  ['Inst emscripten (3.1.6 Debian [all])\nConf nodejs-doc (18)', '/usr/bin/node', undefined],
])('setup: %s beside %s is named before anything is installed: %s', (line, node, brought) => {
  const said = nodeReplaced(`NOTE: This is only a simulation!\nInst acorn (8)\n${line}\n`, node);
  if (brought === undefined) expect(said).toBeUndefined();
  else
    expect(said).toMatch(new RegExp(`Node ${brought} over ${node}[^]* cp ${node} /usr/local/bin`));
});

test('setup: an older node that a package puts first in PATH is named, with where it is', async () => {
  await aptWithout('');
  const source = await readFile(join(folder, 'apt-get'), 'utf8');
  const older = `if (words.includes('-y')) {
    writeFileSync(join(__dirname, 'node'), '#!/bin/sh\\necho v18.20.4\\n', { mode: 0o755 });
  }\n`;
  await writeFile(join(folder, 'apt-get'), source.replace('for (const file of', `${older}$&`));
  const { goesOn, said } = await prepared();
  expect(goesOn).toBe(false);
  expect(said.trimEnd().split('\n').at(-1)).toBe(
    `Node 20.19 or later is needed; the first node in PATH is 18.20.4, at ${join(folder, 'node')}: ` +
      'put a later one in a folder before it, such as /usr/local/bin',
  );
});
