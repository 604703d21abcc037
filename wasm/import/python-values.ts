import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import { evaluate, isOperator, number, operation, type Tree, type ValueRead } from './facts.js';

/** Deeper than any real configuration is nested. */
export const deepest = 100;

export const operations = (node: SyntaxNode): SyntaxNode[] => {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (child.name !== 'Comment') children.push(child);
  return children;
};

export const isBracket = ({ name }: SyntaxNode) => /^[()[\]{},:]$/.test(name);

export const hasError = (node: SyntaxNode): boolean => {
  let found = false;
  node.cursor().iterate((inner) => {
    if (inner.type.isError) found = true;
    return !found;
  });
  return found;
};

/** What expressions say. */
export class PythonValues {
  protected readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  protected of({ from, to }: { from: number; to: number }): string {
    return this.text.slice(from, to);
  }

  protected calleeOf(call: SyntaxNode): string {
    return (call.firstChild ? this.of(call.firstChild) : '').split('.').at(-1) ?? '';
  }
  value(node: SyntaxNode, depth = 0): ValueRead {
    const text = this.of(node);
    const formula: ValueRead = { kind: 'formula', text };
    if (depth > deepest) return formula;
    const inner = (one: SyntaxNode) => this.value(one, depth + 1);
    switch (node.name) {
      case 'Number': {
        const value = Number(text.replaceAll('_', ''));
        return Number.isNaN(value) ? formula : number(value, text);
      }
      case 'String':
        return /^[rbuRBU]*(['"])/.test(text)
          ? { kind: 'text', text: text.replace(/^\w*("""|'''|"|')|("""|'''|"|')$/g, '') }
          : formula;
      case 'Boolean':
        return { kind: 'flag', value: text === 'True' };
      case 'None':
        return { kind: 'nothing' };
      case 'ParenthesizedExpression': {
        const only = operations(node).filter((one) => !isBracket(one));
        return only.length === 1 && only[0] ? inner(only[0]) : formula;
      }
      case 'ArrayExpression':
      case 'TupleExpression':
      case 'SetExpression':
        return {
          kind: 'list',
          items: operations(node)
            .filter((one) => !isBracket(one))
            .map(inner),
        };
      case 'DictionaryExpression':
        return { kind: 'record' };
      case 'VariableName':
        if (/^(true|false)$/.test(text)) return { kind: 'flag', value: text === 'true' };
        if (text === 'null') return { kind: 'nothing' };
        return { ...formula, tree: { kind: 'name', name: text } };
      case 'MemberExpression': {
        const name = this.pathOf(node);
        return name ? { ...formula, tree: { kind: 'name', name: name.join('.') } } : formula;
      }
      case 'UnaryExpression':
      case 'BinaryExpression':
        return this.arithmetic(node, text, inner);
      case 'CallExpression':
        return this.callValue(node, text, inner);
      default:
        return formula;
    }
  }

  protected arithmetic(
    node: SyntaxNode,
    text: string,
    inner: (one: SyntaxNode) => ValueRead,
  ): ValueRead {
    const parts = operations(node);
    const [left, operator, right] = parts.length === 2 ? [undefined, ...parts] : parts;
    const sign = operator ? this.of(operator) : '';
    const a: Tree | undefined = left ? treeOf(inner(left)) : { kind: 'number', value: 0 };
    const b = right && treeOf(inner(right));
    if (!a || !b || !isOperator(sign)) return { kind: 'formula', text };
    return asValue(operation(sign, a, b), text);
  }

  protected callValue(
    node: SyntaxNode,
    text: string,
    inner: (one: SyntaxNode) => ValueRead,
  ): ValueRead {
    const name = this.calleeOf(node);
    const { args, named } = this.argumentsOf(node);
    const [first] = args;
    if (name === 'len' && args.length === 1 && first)
      return { kind: 'formula', text, tree: { kind: 'length', name: this.of(first) } };
    // Wrappers around a number: np.float64(0.01), typer.Option(0.01), field(default=0.01).
    if (/^(float|int)\d*$/.test(name) && args.length === 1 && first) {
      const value = inner(first);
      if (name.startsWith('int')) return whole(value, text, '//');
      return value.kind === 'number' || value.kind === 'text' ? value : { kind: 'formula', text };
    }
    if (/^(ceil|floor)$/.test(name) && args.length === 1 && first)
      return whole(inner(first), text, name === 'ceil' ? 'ceil' : '//');
    if (/^(Option|Argument|Field|field)$/.test(name)) {
      const given = named.find(([key]) => key === 'default')?.[1] ?? first;
      if (given) return inner(given);
    }
    if (/dict$/i.test(name)) return { kind: 'record' };
    // Wrappers around a list: np.array([1, 0.5]), torch.tensor([1, 0.5]).
    const list = /^(as)?array$|^tensor$/.test(name) && first ? inner(first) : undefined;
    if (list?.kind === 'list') return list;
    return {
      ...{ kind: 'call', name, args: args.map(inner) },
      named: named.map(([key, one]) => [key, inner(one)] as const),
    };
  }

  protected entries(node: SyntaxNode): [string, SyntaxNode][] {
    const parts = operations(node);
    return parts.flatMap((part, at): [string, SyntaxNode][] => {
      const [key, value] = [parts[at - 1], parts[at + 1]];
      if (part.name !== ':' || !key || !value || value.name === ',') return [];
      const name = this.value(key);
      return [[name.kind === 'text' ? name.text : this.of(key), value]];
    });
  }

  protected argumentsOf(call: SyntaxNode): { args: SyntaxNode[]; named: [string, SyntaxNode][] } {
    const args: SyntaxNode[] = [];
    const named: [string, SyntaxNode][] = [];
    const list = call.getChild('ArgList');
    const parts = list ? operations(list) : [];
    parts.forEach((part, at) => {
      if (isBracket(part) || part.name === 'AssignOp' || parts[at + 1]?.name === 'AssignOp') return;
      const [key, assign] = [parts[at - 2], parts[at - 1]];
      if (assign?.name === 'AssignOp' && key) named.push([this.of(key), part]);
      else if (!part.name.startsWith('*')) args.push(part);
    });
    return { args, named };
  }

  /** config.train["batch_size"] -> config, train, batch_size */
  protected pathOf(node: SyntaxNode): string[] | undefined {
    if (node.name === 'VariableName') return [this.of(node)];
    if (node.name !== 'MemberExpression' || !node.firstChild || !node.lastChild) return undefined;
    const around = this.pathOf(node.firstChild);
    const property = node.getChild('PropertyName');
    const key = property
      ? this.of(property)
      : operations(node).find((one) => one.name === 'String');
    if (!around || key === undefined) return undefined;
    return [...around, typeof key === 'string' ? key : this.of(key).replace(/^\w*['"]|['"]$/g, '')];
  }
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
  const node = parser.parse(text).topNode.firstChild;
  if (!node || node.to !== text.trimEnd().length || hasError(node) || !node.firstChild)
    return undefined;
  const value = new PythonValues(text).value(node.firstChild);
  return value.kind === 'formula' || value.kind === 'number' ? value : undefined;
}
