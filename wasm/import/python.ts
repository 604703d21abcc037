import {
  doubtRepeated,
  operation,
  remembered,
  type Format,
  type Reading,
  type Tree,
} from './facts.js';
import { PythonCalls, type CodeScope } from './python-calls.js';
import { argumentsOf, asValue, calleeOf, codeIn, partOf, pathOf } from './python-values.js';
import { treeOf, valueOf, type Code } from './python-values.js';

/** Of a statement that cannot be parsed. */
const notWhole = 'it is not whole Python';

/** [training.dp], as TOML has it, stands above what belongs to it. */
const tomlHeading = /^\[+([A-Za-z][\w.\s"-]*)\]+$/;

/** sigma = 1, n = 5: to Python a chain of assignments of tuples; to whoever wrote it, settings. */
const isList = (code: Code): boolean =>
  code.parts.filter(({ name }) => name === 'AssignOp').length > 1 &&
  partOf(code, ',') !== undefined;

const isLooped = ({ around }: Code): boolean => /(For|While)Statement\b|Comprehension/.test(around);

type StatementReader = (code: Code, scope: CodeScope) => void;

class PythonWalk extends PythonCalls {
  body(code: Code | undefined, scope: CodeScope): void {
    for (const part of code?.parts ?? []) {
      const heading = tomlHeading.exec(part.text)?.[1];
      if (heading === undefined) this.statement(part, scope);
      else scope = { ...scope, path: heading.split('.') };
    }
  }

  private statement(code: Code, scope: CodeScope): void {
    const { name, from, to, broken } = code;
    const compound =
      /^(If|For|While|Try|With|Decorated|Match)Statement$|^StatementGroup$|Definition$/.test(name);
    const read = this.statements[name] ?? this.others;
    if (isList(code) || (!compound && broken)) this.unread.push({ from, to, why: notWhole });
    else read(code, scope);
  }

  private readonly others: StatementReader = ({ parts }, scope) => {
    for (const part of parts)
      if (part.name === 'Body') this.body(part, scope);
      else this.expression(part, [], scope);
  };

  /** THE list of statements that say more than their expressions do. */
  private readonly statements: Readonly<Record<string, StatementReader>> = {
    AssignStatement: (code, scope) => this.assign(code, scope),
    UpdateStatement: (code, scope) => {
      const path = code.parts[0] && pathOf(code.parts[0]);
      if (path) this.fact(path, code, scope);
    },
    StatementGroup: (code, scope) => this.body(code, scope),
    IfStatement: (code, scope) => this.branches(code, scope),
    ForStatement: (code, scope) => this.loop(code, scope),
    BreakStatement: ({ from, to }) =>
      this.unread.push({ from, to, why: 'the loop may end sooner' }),
    WhileStatement: (code, scope) =>
      this.body(partOf(code, 'Body'), { ...scope, loops: [...scope.loops, undefined] }),
    FunctionDefinition: (code, scope) => this.definition(code, scope),
    ClassDefinition: (code, scope) => {
      const path = [...scope.path, partOf(code, 'VariableName')?.text ?? ''];
      this.body(partOf(code, 'Body'), { ...scope, path });
    },
    DecoratedStatement: ({ parts }, scope) => {
      for (const part of parts) {
        const name = part.name === 'Decorator' && part.parts.at(-2);
        if (name && partOf(part, 'ArgList')) this.call(part, name.text, scope);
        else if (!name) this.statement(part, scope);
      }
    },
    TryStatement: ({ parts }, scope) => {
      let doubt = scope.doubt;
      for (const part of parts) {
        if (part.name === 'except') doubt ??= 'only where an error was caught';
        if (part.name === 'Body') this.body(part, { ...scope, doubt });
      }
    },
  };

  private assign(code: Code, scope: CodeScope): void {
    const groups: Code[][] = [[]];
    for (const part of code.parts) {
      if (part.name === 'AssignOp') groups.push([]);
      else if (part.name !== 'TypeDef' && part.name !== ',') groups.at(-1)?.push(part);
    }
    const values = groups.pop() ?? [];
    for (const targets of groups) {
      const paired = values.length === targets.length;
      targets.forEach((target, at) => {
        // batch-size = 256 is TOML.
        const named = /^[\w.-]+$/.test(target.text) ? target.text.split('.') : undefined;
        const own = pathOf(target) ?? named;
        const value = paired && values[at];
        if (!own) return;
        const path = [...scope.path, ...own];
        if (value) this.expression(value, path, scope);
        else this.fact(path, code, scope);
      });
      if (!paired) for (const value of values) this.expression(value, [], scope);
    }
  }

  /** The private branch is the one asked about; what stands in others need not have run. */
  private branches({ parts }: Code, scope: CodeScope): void {
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
      } else if (!/^(if|elif|else)$/.test(part.name)) condition += part.text;
    }
  }

  /** Whether a loop over epochs was met. */
  private countsEpochs = false;

  private loop(code: Code, scope: CodeScope): void {
    const { parts } = code;
    const name = parts[1]?.text ?? '';
    const over = parts[parts.findIndex((part) => part.name === 'in') + 1];
    const count = over && rangeOf(over);
    const value = over && valueOf(over);
    if (over && value?.kind === 'list') this.fact([...scope.path, name], over, scope, value);
    else if (over && count) {
      const around = scope.loops.length > 0;
      const counted = /^_?(?:(epoch|ep)|step|iteration|it|iter|update)$/.exec(name);
      const ofSteps = around ? 'stepsPerEpoch' : 'steps';
      const meaning = counted ? (counted[1] === undefined ? ofSteps : 'epochs') : undefined;
      // A loop whose length is not known says nothing that is not said elsewhere.
      if (meaning === 'epochs' && this.countsEpochs)
        this.unread.push({ from: over.from, to: over.to, why: 'another loop counts epochs, too' });
      this.countsEpochs ||= meaning === 'epochs';
      if (meaning) this.fact([name], over, scope, asValue(count, over.text), meaning);
    } else if (over) this.expression(over, [], scope);
    this.body(partOf(code, 'Body'), { ...scope, loops: [...scope.loops, count] });
  }

  private definition(code: Code, scope: CodeScope): void {
    const name = partOf(code, 'VariableName')?.text ?? '';
    const calls = this.callsOf.get(name === '__init__' ? (scope.path.at(-1) ?? '') : name) ?? [];
    const decorated = code.around.endsWith('DecoratedStatement');
    const isCalled = calls.length > 0 || decorated || name === '__init__';
    const doubt = isCalled ? scope.doubt : (scope.doubt ?? `uncalled:${name}`);
    const loops = calls.length > 1 || calls.some(isLooped) ? [undefined] : [];
    const inside = { ...scope, doubt, loops, path: [name] };
    const parts = partOf(code, 'ParamList')?.parts ?? [];
    const names = this.paramsOf.get(name) ?? [];
    parts.forEach((part, at) => {
      const value = parts[at + 1];
      if (part.name !== 'AssignOp' || !value) return;
      const param = parts.slice(0, at).findLast((one) => one.name === 'VariableName');
      const key = param?.text ?? '';
      const index = names.filter((one) => one !== 'self').indexOf(key);
      // A default that every call replaces is never used.
      const replaced =
        calls.length > 0 &&
        calls.every((call) => {
          const { args, named } = argumentsOf(call);
          return args.length > index || named.some(([one]) => one === key);
        });
      if (!replaced) this.expression(value, [name, key], inside);
    });
    this.body(partOf(code, 'Body'), inside);
  }
}

/** How many numbers range(…) has. */
function rangeOf(code: Code): Tree | undefined {
  if (code.name !== 'CallExpression') return undefined;
  const { args } = argumentsOf(code);
  const name = calleeOf(code);
  const [first, last] = args;
  if (/^(tqdm|enumerate|track)$/.test(name)) return first && rangeOf(first);
  if (!/^(t?range|arange)$/.test(name) || !first || args.length > 2) return undefined;
  const [from, to] = [first, last ?? first].map((one) => treeOf(valueOf(one)));
  return last && from && to ? operation('-', to, from) : to;
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

const parse = remembered((text: string) => codeIn(withoutPrompts(text)));

/** Whether all of a text is whole Python, and none of it a number that Python reads as several. */
const isWhole = (text: string): boolean =>
  parse(text).parts.every((part) => !part.broken && !isList(part)) &&
  !/[=:]\s*\d{1,3}(,\d{3})+\s*(#.*)?$|=\s*\d+,\d+\s*(;|#|$)/m.test(withoutPrompts(text));

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
  const code = parse(text);
  const walk = new PythonWalk(code);
  walk.body(code, { doubt: undefined, loops: [], path: [] });
  const { events, facts, unread } = walk;
  // Lines of JSON are dictionaries, one below the other.
  const lines = code.parts.filter(({ name }) => name === 'ExpressionStatement');
  doubtRepeated(
    lines
      .filter(({ parts }) => parts[0]?.name === 'DictionaryExpression')
      .map((line) => facts.filter(({ from }) => line.from <= from && from < line.to)),
  );
  const source =
    [
      events.length > 0 && 'a dp_accounting event',
      /^\s*[[{]\s*["{}\]]/.test(code.text) && 'JSON',
      /^[^\S\n]*\[\[?[A-Za-z][\w."-]*\]+[^\S\n]*$/m.test(code.text) && 'TOML',
    ].find((name) => name !== false) ?? 'Python';
  return { source, facts, unread, sampling: [...new Set(walk.sampling)], events };
}

export const python: Format = { recognises, read };
