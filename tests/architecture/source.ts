import { Visitor, parseSync } from 'vite';
import type { ESTree, VisitorObject } from 'vite';

/** A TypeScript file's statements. */
export function programOf(path: string, text: string): ESTree.Program {
  const { program, errors } = parseSync(path, text);
  const [error] = errors;
  if (error) throw new Error(`${path} cannot be read: ${error.message}`);
  return program;
}

/** Visits all nodes of a TypeScript file, each before those inside it. */
export function visit(path: string, text: string, visitor: VisitorObject): void {
  new Visitor(visitor).visit(programOf(path, text));
}

/** The text of a node that is one in quotation marks or backticks, without anything to fill in. */
export function textOf(node: ESTree.Node | null | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node?.type !== 'TemplateLiteral' || node.quasis.length > 1) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}
