// Finds what the other scripts need, and installs what is missing.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StepError, execute, root, which } from './shell.mjs';

const headerFolders = [
  process.env.HONEST_EPSILON_HEADERS,
  '/usr/include',
  '/usr/local/include',
  '/opt/homebrew/include',
].filter((folder) => folder !== undefined);

const program = (/** @type {string[]} */ ...names) => names.some((name) => which(name));
const header = (/** @type {string} */ path) =>
  headerFolders.some((folder) => existsSync(join(folder, path)));

/** Sanitizers and libFuzzer, which clang neither brings nor recommends. */
function clangRuntime() {
  const options = ['-rtlib=compiler-rt', '-print-libgcc-file-name'];
  const { stdout } = spawnSync('clang++', options, { encoding: 'utf8' });
  return existsSync((stdout ?? '').trim());
}

/** What the system would do to install packages, as far as it knows.
 * @param {readonly string[]} names */
const simulated = (names) =>
  spawnSync('apt-get', ['install', '--simulate', '--no-install-recommends', ...names], {
    encoding: 'utf8',
  });

/** Whether the system has it to install, and all that it needs, as far as it knows.
 * @param {string} name */
const offered = (name) => simulated([name]).status === 0;

/**
 * What to do first where an installation would put an older Node over the one in PATH: Debian's
 * Emscripten brings Debian's, whose place is /usr/bin/node, whatever is there that no package owns.
 * @param {string} simulation what apt-get says it would install
 * @param {string | undefined} node the first one in PATH
 */
