import type { ESTree } from 'vite';
import { programOf } from './source.js';

/** Where a type of the core is defined: its name without the classes around it, and the file's line. */
export interface Definition {
  name: string;
  place: string;
}

/** Comments and strings of C++ left blank, line for line. */
export function bareCpp(text: string): string {
  const blank = (found: string) => found.replace(/[^\n]/g, ' ');
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"/g, blank);
}

/**
 * The types that a C++ file defines. Not among them: forward declarations, specialisations, one-letter names, which are
 * a function's shorthand, and a name taken over from elsewhere as it is (`using Log = Mixture::Log`).
 */
export function typesDefined(path: string, text: string): Definition[] {
  const bare = bareCpp(text);
  const found: Definition[] = [];
  const add = (name: string | undefined, index: number) => {
    if (name === undefined || /^[A-Z]\d*$/.test(name)) return;
    const line = bare.slice(0, index).split('\n').length;
    found.push({ name, place: `${path}:${String(line)}` });
  };
  const bodies =
    /\b(?:class|struct|union|enum(?:\s+class)?)\s+(?:\w+::)*([A-Z]\w*)(?:\s+final)?\s*(?::[^;{}()=]*)?\{/g;
  for (const match of bare.matchAll(bodies)) add(match[1], match.index);
  for (const match of bare.matchAll(/\busing\s+([A-Z]\w*)\s*=\s*([^;]+);/g)) {
    const [, name, meaning] = match;
    if (!new RegExp(`::${String(name)}$`).test(String(meaning).trim())) add(name, match.index);
  }
  return found;
}

/** Names with more than one definition, each with its places. */
export function homonyms(definitions: readonly Definition[]): string[] {
  const places = new Map<string, string[]>();
  for (const { name, place } of definitions) {
    places.set(name, [...(places.get(name) ?? []), place]);
  }
  return [...places]
    .filter(([, all]) => all.length > 1)
    .map(([name, all]) => `${name} is defined at ${all.join(' and ')}`)
    .sort();
}

/** Names that a TypeScript file declares at its top: every type, and what it exports of the rest. */
export function namesDeclared(path: string, text: string): Definition[] {
  const found: Definition[] = [];
  const add = (name: ESTree.Node | null) => {
    if (name?.type !== 'Identifier') return;
    // A type and a value of one name in one file are one idea.
    if (found.some((other) => other.name === name.name)) return;
    const line = text.slice(0, name.start).split('\n').length;
    found.push({ name: name.name, place: `${path}:${String(line)}` });
  };
  for (const statement of programOf(path, text).body) {
    const exported = statement.type === 'ExportNamedDeclaration';
    const declaration =
      exported || statement.type === 'ExportDefaultDeclaration' ? statement.declaration : statement;
    switch (declaration?.type) {
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'ClassDeclaration':
        add(declaration.id);
        break;
      case 'FunctionDeclaration':
      case 'TSDeclareFunction':
        if (declaration !== statement) add(declaration.id);
        break;
      case 'VariableDeclaration':
        if (exported) for (const { id } of declaration.declarations) add(id);
    }
  }
  return found;
}
