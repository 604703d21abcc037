import { ParseError, parseTOML, type AST } from 'toml-eslint-parser';
import { doubtRepeated, number, plainValue, remembered } from './facts.js';
import type { Fact, Format, Reading, ValueRead } from './facts.js';

function valueOf(node: AST.TOMLContentNode): ValueRead {
  if (node.type === 'TOMLArray') return { kind: 'list', items: node.elements.map(valueOf) };
  if (node.type !== 'TOMLValue') return { kind: 'nothing' };
  if (node.kind === 'boolean') return { kind: 'flag', value: node.value };
  if (node.kind === 'integer' || node.kind === 'float') return number(node.value, node.number);
  return node.kind === 'string'
    ? plainValue(node.value)
    : { kind: 'text', text: String(node.value) };
}

function* factsOf(
  nodes: readonly (AST.TOMLKeyValue | AST.TOMLTable)[],
  path: readonly string[],
): Generator<Fact> {
  for (const node of nodes) {
    const keys = node.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value));
    const names = [...path, ...keys.flatMap((key) => key.split('.'))];
    if (node.type === 'TOMLTable') {
      yield* factsOf(node.body, names);
      continue;
    }
    const { value } = node;
    const inside = value.type === 'TOMLArray' ? value.elements : [value];
    const tables = inside.filter((one) => one.type === 'TOMLInlineTable');
    if (tables.length > 0) for (const table of tables) yield* factsOf(table.body, names);
    else yield { path: names, value: valueOf(node.value), from: node.range[0], to: node.range[1] };
  }
}

const parsed = remembered((text): AST.TOMLProgram | undefined => {
  try {
    return parseTOML(text);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
});

function recognises(text: string): number {
  if (!/^[^\S\n]*[\w."-]+\s*=/m.test(text) || !parsed(text)) return 0;
  return /^[^\S\n]*\[[^\]]+\][^\S\n]*(#.*)?$/m.test(text) ? 0.9 : 0.65;
}

function read(text: string): Reading {
  const program = parsed(text);
  const parts = (program?.body[0].body ?? []).map((node) => ({
    several: node.type === 'TOMLTable' && node.kind === 'array',
    facts: [...factsOf([node], [])],
  }));
  doubtRepeated(parts.flatMap(({ several, facts }) => (several ? [facts] : [])));
  return { source: 'TOML', facts: parts.flatMap(({ facts }) => facts) };
}

export const toml: Format = { recognises, read };