export function nodeReplaced(simulation, node) {
  const brought = /^Inst nodejs (?:\[\S+\] )?\((?:\d+:)?([\d.]+)/m.exec(simulation)?.[1];
  if (brought === undefined || !isTooOld(brought) || node !== '/usr/bin/node') return undefined;
  return (
    `Nothing was installed: apt-get would put Node ${brought} over ${node}, which no package owns, ` +
    'and Node 20.19 or later is needed. Keep it where it comes first in PATH and nothing overwrites ' +
    `it, then try again:\n  cp ${node} /usr/local/bin/node`
  );
}

/**
 * Without an `essential` tool a task cannot begin; without another one, only its own step fails.
 * `otherwise` says what serves where no package does.
 * @type {{
 *   for: string[], essential: boolean, what: string, package: string, found: () => boolean,
 *   otherwise?: string,
 * }[]}
 */
const tools = [
  {
    for: ['build', 'test', 'bench', 'fuzz', 'lint'],
    essential: true,
    what: 'CMake',
    package: 'cmake',
    found: () => program('cmake'),
  },
  {
    for: ['build', 'test', 'bench', 'fuzz', 'lint'],
    essential: true,
    what: 'Ninja',
    package: 'ninja-build',
    found: () => program('ninja'),
  },
  {
    for: ['build', 'test', 'bench', 'fuzz'],
    essential: true,
    what: 'Emscripten',
    package: 'emscripten',
    found: () => program('em-config') && program('em++'),
  },
  {
    for: ['build', 'test', 'bench', 'fuzz', 'lint'],
    essential: true,
    what: 'Boost headers',
    package: 'libboost-dev',
    found: () => header('boost/version.hpp'),
  },
  {
    for: ['build', 'test', 'bench', 'fuzz', 'lint'],
    essential: true,
    what: 'KissFFT headers',
    package: 'libkissfft-dev',
    found: () => header('kissfft/kissfft.hh'),
  },
  {
    for: ['build', 'test', 'bench', 'fuzz', 'lint'],
    essential: true,
    what: 'doctest',
    package: 'doctest-dev',
    found: () => header('doctest/doctest.h'),
  },
  {
    for: ['test', 'bench', 'lint'],
    essential: true,
    what: 'a C++ compiler',
    package: 'g++',
    found: () => program('c++', 'g++', 'clang++'),
  },
  {
    for: ['fuzz'],
    essential: true,
    what: 'clang',
    package: 'clang',
    found: () => program('clang++'),
  },
  {
    for: ['fuzz'],
    essential: true,
    what: 'libFuzzer',
    package: 'libclang-rt-dev',
    found: clangRuntime,
  },
  {
    for: ['lint'],
    essential: true,
    what: 'clang-tidy',
    package: 'clang-tidy',
    found: () => program('clang-tidy'),
  },
  {
    for: ['test', 'bench'],
    essential: false,
    what: 'Git',
    package: 'git',
    found: () => program('git'),
  },
  {
    for: ['test'],
    essential: false,
    what: 'GNU Parallel',
    package: 'parallel',
    found: () => program('parallel'),
  },
  {
    for: ['test', 'bench'],
    essential: false,
    what: 'Chromium without windows',
    package: 'chromium-headless-shell',
    otherwise: 'Google Chrome serves, too, and so does any Chromium whose path is in CHROMIUM',
    found: () =>
      existsSync(process.env.CHROMIUM ?? '') ||
      program('chromium-headless-shell', 'google-chrome') ||
      (program('chromium', 'chromium-browser') && !offered('chromium-headless-shell')),
  },
];

async function installer() {
  if (!which('apt-get')) return undefined;
  if (process.getuid?.() === 0) return ['apt-get'];
  if (which('sudo') && (await execute('sudo', ['-n', 'true'])).code === 0) {
    return ['sudo', '-n', 'apt-get'];
  }
  return undefined;
}

/** Installs those of the packages that the system offers; resolves with what went wrong, if anything.
 * @param {string[]} packages */
async function install(packages) {
  const command = await installer();
  if (!command) return 'this needs apt-get, as root or through sudo without a password';
  const [first = '', ...rest] = command;
  const apt = (/** @type {string[]} */ ...args) =>
    execute(first, [...rest, '-o', 'DPkg::Lock::Timeout=300', ...args], {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    });
  const attempt = (/** @type {string[]} */ names) => {
    const first = nodeReplaced(simulated(names).stdout ?? '', which('node'));
    if (first !== undefined) throw new StepError(first);
    return apt('install', '-y', '--no-install-recommends', ...names);
  };
  if ((await attempt(packages)).code === 0) return undefined;
  // The usual reason is a package list that is old or was never fetched. One name that is not in it,
  // as other releases and distributions may not have it, makes apt-get refuse all.
  const updated = await apt('update');
  const available = packages.filter(offered);
  // Without a network apt-get only warns that it has no list.
  if (available.length === 0) return /^[EW]: .*/m.exec(updated.output)?.[0];
  const { code, output } = await attempt(available);
  return code === 0 ? undefined : output.trim().split('\n').slice(-3).join('\n');
}

/** Makes sure of the system's packages that `task` (build, test, bench, fuzz or lint) needs.
 * @param {string} task */
export async function prepareSystem(task) {
  const missing = () => tools.filter((tool) => tool.for.includes(task) && !tool.found());
  const wanted = missing();
  if (wanted.length === 0) return;
  console.log(`installing ${wanted.map((tool) => tool.package).join(' ')} ...`);
  const trouble = await install(wanted.map((tool) => tool.package));
  const left = missing();
  if (left.length === 0) return;
  const byHand = left.filter((tool) => !which('apt-get') || offered(tool.package));
  const lines = [`missing: ${left.map((tool) => tool.what).join(', ')}`];
  for (const tool of left) {
    if (byHand.includes(tool)) continue;
    const { otherwise = 'install it in another way' } = tool;
    lines.push(`  apt-get knows no package ${tool.package}: ${otherwise}`);
  }
  if (byHand.length > 0) {
    const names = byHand.map((tool) => tool.package).join(' ');
    lines.push('Install by hand:', `  apt-get install --no-install-recommends ${names}`);
  }
  if (trouble !== undefined) lines.push(`(${trouble})`);
  const message = lines.join('\n');
  if (left.some((tool) => tool.essential)) throw new StepError(message);
  console.log(`${message}\ngoing on without`);
}

/** Whether node_modules holds what the lock file says. */
function modulesMatch() {
  try {
    /** @type {(path: string) => Record<string, {version?: string, optional?: boolean}>} */
    const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages;
    const wanted = read('package-lock.json');
    const present = read('node_modules/.package-lock.json');
    return Object.entries(wanted).every(
      ([path, entry]) => path === '' || entry.optional || present[path]?.version === entry.version,
    );
  } catch {
    return false;
  }
}

export async function prepareModules() {
  if (modulesMatch()) return;
  console.log('npm ci ...');
  const { code, output } = await execute('npm', ['ci', '--no-audit', '--no-fund']);
  if (code !== 0) throw new StepError(`${output}\nnpm ci failed`);
}

/** @param {string} version */
function isTooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 20 || (major === 20 && minor < 19);
}

/** Debian's Emscripten brings Debian's Node, which may take the place of the one that runs this. */
export function requireNode() {
  const { stdout } = spawnSync('node', ['--version'], { encoding: 'utf8' });
  const found = (stdout ?? '').trim().replace(/^v/, '');
  if (!isTooOld(found || process.versions.node)) return;
  throw new StepError(
    `Node 20.19 or later is needed; the first node in PATH is ${found}, at ${which('node')}: put a ` +
      'later one in a folder before it, such as /usr/local/bin',
  );
}

/** @param {string} task */
export async function prepare(task) {
  if (isTooOld(process.versions.node)) {
    throw new StepError(`Node 20.19 or later is needed; this is ${process.versions.node}`);
  }
  await prepareSystem(task);
  requireNode();
  await prepareModules();
}
