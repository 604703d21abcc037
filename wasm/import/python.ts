import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import {
  doubtRepeated,
  operation,
  remembered,
  type Format,
  type Reading,
  type Tree,
} from './facts.js';
import { PythonCalls, type CodeScope } from './python-calls.js';
import { asValue, hasError, operations, treeOf } from './python-values.js';

/** Of a statement that cannot be parsed. */
const notWhole = 'it is not whole Python';

/** [training.dp], as TOML has it, stands above what belongs to it. */
const tomlHeading = /^\[+([A-Za-z][\w.\s"-]*)\]+$/;

/** sigma = 1, n = 5: to Python a chain of assignments of tuples; to whoever wrote it, settings. */
const isList = (node: SyntaxNode): boolean =>
  node.getChildren('AssignOp').length > 1 && node.getChild(',') !== null;

const isLooped = (node: SyntaxNode): boolean => {
  for (let around = node.parent; around; around = around.parent)
    if (/^(For|While)Statement$|Comprehension/.test(around.name)) return true;
  return false;
};

type StatementReader = (node: SyntaxNode, scope: CodeScope, parts: readonly SyntaxNode[]) => void;

class PythonWalk extends PythonCalls {
  body(node: SyntaxNode | null, scope: CodeScope): void {
    if (!node) return;
    for (const child of operations(node)) {
      const heading = tomlHeading.exec(this.of(child))?.[1];
      if (heading === undefined) this.statement(child, scope);
      else scope = { ...scope, path: heading.split('.') };
    }
  }

  private statement(node: SyntaxNode, scope: CodeScope): void {
    const compound =
      /^(If|For|While|Try|With|Decorated|Match)Statement$|^StatementGroup$|Definition$/.test(
        node.name,
      );
    if (node.type.isError || isList(node) || (!compound && hasError(node))) {
      this.unread.push({ from: node.from, to: node.to, why: notWhole });
      return;
    }
    const read = this.statements[node.name] ?? this.others;
    read(node, scope, operations(node));
  }

  private readonly others: StatementReader = (_node, scope, parts) => {
    for (const part of parts)
      if (part.name === 'Body') this.body(part, scope);
      else this.expression(part, [], scope);
  };

  /** THE list of statements that say more than their expressions do. */
  private readonly statements: Readonly<Record<string, StatementReader>> = {
    AssignStatement: (node, scope, parts) => this.assign(node, parts, scope),
    UpdateStatement: (node, scope) => {
      const path = node.firstChild && this.pathOf(node.firstChild);
      if (path) this.fact(path, { kind: 'formula', text: this.of(node) }, node, scope);
    },
    StatementGroup: (node, scope) => this.body(node, scope),
    IfStatement: (_node, scope, parts) => this.branches(parts, scope),
    ForStatement: (_node, scope, parts) => this.loop(parts, scope),
    BreakStatement: ({ from, to }) =>
      this.unread.push({ from, to, why: 'the loop may end sooner' }),
    WhileStatement: (node, scope) =>
      this.body(node.getChild('Body'), { ...scope, loops: [...scope.loops, undefined] }),
    FunctionDefinition: (node, scope) => this.definition(node, scope),
    ClassDefinition: (node, scope) => {
      const name = node.getChild('VariableName');
      const path = [...scope.path, name ? this.of(name) : ''];
      this.body(node.getChild('Body'), { ...scope, path });
    },
    DecoratedStatement: (_node, scope, parts) => {
      for (const part of parts) {
        const name = part.name === 'Decorator' && operations(part).at(-2);
        if (name && part.getChild('ArgList')) this.call(part, this.of(name), scope);
        else if (!name) this.statement(part, scope);
      }
    },
    TryStatement: (_node, scope, parts) => {
      let doubt = scope.doubt;
      for (const part of parts) {
        if (part.name === 'except') doubt ??= 'only where an error was caught';
        if (part.name === 'Body') this.body(part, { ...scope, doubt });
      }
    },
  };

  private assign(node: SyntaxNode, parts: readonly SyntaxNode[], scope: CodeScope): void {
    const groups: SyntaxNode[][] = [[]];
    for (const part of parts) {
      if (part.name === 'AssignOp') groups.push([]);
      else if (part.name !== 'TypeDef' && part.name !== ',') groups.at(-1)?.push(part);
    }
    const values = groups.pop() ?? [];
    for (const targets of groups) {
      targets.forEach((target, at) => {
        const name = this.of(target);
        // batch-size = 256 is TOML.
        const path = this.pathOf(target) ?? (/^[\w.-]+$/.test(name) ? name.split('.') : undefined);
        const value = targets.length === 1 && values.length === 1 ? values[0] : values[at];
        if (!path) return;
        if (value && values.length === targets.length)
          this.expression(value, [...scope.path, ...path], scope);
        else
          this.fact(
            [...scope.path, ...path],
            { kind: 'formula', text: this.of(node) },
            node,
            scope,
          );
      });
      if (values.length !== targets.length)
        for (const value of values) this.expression(value, [], scope);
    }
  }

  /** The private branch is the one asked about; what stands in others need not have run. */
  private branches(parts: readonly SyntaxNode[], scope: CodeScope): void {
    let condition = '';
    let settled = false;
    for (const part of parts) {
      if (part.name === 'Body') {
        const turned =
          /\bnot\b|!=|\bFalse\b/.test(condition) !== /disable|no_|non_|without/i.test(condition);
        const sure: boolean =
          !settled && (condition.includes('__name__') || (/dp|priva/i.test(condition) && !turned));
        const doubt = settled
          ? 'it stands in the other branch'
          : condition === ''
            ? 'only if no condition before it holds'
            : `only if ${condition}`;
        this.body(part, { ...scope, doubt: sure ? scope.doubt : (scope.doubt ?? doubt) });
        settled ||= sure;
        condition = '';
      } else if (!/^(if|elif|else)$/.test(part.name)) condition += this.of(part);
    }
  }

  /** Whether a loop over epochs was met. */
  private countsEpochs = false;

  private loop(parts: readonly SyntaxNode[], scope: CodeScope): void {
    const [, target] = parts;
    const over = parts[parts.findIndex(({ name }) => name === 'in') + 1];
    const body = parts.find(({ name }) => name === 'Body');
    const name = target ? this.of(target) : '';
    const count = over ? this.rangeOf(over) : undefined;
    const value = over ? this.value(over) : undefined;
    if (over && value?.kind === 'list') this.fact([...scope.path, name], value, over, scope);
    else if (over && count) {
      const around = scope.loops.length > 0;
      const counted = /^_?(?:(epoch|ep)|step|iteration|it|iter|update)$/.exec(name);
      const ofSteps = around ? 'stepsPerEpoch' : 'steps';
      const meaning = counted ? (counted[1] === undefined ? ofSteps : 'epochs') : undefined;
      // A loop whose length is not known says nothing that is not said elsewhere.
      if (meaning === 'epochs' && this.countsEpochs)
        this.unread.push({ from: over.from, to: over.to, why: 'another loop counts epochs, too' });
      this.countsEpochs ||= meaning === 'epochs';
      if (meaning) this.fact([name], asValue(count, this.of(over)), over, scope, meaning);
    } else if (over) this.expression(over, [], scope);
    this.body(body ?? null, { ...scope, loops: [...scope.loops, count] });
  }

  /** How many numbers range(…) has. */
  private rangeOf(node: SyntaxNode): Tree | undefined {
    if (node.name !== 'CallExpression') return undefined;
    const { args } = this.argumentsOf(node);
    const name = this.calleeOf(node);
    const [first, last] = args;
    if (/^(tqdm|enumerate|track)$/.test(name)) return first && this.rangeOf(first);
    if (!/^(t?range|arange)$/.test(name) || !first || args.length > 2) return undefined;
    const [from, to] = [first, last ?? first].map((one) => treeOf(this.value(one)));
    if (!last || !from || !to) return to;
    return operation('-', to, from);
  }

  private definition(node: SyntaxNode, scope: CodeScope): void {
    const own = node.getChild('VariableName');
    const [params, body] = [node.getChild('ParamList'), node.getChild('Body')];
    const name = own ? this.of(own) : '';
    const calls = this.callsOf.get(name === '__init__' ? (scope.path.at(-1) ?? '') : name) ?? [];
    const decorated = node.parent?.name === 'DecoratedStatement';
    const isCalled = calls.length > 0 || decorated || name === '__init__';
    const doubt = isCalled ? scope.doubt : (scope.doubt ?? `uncalled:${name}`);
    const loops = calls.length > 1 || calls.some(isLooped) ? [undefined] : [];
    const inside = { ...scope, doubt, loops, path: [name] };
    const parts = params ? operations(params) : [];
    const names = this.paramsOf.get(name) ?? [];
    parts.forEach((part, at) => {
      const value = parts[at + 1];
      if (part.name !== 'AssignOp' || !value) return;
      const param = parts.slice(0, at).findLast((one) => one.name === 'VariableName');
      const key = param ? this.of(param) : '';
      const index = names.filter((one) => one !== 'self').indexOf(key);
      // A default that every call replaces is never used.
      const replaced =
        calls.length > 0 &&
        calls.every((call) => {
          const { args, named } = this.argumentsOf(call);
          return args.length > index || named.some(([one]) => one === key);
        });
      if (!replaced) this.expression(value, [name, key], inside);
    });
    this.body(body, inside);
  }
}

/** Blanks in place of a console's prompts and of what it answers. */
function withoutPrompts(text: string): string {
  if (!/^(>>>|In \[\d+\]:)/m.test(text)) return text;
  return text.replace(
    /^(>>> ?|\.\.\. ?|In \[\d+\]: ?| {3}\.\.\.: ?)?(.*)$/gm,
    (line, prompt, code) =>
      typeof prompt === 'string'
        ? ' '.repeat(prompt.length) + String(code)
        : ' '.repeat(line.length),
  );
}

/** Signs that no other format has. */
const signs =
  /^[^\S\n]*(import \w|from [\w.]+ import |def \w+\(|class \w+|@\w+|if __name__|>>> |In \[\d+\]: |for \w+ in .*:\s*$|while .*:\s*$|except\b.*:\s*$)|\b\w*DpEvent\(|\.add_argument\(|DEFINE_(float|integer|string|bool)\w*\(|\bOrderedDict\(/m;

const parse = remembered((text: string) => parser.parse(text));

/** Whether most of a text is whole Python, and none of it a number that Python reads as several. */
function isWhole(text: string): boolean {
  const { topNode } = parse(withoutPrompts(text));
  const statements = operations(topNode);
  const broken = statements.filter(
    (one) => one.type.isError || isList(one) || hasError(one),
  ).length;
  return broken === 0 && !/[=:]\s*\d{1,3}(,\d{3})+\s*(#.*)?$|=\s*\d+,\d+\s*(;|#|$)/m.test(text);
}

function recognises(text: string): number {
  if (signs.test(text)) return 0.95;
  const calls = /^[^\S\n]*([\w.]+\s*=\s*)?[\w.]+\([^)]/m.test(text);
  const literal = /^\s*([\w.]+\s*=\s*)?(\{|\[\s*[({]|\(\()/.test(text);
  const lines = text
    .split('\n')
    .filter(
      (line) => /\S/.test(line) && !/^\s*(?:#|(?:if|elif|else|try|except|pass)\b)/.test(line),
    );
  const assigned = lines.filter((line) =>
    /^[ \t]*[A-Za-z_][\w.-]*(, *[A-Za-z_]\w*)*(\[['"]\w+['"]\])?(\s*:\s*\w+)?\s*=[^=]/.test(line),
  );
  const likely = calls || literal || (assigned.length > 0 && assigned.length >= 0.5 * lines.length);
  return likely && isWhole(text) ? (calls ? 0.85 : literal ? 0.7 : 0.6) : 0;
}

function read(text: string): Reading {
  const code = withoutPrompts(text);
  const tree = parse(code);
  const walk = new PythonWalk(code, tree);
  walk.body(tree.topNode, { doubt: undefined, loops: [], path: [] });
  const { events, facts, unread } = walk;
  // Lines of JSON are dictionaries, one below the other.
  const lines = operations(tree.topNode).filter(({ name }) => name === 'ExpressionStatement');
  doubtRepeated(
    lines
      .filter(({ firstChild }) => firstChild?.name === 'DictionaryExpression')
      .map((line) => facts.filter(({ from }) => line.from <= from && from < line.to)),
  );
  const source =
    [
      events.length > 0 && 'a dp_accounting event',
      /^\s*[[{]\s*["{}\]]/.test(code) && 'JSON',
      /^[^\S\n]*\[\[?[A-Za-z][\w."-]*\]+[^\S\n]*$/m.test(code) && 'TOML',
    ].find((name) => name !== false) ?? 'Python';
  return { source, facts, unread, sampling: [...new Set(walk.sampling)], events };
}

export const python: Format = { recognises, read };
