import { posix } from 'node:path';
import type { ESTree } from 'vite';
import { textOf, visit } from './source.js';

/** One include or import: which file names what, and whether only for its types. */
interface Arrow {
  from: string;
  to: string;
  typeOnly: boolean;
}

/** Which rooms of the core a room may include, beside itself. Method folders never see each other. */
const coreRooms: Record<string, readonly string[]> = {
  base: [],
  math: ['base'],
  pairs: ['base', 'math'],
  pld: ['base', 'math', 'pairs'],
  contour: ['base', 'math', 'pairs'],
  rdp: ['base', 'math', 'pairs', 'contour'],
  monte_carlo: ['base', 'math'],
  tradeoff: ['base', 'math', 'pairs', 'pld'],
  runs: ['base', 'math', 'pairs', 'pld', 'rdp', 'contour'],
  samplers: ['base', 'math', 'pairs', 'pld', 'rdp', 'contour', 'monte_carlo', 'runs'],
  calibrate: ['base', 'math', 'pairs', 'pld', 'rdp', 'contour', 'monte_carlo', 'runs', 'samplers'],
  wire: ['base', 'tradeoff', 'runs'],
  accounts: [
    ...['base', 'math', 'pairs', 'pld', 'rdp', 'contour', 'monte_carlo', 'tradeoff'],
    ...['runs', 'samplers', 'calibrate', 'wire'],
  ],
};

/**
 * Which rooms of the engine's folder a room may import, beside itself and the lists that the engine
 * generates. What lies in `wasm/` itself, and how it starts on each platform, is the room `engine`.
 */
const engineRooms: Record<string, readonly string[]> = {
  words: [],
  import: ['words'],
  engine: ['words', 'import'],
  papers: ['words', 'engine'],
  report: ['words', 'engine'],
  command: ['words', 'engine', 'import', 'papers', 'report'],
};
const platforms = ['browser', 'inline', 'node', 'package', 'generated'];

function engineRoomOf(path: string): string {
  const [, room = '', file] = path.split('/');
  return file === undefined || platforms.includes(room) ? 'engine' : room;
}

/** Why one room of the engine's folder must not import another: none where it may. */
function engineFaults({ from, to }: Arrow): string[] {
  if (!from.startsWith('wasm/') || !to.startsWith('wasm/')) return [];
  if (/^wasm\/generated\/(schema|references)$/.test(to)) return [];
  const [room, target] = [engineRoomOf(from), engineRoomOf(to)];
  const allowed = engineRooms[room];
  if (!allowed) return [`wasm/${room} is no room`];
  if (room === target || allowed.includes(target)) return [];
  return [`the room ${room} may import ${allowed.join(', ') || 'nothing but what is generated'}`];
}

