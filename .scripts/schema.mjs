// Writes wasm/generated/: the engine module beside the TypeScript types and lists that follow from
// the core's schema, as a module of the same sources describes it, so that they cannot drift.

import { copyFileSync, mkdirSync, readFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const head =
  '// Generated at build time from core/wire/schema.h and core/accounts/catalog.h. Do not edit.\n';

/** What the module exports, for TypeScript. */
const moduleTypes = `${head}
export interface EngineModule {
  call(method: string, question: unknown): unknown;
  version(): string;
}
export default function createModule(options: {
  wasmBinary?: ArrayBuffer | Uint8Array;
  /** Instead: instantiates by itself, and hands the instance over. */
  instantiateWasm?: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance) => void,
  ) => object;
  print?: (line: string) => void;
  printErr?: (line: string) => void;
}): Promise<EngineModule>;
`;

/**
 * What the module says of itself.
 * @typedef {{name: string, type: string, meaning: string, symbol: string, choices: string[]}} Input
 * @typedef {{name: string, type: string, list: boolean, optional: boolean}} Output
 * @typedef {{name: string, input: string, output: string, list: boolean}} Call
 * @typedef {{
 *   version: string, compiler: string, mostPhases: number,
 *   calls: Call[], inputs: Record<string, Input[]>,
 *   outputs: Record<string, Output[]>, kinds: string[], samplers: {name: string}[],
 *   methods: {code: string, sentence: string, anchor: string}[],
 *   assumptions: string[], warnings: string[],
 * }} Description
 */

/** @typedef {(text: string) => string} Respell */

/** @type {Respell} */
const upperFirst = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** @type {Respell} */
const lowerFirst = (text) => text.charAt(0).toLowerCase() + text.slice(1);
const union = (/** @type {string[]} */ names) => names.map((name) => `'${name}'`).join(' | ');
const json = (/** @type {unknown} */ value) => JSON.stringify(value, null, 2);

/** The name of the union type that a choice field's values form. */
const choiceType = (/** @type {Input} */ field) =>
  field.name === 'sampler' ? 'SamplerName' : upperFirst(field.name);

/** @type {Record<string, string>} */
const inputTypes = {
  ...{ number: 'number', count: 'number', numbers: 'number | readonly number[]' },
  ...{ flag: 'boolean', ranks: 'Ranks', texts: 'string[]' },
};

/**
 * Questions about a run, whose phases stand beside their fields.
 * @param {string} name
 */
const isAboutRun = (name) => name === 'Query' || name === 'PrivacyCurveQuery';

/** @type {(name: string, fields: Input[], extra?: string) => string} */
function inputInterface(name, fields, extra = '') {
  const lines = fields.map((field) => {
    const domain = field.symbol ? ` (${field.symbol})` : '';
    const type = field.type === 'choice' ? choiceType(field) : inputTypes[field.type];
    return `  /** ${field.meaning}${domain} */\n  ${field.name}?: ${type} | undefined;`;
  });
  return `export interface ${name} {\n${extra}${lines.join('\n')}\n}\n`;
}

/**
 * Texts that are one of a list, by their record and name, or by their name anywhere.
 * @type {Record<string, string>}
 */
const narrower = {
  'Answer.sampler': "SamplerName | 'composition'",
  '.adjacency': "Adjacency | 'mixed'",
  '.methodCode': 'MethodCode',
  '.assumptionCodes': 'AssumptionCode',
  'Warning.code': 'WarningCode',
};

/** @type {(name: string, fields: Output[]) => string} */
function outputInterface(name, fields) {
  const lines = fields.map((field) => {
    const type = narrower[`${name}.${field.name}`] ?? narrower[`.${field.name}`] ?? field.type;
    return `  ${field.name}${field.optional ? '?' : ''}: ${type}${field.list ? '[]' : ''};`;
  });
  return `export interface ${name} {\n${lines.join('\n')}\n}\n`;
}

/**
 * An exported list.
 * @type {(declaration: string, entries: unknown) => string}
 */
const constant = (declaration, entries) => `export const ${declaration} = ${json(entries)};\n`;

/**
 * What may be asked: the choices, a field that several inputs share being one type, and the inputs.
 * @param {Description} description
 */
function questionTypes({ inputs, samplers }) {
  const choices = new Map(
    Object.values(inputs)
      .flat()
      .filter((field) => field.type === 'choice' && field.name !== 'sampler')
      .map((field) => [choiceType(field), field]),
  );
  return [
    `/** How a batch can be drawn. */\nexport type SamplerName = ${union(samplers.map((s) => s.name))};\n`,
    ...[...choices].map(([name, field]) => `export type ${name} = ${union(field.choices)};\n`),
    `/** Ranks of sorted coordinates, 1 the largest, or for the engine to choose. */\nexport type Ranks = 'auto' | number[];\n`,
    ...Object.entries(inputs).map(([name, fields]) =>
      inputInterface(name, fields, isAboutRun(name) ? '  phases: (Phase | Release)[];\n' : ''),
    ),
  ];
}

/**
 * What comes back.
 * @param {Description} description
 */
const answerTypes = ({ inputs, outputs, kinds }) => [
  `/** What stands behind an interval's ends. */\nexport type IntervalKind = ${union(kinds)};\n`,
  '/** Holds the truth; null: no bound on that side. */\nexport interface Interval {\n' +
    '  lower: number | null;\n  upper: number | null;\n  kind: IntervalKind;\n}\n',
  ...Object.entries(outputs)
    .filter(([name]) => !(name in inputs))
    .map(([name, fields]) => outputInterface(name, fields)),
];

const inputField = `/** An input field: what may be typed into it and how it is called. */
export interface InputField<Name extends string = string> {
  name: Name;
  type: 'number' | 'count' | 'choice' | 'flag' | 'numbers' | 'ranks' | 'texts';
  label: string;
  meaning: string;
  /** Smallest supported value, itself excluded when \`openLeast\`. */
  least: number;
  most: number;
  openLeast: boolean;
  /** For a choice: its values, the default first. */
  choices: readonly string[];
  /** The field's letter in the papers, or ''. */
  symbol: string;
}
`;

/** @param {Description} description */
const fieldLists = ({ inputs }) =>
  Object.entries(inputs).map(([name, fields]) => {
    const keys = isAboutRun(name) ? `Exclude<keyof ${name}, 'phases'>` : `keyof ${name}`;
    return constant(`${lowerFirst(name)}Fields: readonly InputField<${keys}>[]`, fields);
  });

const samplerInfo = `export interface SamplerInfo {
  name: SamplerName;
  label: string;
  sentence: string;
  usesEpochs: boolean;
  /** Which batch holds a record is known. */
  knowsBatches: boolean;
  /** Batches are consecutive records: one may be short, or left out. */
  cutsTheData: boolean;
  permutes: boolean;
  canKeepDraw: boolean;
  canRepeat: boolean;
  /** A batch's records may be drawn with replacement. */
  canReplace: boolean;
  /** Each record is drawn by itself; and each step. */
  drawsByRecord: boolean;
  drawsByStep: boolean;
  sizesVary: boolean;
  /** Training loops draw so unless they are told otherwise. */
  usuallyDrawn: boolean;
  /** Papers report this sampler's epsilon, whatever they drew. */
  usuallyReported: boolean;
  /** Monte Carlo draws its losses. */
  canSample: boolean;
  assumption: string;
  citations: readonly string[];
}
`;

const methodInfo = `/** What an answer with numbers rests on, and what found them. */
export type Grounds = Pick<Answer, 'assumptions' | 'assumptionCodes' | 'warnings' | 'citations'>;
export type Explanation = Grounds & Pick<Answer, 'method' | 'methodCode'>;

export interface MethodInfo {
  code: MethodCode;
  sentence: string;
  /** Where web/docs explains it. */
  anchor: string;
}
`;

/**
 * What stands behind answers: samplers, methods, assumptions, warnings.
 * @param {Description} description
 */
const catalogTexts = ({ samplers, methods, assumptions, warnings, kinds }) => [
  samplerInfo,
  constant('samplers: readonly SamplerInfo[]', samplers),
  `/** How the ends of an answer were found. */\nexport type MethodCode = ${union(methods.map(({ code }) => code))};\n`,
  `/** What an assumption is about. */\nexport type AssumptionCode = ${union(assumptions)};\n`,
  `/** What a warning is of. */\nexport type WarningCode = ${union(warnings)};\n`,
  methodInfo,
  constant('methods: readonly MethodInfo[]', methods),
  constant('intervalKinds: readonly IntervalKind[]', kinds),
];

/** @param {Description} description */
function callTypes({ calls, outputs }) {
  const types = calls.map(
    ({ name, input, output, list }) =>
      `  ${name}: { question: ${input}; result: ${output}${list ? '[]' : ''} };`,
  );
  const results = calls.map(({ name, output, list }) => [name, { output, list }]);
  return `/** The shape of what comes back, for checking it at the boundary. */
export interface OutputField {
  name: string;
  type: string;
  list: boolean;
  optional: boolean;
}
/** What can be asked: each call's question and its result. */
export interface Calls {
${types.join('\n')}
}
export type CallName = keyof Calls;
export const calls: Readonly<Record<CallName, { output: string; list: boolean }>> = ${json(Object.fromEntries(results))};
export const outputFields: Readonly<Record<string, readonly OutputField[]>> = ${json(outputs)};\n`;
}

/**
 * @param {Description} description
 * @returns {string} the text of schema.ts
 */
export const schemaText = (description) =>
  [
    head,
    `export const version = '${description.version}';\n`,
    `/** What compiled the engine. */\nexport const compiler = ${JSON.stringify(description.compiler)};\n`,
    `/** The longest list of phases and releases that a question may have. */
export const mostPhases = ${String(description.mostPhases)};
`,
    ...questionTypes(description),
    ...answerTypes(description),
    inputField,
    ...fieldLists(description),
    ...catalogTexts(description),
    callTypes(description),
  ].join('\n');

const reference = `/** A paper behind a citation key. */
export interface Reference {
  /** With initials, separated by commas. */
  authors: string;
  title: string;
  conference?: string;
  journal?: string;
  year: number;
  /** Where it is read: an arXiv number, or a DOI. */
  arxiv?: string;
  doi?: string;
  /** This project’s own and not yet peer-reviewed: the section of the methods page that proves it. */
  section?: string;
}
`;

/** A row: key, authors, title, journal or conference, year, and where it is read. */
const paper =
  /^\| (\w+) +\| ([^_]*)\. _([^_]*?)\.?_ (?:_([^_]*)_ |(\D[^.]*) )?(\d{4})\. (?:arXiv:([\d.]+\d)|doi:([\w./-]+)|.*?\.md#(\w+))/;

/**
 * The papers that readers are referred to: the first table of core/REFERENCES.md.
 * @param {string} text
 */
function referencesText(text) {
  const [, , ...rows] = (/(?:^\|.*\n)+/m.exec(text)?.[0] ?? '').trimEnd().split('\n');
  const references = rows.map((row) => {
    const found = paper.exec(row);
    if (!found) throw new Error(`core/REFERENCES.md: not understood: ${row}`);
    const [, key, authors, title, journal, conference, year, arxiv, doi, section] = found;
    const places = { conference, journal, arxiv, doi, section };
    return [key, { authors, title, year: Number(year), ...places }];
  });
  return [
    head.replace(/from .*h\. /, 'from core/REFERENCES.md. '),
    reference,
    constant('references: Readonly<Record<string, Reference>>', Object.fromEntries(references)),
  ].join('\n');
}

/** @type {(path: string, text: string) => void} */
function writeIfChanged(path, text) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

/**
 * The glue names its own .wasm through import.meta.url, which bundlers take for an asset and ship a
 * second time. The bytes are always handed in, so a plain name does.
 * @param {string} glue
 */
function withoutOwnUrl(glue) {
  const patched = glue.replace(
    /new URL\("engine\.wasm",\s*import\.meta\.url\)\.(toString\(\)|href)/g,
    '"engine.wasm"',
  );
  if (patched.includes('new URL("engine.wasm"')) {
    throw new Error('the Emscripten glue names engine.wasm in a way this build does not know');
  }
  return patched;
}

/** @param {string} root */
export async function generate(root) {
  const from = join(root, 'build/wasm/wasm');
  const to = join(root, 'wasm/generated');
  mkdirSync(to, { recursive: true });
  writeIfChanged(
    join(to, 'engine.mjs'),
    withoutOwnUrl(readFileSync(join(from, 'engine.mjs'), 'utf8')),
  );
  writeIfChanged(join(to, 'engine.d.mts'), moduleTypes);
  copyFileSync(join(from, 'engine.wasm'), join(to, 'engine.wasm'));
  const { default: createModule } = await import(pathToFileURL(join(from, 'describe.mjs')).href);
  const module = await createModule({ wasmBinary: readFileSync(join(from, 'describe.wasm')) });
  writeIfChanged(join(to, 'schema.ts'), schemaText(module.describe()));
  const papers = readFileSync(join(root, 'core/REFERENCES.md'), 'utf8');
  writeIfChanged(join(to, 'references.ts'), referencesText(papers));
}
