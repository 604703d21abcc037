import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import { evaluate, isOperator, number, operation, type Tree, type ValueRead } from './facts.js';

/** A piece of a program: what the grammar calls it, its words, and its parts but for comments. */
export interface Code {
  name: string;
  text: string;
  from: number;
  to: number;
  parts: readonly Code[];
  /** The names of all that it stands in, the nearest last. */
  around: string;
  /** Whether it is not whole Python. */
  broken: boolean;
}

/** Deeper than any real program is nested: what stands there is a formula. */
const deepest = 200;

function codeOf(text: string, node: SyntaxNode, around = '', depth = 0): Code {
  const { from, to, type } = node;
  const name = depth < deepest ? node.name : '';
  const parts: Code[] = [];
  for (let child = name && node.firstChild; child; child = child.nextSibling)
    if (child.name !== 'Comment') parts.push(codeOf(text, child, `${around} ${name}`, depth + 1));
  const broken = type.isError || parts.some((part) => part.broken);
  return { name, text: text.slice(from, to), from, to, parts, around, broken };
}

export const codeIn = (text: string): Code => codeOf(text, parser.parse(text).topNode);

export const partOf = ({ parts }: Code, name: string): Code | undefined =>
  parts.find((part) => part.name === name);

const isBracket = ({ name }: Code) => /^[()[\]{},:]$/.test(name);

export const calleeOf = ({ parts: [callee] }: Code): string => callee?.text.split('.').at(-1) ?? '';

export interface Arguments {
  args: Code[];
  named: [string, Code][];
}

export function argumentsOf(call: Code): Arguments {
  const args: Code[] = [];
  const named: [string, Code][] = [];
  const parts = partOf(call, 'ArgList')?.parts ?? [];
  parts.forEach((part, at) => {
    if (isBracket(part) || part.name === 'AssignOp' || parts[at + 1]?.name === 'AssignOp') return;
    const [key, assign] = [parts[at - 2], parts[at - 1]];
    if (assign?.name === 'AssignOp' && key) named.push([key.text, part]);
    else if (!part.name.startsWith('*')) args.push(part);
  });
  return { args, named };
}

/** The names and values of a dictionary. */
export const entriesOf = ({ parts }: Code): [string, Code][] =>
  parts.flatMap((part, at): [string, Code][] => {
    const [key, value] = [parts[at - 1], parts[at + 1]];
    if (part.name !== ':' || !key || !value || value.name === ',') return [];
    const name = valueOf(key);
    return [[name.kind === 'text' ? name.text : key.text, value]];
  });

/** config.train["batch_size"] -> config, train, batch_size */
export function pathOf({ name, text, parts }: Code): string[] | undefined {
  if (name === 'VariableName') return [text];
  const around = name === 'MemberExpression' && parts[0] && pathOf(parts[0]);
  const key = parts.find((part) => /^(PropertyName|String)$/.test(part.name));
  return around && key ? [...around, key.text.replace(/^\w*['"]|['"]$/g, '')] : undefined;
}

/** The constants of Python, and those of JSON, which are names to Python. */
const constants = new Map<string, ValueRead>([
  ...['True', 'true'].map((name) => [name, { kind: 'flag', value: true }] as const),
  ...['False', 'false'].map((name) => [name, { kind: 'flag', value: false }] as const),
  ...['None', 'null'].map((name) => [name, { kind: 'nothing' }] as const),
]);

/** What an expression says. */
export function valueOf(code: Code): ValueRead {
  const { name, text, parts } = code;
  const formula: ValueRead = { kind: 'formula', text };
  const items = () => parts.filter((part) => !isBracket(part));
  const constant = constants.get(text);
  if (constant) return constant;
  switch (name) {
    case 'Number': {
      const value = Number(text.replaceAll('_', ''));
      return Number.isNaN(value) ? formula : number(value, text);
    }
    case 'String':
      return /^[rbuRBU]*(['"])/.test(text)
        ? { kind: 'text', text: text.replace(/^\w*("""|'''|"|')|("""|'''|"|')$/g, '') }
        : formula;
    case 'ParenthesizedExpression': {
      const [first, second] = items();
      return first && !second ? valueOf(first) : formula;
    }
    case 'ArrayExpression':
    case 'TupleExpression':
    case 'SetExpression':
      return { kind: 'list', items: items().map(valueOf) };
    case 'DictionaryExpression':
      return { kind: 'record' };
    case 'VariableName':
    case 'MemberExpression': {
      const path = pathOf(code);
      return path ? { ...formula, tree: { kind: 'name', name: path.join('.') } } : formula;
    }
    case 'UnaryExpression':
    case 'BinaryExpression': {
      const [left, operator, right] = parts.length === 2 ? [undefined, ...parts] : parts;
      const a: Tree | undefined = left ? treeOf(valueOf(left)) : { kind: 'number', value: 0 };
      const b = right && treeOf(valueOf(right));
      const sign = operator?.text ?? '';
      return a && b && isOperator(sign) ? asValue(operation(sign, a, b), text) : formula;
    }
    case 'CallExpression':
      return callValue(code);
    default:
      return formula;
  }
}

function callValue(call: Code): ValueRead {
  const { text } = call;
  const name = calleeOf(call);
  const given = argumentsOf(call);
  const args = given.args.map(valueOf);
  const named = given.named.map(([key, one]) => [key, valueOf(one)] as const);
  const [first] = args;
  if (first && args.length === 1) {
    if (name === 'len')
      return { kind: 'formula', text, tree: { kind: 'length', name: given.args[0]?.text ?? '' } };
    // Wrappers around a number: np.float64(0.01), typer.Option(0.01), field(default=0.01).
    if (/^(int\d*|ceil|floor)$/.test(name))
      return whole(first, text, name === 'ceil' ? 'ceil' : '//');
    if (/^float\d*$/.test(name))
      return first.kind === 'number' || first.kind === 'text' ? first : { kind: 'formula', text };
  }
  const preset = named.find(([key]) => key === 'default')?.[1] ?? first;
  if (/^(Option|Argument|Field|field)$/.test(name) && preset) return preset;
  if (/dict$/i.test(name)) return { kind: 'record' };
  // Wrappers around a list: np.array([1, 0.5]), torch.tensor([1, 0.5]).
  if (/^((as)?array|tensor)$/.test(name) && first?.kind === 'list') return first;
  return { kind: 'call', name, args, named };
}

/** A value cut to a whole number, down or up. */
function whole(value: ValueRead, text: string, cut: '//' | 'ceil'): ValueRead {
  const tree = treeOf(value);
  if (!tree) return value.kind === 'text' ? value : { kind: 'formula', text };
  return asValue(operation(cut, tree, { kind: 'number', value: 1 }), text);
}

export const treeOf = (value: ValueRead): Tree | undefined =>
  value.kind === 'number'
    ? { kind: 'number', value: value.value }
    : value.kind === 'formula'
      ? value.tree
      : undefined;

export function asValue(tree: Tree, text: string): ValueRead {
  const value = evaluate(tree, () => undefined);
  // Nobody typed these digits, so that no point among them parts thousands.
  return value === undefined
    ? { kind: 'formula', text, tree }
    : { kind: 'number', value, text: String(value) };
}

/** An expression alone, as a formula of numbers and names. */
export function formulaIn(text: string): ValueRead | undefined {
  const [statement] = codeIn(text).parts;
  const [only] = statement?.parts ?? [];
  if (!only || statement?.broken || statement?.to !== text.trimEnd().length) return undefined;
  const value = valueOf(only);
  return value.kind === 'formula' || value.kind === 'number' ? value : undefined;
}