/** What of a library or platform may be named where. Everything else is the standard library's. */
const doors: readonly { header: RegExp; rooms: RegExp; why: string }[] = [
  { header: /^emscripten\b/, rooms: /^wasm\//, why: 'only wasm/ knows Emscripten' },
  { header: /^kissfft\b|^kiss_fft/, rooms: /^core\/math\/fft\./, why: 'one door to KissFFT' },
  { header: /^boost\//, rooms: /^core\/math\//, why: 'Boost stays behind core/math' },
  {
    header: /^(iostream|fstream|filesystem|thread|chrono|mutex|future)$/,
    rooms: /^(wasm|tests)\//,
    why: 'the core does no input or output, and reads no clock',
  },
];

const within = (folder: string) => (path: string) => path.startsWith(folder);

/** Which value imports, beside those of its own folder, a TypeScript file must not make. */
const imports: readonly {
  from: (path: string) => boolean;
  never: (arrow: Arrow) => boolean;
  why: string;
}[] = [
  {
    from: within('wasm/'),
    never: ({ to }) => to.startsWith('web/'),
    why: 'the engine knows no page',
  },
  {
    from: within('web/'),
    never: ({ to }) => /^wasm\/generated\/engine\b/.test(to),
    why: 'only the engine imports the wasm module',
  },
  {
    from: within('web/'),
    // The generated engine has its own rule above, which types do not lift.
    never: ({ to, typeOnly }) =>
      to.startsWith('wasm/') &&
      !typeOnly &&
      !/^wasm\/(index|create-engine|tally|errors|curve-kinds|curve-range|words\/[a-z-]+|(import|papers|report)\/index|report\/quotations|generated\/(schema|engine))$/.test(
        to,
      ),
    why: 'the page meets the engine, the papers and the report at their entries',
  },
  {
    from: (path) => /^web\/src\/(charts|export)\//.test(path),
    never: ({ to, typeOnly }) => /^wasm\/(?!words\/)/.test(to) && !typeOnly,
    why: 'charts and export take types from the engine and its words, nothing else',
  },
  {
    from: within('web/src/state/'),
    never: ({ to }) =>
      /^(lit\b|d3-)/.test(to) || (to.startsWith('web/src/') && !to.startsWith('web/src/state/')),
    why: 'state knows no DOM and no view',
  },
  {
    from: (path) => /^(wasm|web)\//.test(path),
    never: ({ to }) => /^(tests|\.scripts)\//.test(to),
    why: 'what ships does not import what tests or builds it',
  },
];

/** Names through which code reaches the document. */
const domGlobals = new Set([
  ...['document', 'window', 'history', 'location', 'navigator', 'localStorage', 'sessionStorage'],
  ...['HTMLElement', 'Element', 'customElements', 'requestAnimationFrame'],
]);

/** The includes of a C++ file, comments and strings aside. */
function includesOf(path: string, text: string): { header: string; quoted: boolean }[] {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/^\s*\/\/.*$/gm, '');
  const found = [...bare.matchAll(/^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)/gm)];
  const named = (bare.match(/^[ \t]*#[ \t]*include\b/gm) ?? []).length;
  if (named !== found.length) throw new Error(`${path}: an include that cannot be read`);
  return found.map(([, quoted, angled]) => ({
    header: quoted ?? angled ?? '',
    quoted: quoted !== undefined,
  }));
}

function includeFault(path: string, header: string, quoted: boolean): string | null {
  const [top, room = ''] = path.split('/');
  if (!quoted) {
    const door = doors.find((one) => one.header.test(header) && !one.rooms.test(path));
    return door && top !== 'tests' ? door.why : null;
  }
  if (top === 'tests') return null;
  const [targetTop, targetRoom = ''] = header.split('/');
  if (targetTop === 'core') {
    if (!(targetRoom in coreRooms)) return `core/${targetRoom} is no room`;
    if (top === 'wasm') {
      return ['accounts', 'wire', 'base'].includes(targetRoom)
        ? null
        : 'the engine meets the core at its accounts';
    }
    if (top === 'core') {
      const allowed = coreRooms[room];
      if (!allowed) return `core/${room} is no room`;
      return room === targetRoom || allowed.includes(targetRoom)
        ? null
        : `core/${room} may include ${allowed.join(', ') || 'nothing'}`;
    }
  }
  if (top === 'wasm' && targetTop === 'wasm') return null;
  return 'includes are written from the root, and the core includes only the core';
}

function arrowsOf(path: string, text: string): Arrow[] {
  const arrows: Arrow[] = [];
  const add = (specifier: ESTree.Node | null | undefined, typeOnly: boolean) => {
    const named = textOf(specifier);
    if (named === undefined) return;
    const to = named.startsWith('.')
      ? posix
          .normalize(posix.join(posix.dirname(path), named))
          .replace(/(\.d)?\.m?[jt]s(\?.*)?$/, '')
      : named;
    arrows.push({ from: path, to, typeOnly });
  };
  visit(path, text, {
    ImportDeclaration({ source, importKind, specifiers }) {
      const allTypes =
        specifiers.length > 0 &&
        specifiers.every((one) => one.type === 'ImportSpecifier' && one.importKind === 'type');
      add(source, allTypes || importKind === 'type');
    },
    ExportNamedDeclaration({ source, exportKind }) {
      add(source, exportKind === 'type');
    },
    ExportAllDeclaration({ source, exportKind }) {
      add(source, exportKind === 'type');
    },
    TSImportType({ source }) {
      add(source, true);
    },
    ImportExpression({ source }) {
      add(source, false);
    },
    NewExpression({ callee, arguments: [first] }) {
      // new URL('./worker.ts', import.meta.url) is an import to the bundler.
      if (callee.type === 'Identifier' && callee.name === 'URL') add(first, false);
    },
  });
  return arrows;
}

/** Names of the DOM that a file uses as globals: neither a member's name nor one it declares. */
function domUsesOf(path: string, text: string): string[] {
  const declared = new Set<string>();
  const uses = new Set<string>();
  const members = new Set<ESTree.Node>();
  const declare = (...nodes: readonly ESTree.Node[]) => {
    for (const node of nodes) {
      const name = node.type === 'AssignmentPattern' ? node.left : node;
      if (name.type === 'Identifier') declared.add(name.name);
    }
  };
  const member = ({ key, computed }: { key: ESTree.Node; computed: boolean }) => {
    if (!computed) members.add(key);
  };
  const parameters = ({ params }: { params: readonly ESTree.Node[] }) => {
    declare(...params);
  };
  visit(path, text, {
    VariableDeclarator({ id }) {
      declare(id);
    },
    ObjectPattern({ properties }) {
      declare(...properties.flatMap((one) => (one.type === 'Property' ? [one.value] : [])));
    },
    ArrayPattern({ elements }) {
      declare(...elements.filter((one) => one !== null));
    },
    FunctionDeclaration: parameters,
    FunctionExpression: parameters,
    ArrowFunctionExpression: parameters,
    MemberExpression({ property, computed }) {
      member({ key: property, computed });
    },
    Property({ key, computed, shorthand }) {
      member({ key, computed: computed || shorthand });
    },
    PropertyDefinition: member,
    MethodDefinition: member,
    TSPropertySignature: member,
    TSMethodSignature: member,
    Identifier(node) {
      if (domGlobals.has(node.name) && !members.has(node)) uses.add(node.name);
    },
  });
  return [...uses].filter((name) => !declared.has(name));
}

/** What is wrong with a file's includes and imports: one sentence each, none when all is well. */
export function faultsOf(path: string, text: string): string[] {
  if (/\.(h|cc)$/.test(path)) {
    return includesOf(path, text).flatMap(({ header, quoted }) => {
      const why = includeFault(path, header, quoted);
      return why === null ? [] : [`${path} includes ${header}: ${why}`];
    });
  }
  const faults = arrowsOf(path, text).flatMap((arrow) =>
    [
      ...imports.filter((rule) => rule.from(path) && rule.never(arrow)).map(({ why }) => why),
      ...engineFaults(arrow),
    ].map((why) => `${path} imports ${arrow.to}: ${why}`),
  );
  if (path.startsWith('web/src/state/')) {
    for (const name of domUsesOf(path, text)) {
      faults.push(`${path} uses ${name}: state knows no DOM and no view`);
    }
  }
  return faults;
}
