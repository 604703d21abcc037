import type { SyntaxNode, Tree as SyntaxTree } from '@lezer/common';
import { parser } from '@lezer/python';
import { doubtRepeated, evaluate, isOperator, number, remembered } from './facts.js';
import type { Fact, Passage, Format, Reading, Tree, ValueRead } from './facts.js';
import { isCommonWord, meaningNamed } from './fields.js';

type Call = Extract<ValueRead, { kind: 'call' }>;

/** Functions whose arguments are known by their place, and what they take where nothing is said. */
const signatures: Readonly<Record<string, readonly string[]>> = {
  compute_dp_sgd_privacy: ['n', 'batch_size', 'noise_multiplier', 'epochs', 'delta'],
  compute_dp_sgd_privacy_statement: [
    ...['number_of_examples', 'batch_size', 'num_epochs', 'noise_multiplier', 'delta'],
    ...['used_microbatching', 'max_examples_per_user'],
  ],
  compute_noise: ['n', 'batch_size', 'target_epsilon', 'epochs', 'delta', 'noise_lower_bound'],
  compute_rdp: ['q', 'noise_multiplier', 'steps', 'orders'],
  dpsgd_event: ['noise_multiplier', 'iterations', 'sampling_prob'],
  truncated_dpsgd_event: [
    ...['noise_multiplier', 'iterations', 'sampling_prob', 'num_examples', 'truncated_batch_size'],
  ],
  amplified_bandmf_event: ['noise_multiplier', 'iterations', 'num_bands', 'sampling_prob'],
};
const takenForGranted: Readonly<Record<string, readonly [string, boolean]>> = {
  compute_dp_sgd_privacy_statement: ['used_microbatching', true],
};

/** Calls whose arguments describe the run, whatever common words they are called by. */
const describesRun =
  /^(make_private\w*|get_noise_multiplier|get_epsilon|compute_\w+|calibrate\w*|epsilon|moments_accountant|get_privacy_spent|DataLoader|fit|train|run|main|dict|DP\w*|TrainingArguments|\w*(Config|ConfigDict|Args|Arguments|Params|Settings|Plan|Engine|Trainer|HParams|Namespace|Accountant|Mechanism))$/;
/** Calls that only show or keep what they are given. */
const onlyShows =
  /^(print|pprint|info|debug|warning|error|log|log_metrics|write|format|set_description|set_postfix|append|assert\w*|isinstance|save|dump)$/;

/** What is evaluated is no training. */
const ofOthers = /^\w*(test|val|eval|dev|public)\w*$/i;
/** Calls that change how many records there are, or how often each is seen. */
const changesData = /^(Subset|random_split|train_test_split|repeat|take|ConcatDataset)$/;

/** Of a statement that cannot be parsed. */
const notWhole = 'it is not whole Python';

/** Deeper than any real configuration is nested. */
const deepest = 100;

const operations = (node: SyntaxNode): SyntaxNode[] => {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (child.name !== 'Comment') children.push(child);
  return children;
};

const isBracket = ({ name }: SyntaxNode) => /^[()[\]{},:]$/.test(name);

/** sigma = 1, n = 5: to Python a chain of assignments of tuples; to whoever wrote it, settings. */
const isList = (node: SyntaxNode): boolean =>
  node.name === 'AssignStatement' &&
  node.getChildren('AssignOp').length > 1 &&
  node.getChild(',') !== null;

const isLooped = (node: SyntaxNode): boolean => {
  for (let around = node.parent; around; around = around.parent)
    if (/^(For|While)Statement$|Comprehension/.test(around.name)) return true;
  return false;
};

const hasError = (node: SyntaxNode): boolean => {
  let found = false;
  node.cursor().iterate((inner) => {
    if (inner.type.isError) found = true;
    return !found;
  });
  return found;
};

interface CodeScope {
  doubt: string | undefined;
  /** How often the loops around a place go round: a tree where it is known. */
  loops: readonly (Tree | undefined)[];
  path: readonly string[];
}

class PythonWalk {
  readonly facts: Fact[] = [];
  readonly unread: Passage[] = [];
  readonly sampling: string[] = [];
  readonly events: { name: string | undefined; call: Call; from: number; to: number }[] = [];
  private readonly text: string;
  /** Whether models were fitted, and made private. */
  private readonly trained = new Set<boolean>();
  /** The calls of each function that the text has. */
  private readonly callsOf = new Map<string, SyntaxNode[]>();
  private readonly paramsOf = new Map<string, string[]>();

  constructor(text: string, tree: SyntaxTree) {
    this.text = text;
    tree.cursor().iterate((node) => {
      if (node.name === 'CallExpression') {
        const name = this.calleeOf(node.node);
        this.callsOf.set(name, [...(this.callsOf.get(name) ?? []), node.node]);
      }
      if (node.name === 'FunctionDefinition') {
        const [name, params] = [
          node.node.getChild('VariableName'),
          node.node.getChild('ParamList'),
        ];
        if (name && params)
          this.paramsOf.set(
            this.of(name),
            params.getChildren('VariableName').map((one) => this.of(one)),
          );
      }
    });
  }

  private of({ from, to }: { from: number; to: number }): string {
    return this.text.slice(from, to);
  }

  private calleeOf(call: SyntaxNode): string {
    return (call.firstChild ? this.of(call.firstChild) : '').split('.').at(-1) ?? '';
  }

  // --- values

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
        return {
          kind: 'record',
          entries: this.entries(node).map(([key, one]) => [key, inner(one)]),
        };
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

  private arithmetic(
    node: SyntaxNode,
    text: string,
    inner: (one: SyntaxNode) => ValueRead,
  ): ValueRead {
    const parts = operations(node);
    const [left, operator, right] = parts.length === 2 ? [undefined, ...parts] : parts;
    const sign = operator ? this.of(operator) : '';
    const trees = [left, right].map((one) => (one ? treeOf(inner(one)) : number(0)));
    const [a, b] = trees.map((one) =>
      one && 'value' in one && one.kind === 'number'
        ? { kind: 'number' as const, value: one.value }
        : (one as Tree | undefined),
    );
    if (!a || !b || !isOperator(sign)) return { kind: 'formula', text };
    const tree: Tree = { kind: 'operation', operator: sign, left: a, right: b };
    const value = evaluate(tree, () => undefined);
    if (value === undefined) return { kind: 'formula', text, tree };
    const ratio = sign === '/' && a.kind === 'number' && b.kind === 'number' && left && right;
    return number(
      value,
      ratio ? `${this.of(left)}/${this.of(right)}` : left ? String(value) : text,
    );
  }

  private callValue(
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
      return whole(inner(first), text, name === 'ceil' ? 'up' : '//');
    if (/^(Option|Argument|Field|field)$/.test(name)) {
      const given = named.find(([key]) => key === 'default')?.[1] ?? first;
      if (given) return inner(given);
    }
    if (/dict$/i.test(name)) {
      const start = first ? inner(first) : undefined;
      const pairs =
        start?.kind === 'record'
          ? start.entries
          : (start?.kind === 'list' ? start.items : []).flatMap((pair) => {
              const [key, value] = pair.kind === 'list' ? pair.items : [];
              return key?.kind === 'text' && value ? [[key.text, value] as const] : [];
            });
      return {
        kind: 'record',
        entries: [...pairs, ...named.map(([key, one]) => [key, inner(one)] as const)],
      };
    }
    return {
      ...{ kind: 'call', name, args: args.map(inner) },
      named: named.map(([key, one]) => [key, inner(one)] as const),
    };
  }

  private entries(node: SyntaxNode): [string, SyntaxNode][] {
    const parts = operations(node);
    return parts.flatMap((part, at): [string, SyntaxNode][] => {
      const [key, value] = [parts[at - 1], parts[at + 1]];
      if (part.name !== ':' || !key || !value || value.name === ',') return [];
      const name = this.value(key);
      return [[name.kind === 'text' ? name.text : this.of(key), value]];
    });
  }

  private argumentsOf(call: SyntaxNode): { args: SyntaxNode[]; named: [string, SyntaxNode][] } {
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
  private pathOf(node: SyntaxNode): string[] | undefined {
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

  // --- statements

  body(node: SyntaxNode, scope: CodeScope): void {
    for (const child of operations(node)) this.statement(child, scope);
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
    const parts = operations(node);
    switch (node.name) {
      case 'AssignStatement':
        this.assign(node, parts, scope);
        break;
      case 'UpdateStatement': {
        const path = node.firstChild ? this.pathOf(node.firstChild) : undefined;
        if (path) this.fact(path, { kind: 'formula', text: this.of(node) }, node, scope);
        break;
      }
      case 'StatementGroup':
        this.body(node, scope);
        break;
      case 'IfStatement':
        this.branches(parts, scope);
        break;
      case 'ForStatement':
        this.loop(parts, scope);
        break;
      case 'BreakStatement':
        this.unread.push({ from: node.from, to: node.to, why: 'the loop may end sooner' });
        break;
      case 'WhileStatement':
        for (const part of parts)
          if (part.name === 'Body')
            this.body(part, { ...scope, loops: [...scope.loops, undefined] });
        break;
      case 'FunctionDefinition':
        this.definition(node, scope, false);
        break;
      case 'ClassDefinition': {
        const name = node.getChild('VariableName');
        const body = node.getChild('Body');
        if (body) this.body(body, { ...scope, path: [...scope.path, name ? this.of(name) : ''] });
        break;
      }
      case 'DecoratedStatement':
        for (const part of parts) {
          if (part.name === 'Decorator') {
            const args = part.getChild('ArgList');
            const name = operations(part)
              .filter((one) => one.name.endsWith('Name'))
              .at(-1);
            if (args && name) this.call(part, this.of(name), scope);
          } else if (part.name === 'FunctionDefinition') this.definition(part, scope, true);
          else this.statement(part, scope);
        }
        break;
      case 'TryStatement': {
        let caught = false;
        for (const part of parts) {
          if (part.name === 'except') caught = true;
          const doubt = caught ? (scope.doubt ?? 'only where an error was caught') : scope.doubt;
          if (part.name === 'Body') this.body(part, { ...scope, doubt });
        }
        break;
      }
      default:
        for (const part of parts)
          if (part.name === 'Body') this.body(part, scope);
          else this.expression(part, [], scope);
    }
  }

  private assign(node: SyntaxNode, parts: readonly SyntaxNode[], scope: CodeScope): void {
    const groups: SyntaxNode[][] = [[]];
    for (const part of parts) {
      if (part.name === 'AssignOp') groups.push([]);
      else if (part.name !== 'TypeDef' && part.name !== ',') groups.at(-1)?.push(part);
    }
    const values = groups.pop() ?? [];
    for (const targets of groups) {
      targets.forEach((target, at) => {
        const path = this.pathOf(target);
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
      const meaning = /^_?(epoch|ep)$/.test(name)
        ? ('epochs' as const)
        : /^_?(step|iteration|it|iter|update)$/.test(name)
          ? around
            ? ('stepsPerEpoch' as const)
            : ('steps' as const)
          : undefined;
      // A loop whose length is not known says nothing that is not said elsewhere.
      if (meaning) this.fact([name], asValue(count, this.of(over)), over, scope, meaning);
    } else if (over) this.expression(over, [], scope);
    if (body) this.body(body, { ...scope, loops: [...scope.loops, count] });
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
    return { kind: 'operation', operator: '-', left: to, right: from };
  }

  private definition(node: SyntaxNode, scope: CodeScope, decorated: boolean): void {
    const own = node.getChild('VariableName');
    const [params, body] = [node.getChild('ParamList'), node.getChild('Body')];
    const name = own ? this.of(own) : '';
    const calls = this.callsOf.get(name === '__init__' ? (scope.path.at(-1) ?? '') : name) ?? [];
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
    if (body) this.body(body, inside);
  }

  // --- expressions

  /** Names and values in an expression; `path` is what it is assigned to. */
  private expression(node: SyntaxNode, path: readonly string[], scope: CodeScope, depth = 0): void {
    if (node.name === 'LambdaExpression' && path.length > 0)
      this.fact(path, { kind: 'formula', text: this.of(node) }, node, scope);
    if (depth > deepest || node.name === 'LambdaExpression') return;
    if (node.name.includes('Comprehension'))
      scope = { ...scope, loops: [...scope.loops, undefined] };
    if (node.name === 'DictionaryExpression') {
      for (const [key, value] of this.entries(node))
        this.expression(value, [...path, ...key.split('.')], scope, depth + 1);
      return;
    }
    const value = this.value(node);
    if (value.kind === 'call' && value.name.endsWith('DpEvent')) {
      this.events.push({ name: path.at(-1), call: value, from: node.from, to: node.to });
      return;
    }
    const isCall = node.name === 'CallExpression';
    // What a method is called on may be a call, too: data.repeat(5).batch(256).
    const on = isCall ? node.firstChild?.firstChild : undefined;
    if (on?.name === 'CallExpression') this.expression(on, [], scope, depth + 1);
    if (isCall && (value.kind === 'call' || value.kind === 'record')) {
      this.call(node, this.calleeOf(node), { ...scope, path }, depth);
      if (path.length > 0 && value.kind === 'call')
        this.fact(path, { kind: 'formula', text: this.of(node) }, node, scope);
      return;
    }
    if (!isCall) {
      const items = operations(node).map((child) => {
        const before = this.facts.length;
        if (!child.name.endsWith('Name')) this.expression(child, [], scope, depth + 1);
        return this.facts.slice(before);
      });
      if (/^(Array|Tuple|Set)Expression$/.test(node.name)) doubtRepeated(items);
    }
    if (path.length > 0 && value.kind !== 'record') this.fact(path, value, node, scope);
  }

  private call(node: SyntaxNode, name: string, scope: CodeScope, depth = 0): void {
    const { args, named } = this.argumentsOf(node);
    const inside = { ...scope, path: [] };
    if (onlyShows.test(name)) {
      for (const arg of args)
        if (arg.name === 'CallExpression') this.expression(arg, [], inside, depth + 1);
      return;
    }
    const [, attribute, set] = args;
    if (name === 'setattr' && attribute?.name === 'String' && set) {
      this.expression(set, [this.of(attribute).replace(/^\w*['"]|['"]$/g, '')], inside, depth + 1);
      return;
    }
    const option = this.optionOf(name, args, named);
    if (option) {
      const [key, value] = option;
      if (typeof value === 'boolean') this.fact([key], { kind: 'flag', value }, node, inside);
      else if (value) this.fact([key], this.value(value), node, inside);
      return;
    }
    // What a program gives its own parser of options.
    const [given] = args;
    if (/^parse(_known)?_args$/.test(name) && given) {
      const words = this.value(given);
      const list = words.kind === 'list' ? words.items : [];
      list.forEach((word, at) => {
        const next = list[at + 1];
        const [key, value] = word.kind === 'text' ? word.text.split('=') : [];
        if (!key?.startsWith('--')) return;
        const read = value === undefined ? next : ({ kind: 'text', text: value } as const);
        if (read) this.fact([key.slice(2)], read, given, inside);
      });
      return;
    }
    if (name === 'compose' && args[0]) this.composed(node, args, named, scope);
    if (changesData.test(name) && args.length > 0) {
      const list = node.getChild('ArgList') ?? node;
      const from = list.from - name.length;
      this.unread.push({ from, to: node.to, why: 'it may change how often records are seen' });
    }
    const order = signatures[name] ?? this.paramsOf.get(name)?.filter((one) => one !== 'self');
    const all = [...named];
    args.forEach((arg, at) => {
      const key = order?.[at];
      if (key !== undefined) all.push([key, arg]);
      else if (name !== 'compose') this.expression(arg, [], inside, depth + 1);
    });
    const around = [
      ...scope.path,
      ...(name === 'dict' ? [] : [name]),
      ...(args[0] && ofOthers.test(this.of(args[0])) ? [this.of(args[0])] : []),
    ];
    const known = describesRun.test(name) || order !== undefined;
    for (const [key, value] of all) {
      const doubt =
        !known && isCommonWord(key) && meaningNamed(key) ? `an argument of ${name}()` : undefined;
      this.expression(
        value,
        [...around, key],
        { ...inside, doubt: scope.doubt ?? doubt },
        depth + 1,
      );
    }
    const granted = takenForGranted[name];
    if (granted && !all.some(([key]) => key === granted[0]))
      this.fact([granted[0]], { kind: 'flag', value: granted[1] }, node, inside);
    const trains = name === 'fit' && named.some(([key]) => key === 'epochs');
    if (name.startsWith('make_private') || trains) {
      const before = this.trained.has(trains);
      this.trained.add(trains);
      if (before) this.unread.push({ from: node.from, to: node.to, why: 'it trains once more' });
    }
    if (name.startsWith('make_private') && !named.some(([key]) => key === 'poisson_sampling'))
      this.sampling.push(`${name}() without poisson_sampling, which draws Poisson batches`);
    if (name.endsWith('Sampler')) this.sampling.push(name);
    // One step of an Opacus accountant, taken as often as the loops around it go round.
    if (name === 'step' && named.some(([key]) => key === 'sample_rate')) {
      const count = timesOf(scope.loops);
      const text = `${this.of(node)} in ${scope.loops.length} loops`;
      this.fact(
        ['steps'],
        count ? asValue(count, text) : { kind: 'formula', text },
        node,
        inside,
        'steps',
      );
    }
  }

  /** accountant.compose(event, count) */
  private composed(
    node: SyntaxNode,
    args: readonly SyntaxNode[],
    named: readonly (readonly [string, SyntaxNode])[],
    { loops }: CodeScope,
  ) {
    const [event] = args;
    const given = named.find(([key]) => key === 'count')?.[1] ?? args[1];
    if (!event) return;
    const value = this.value(event);
    if (value.kind !== 'call' && value.kind !== 'formula') return;
    const times = timesOf([...(given ? [treeOf(this.value(given))] : []), ...loops]);
    const text = `${given ? this.of(given) : '1'} in ${loops.length} loops`;
    const count: ValueRead | undefined =
      given && loops.length === 0
        ? this.value(given)
        : loops.length > 0
          ? times
            ? asValue(times, text)
            : { kind: 'formula', text }
          : undefined;
    const call: Call = count
      ? { kind: 'call', name: 'SelfComposedDpEvent', args: [value, count], named: [] }
      : {
          kind: 'call',
          name: 'ComposedDpEvent',
          args: [{ kind: 'list', items: [value] }],
          named: [],
        };
    this.events.push({ name: undefined, call, from: node.from, to: node.to });
  }

  /** The name and the default of an option of argparse, click or absl. */
  private optionOf(
    name: string,
    args: readonly SyntaxNode[],
    named: readonly (readonly [string, SyntaxNode])[],
  ): [string, SyntaxNode | boolean | undefined] | undefined {
    const given = (key: string) => named.find(([one]) => one === key)?.[1];
    const texts = args
      .map((arg) => this.value(arg))
      .flatMap((value) => (value.kind === 'text' ? [value.text] : []));
    if (/^DEFINE_\w+$/.test(name) && texts[0] !== undefined && args[1]) return [texts[0], args[1]];
    if (!/^(add_argument|add_option|option)$/.test(name)) return undefined;
    const long =
      texts.find((text) => text.startsWith('--')) ??
      texts.find((text) => !text.includes('-')) ??
      '';
    const dest = given('dest');
    const key = dest
      ? this.of(dest).replace(/['"]/g, '')
      : (long.replace(/^-+/, '').split('/')[0] ?? '');
    const fallback = given('default');
    if (fallback) return [key, fallback];
    const action = given('action');
    const flag = action
      ? this.of(action).includes('store_false')
      : given('is_flag')
        ? false
        : undefined;
    return [key, flag];
  }

  /** A fact stands from its name on, where the name is before the value. */
  private fact(
    path: readonly string[],
    value: ValueRead,
    { from, to }: { from: number; to: number },
    { doubt }: CodeScope,
    meaning?: Fact['meaning'],
  ): void {
    const name = path.at(-1) ?? '';
    const before = this.text.slice(Math.max(0, from - 80), from);
    const at = before.lastIndexOf(name);
    const leads = /^["'\]]*\s*(?::\s*[\w.]+\s*)?[=:]\s*$/.test(before.slice(at + name.length));
    const lead = at >= 0 && name !== '' && leads ? before.length - at : 0;
    this.facts.push({ path, value, from: from - lead, to, doubt, meaning });
  }
}

/** The product of the lengths of loops, if all are known. */
const timesOf = ([first, ...others]: readonly (Tree | undefined)[]): Tree | undefined =>
  others.reduce<Tree | undefined>(
    (left, right) => left && right && { kind: 'operation', operator: '*', left, right },
    first,
  );

/** A value cut to a whole number, down or up. */
function whole(value: ValueRead, text: string, cut: '//' | 'up'): ValueRead {
  const left = treeOf(value);
  if (!left) return value.kind === 'text' ? value : { kind: 'formula', text };
  if (value.kind === 'number' && Number.isInteger(value.value)) return value;
  const one: Tree = { kind: 'number', value: 1 };
  const none: Tree = { kind: 'number', value: 0 };
  const minus = (right: Tree): Tree => ({ kind: 'operation', operator: '-', left: none, right });
  const down = (of: Tree): Tree => ({ kind: 'operation', operator: '//', left: of, right: one });
  return asValue(cut === 'up' ? minus(down(minus(left))) : down(left), text);
}

export const treeOf = (value: ValueRead): Tree | undefined =>
  value.kind === 'number'
    ? { kind: 'number', value: value.value }
    : value.kind === 'formula'
      ? value.tree
      : undefined;

function asValue(tree: Tree, text: string): ValueRead {
  const value = evaluate(tree, () => undefined);
  return value === undefined ? { kind: 'formula', text, tree } : number(value);
}

/** Without the prompts of a console, each line as long as it was: what follows them moves to the front. */
function withoutPrompts(text: string): { code: string; shift: (at: number) => number } {
  const prompt = /^(>>> ?|\.\.\. ?|In \[\d+\]: ?| {3}\.\.\.: ?)/;
  if (!/^(>>>|In \[\d+\]:)/m.test(text)) return { code: text, shift: (at) => at };
  const moved: [from: number, by: number][] = [];
  let at = 0;
  const lines = text.split('\n').map((line) => {
    const length = prompt.exec(line)?.[0].length ?? 0;
    moved.push([at, length]);
    at += line.length + 1;
    // What the console answers is no code.
    return length > 0 ? line.slice(length) + ' '.repeat(length) : ' '.repeat(line.length);
  });
  return {
    code: lines.join('\n'),
    shift: (place) => place + (moved.findLast(([from]) => from <= place)?.[1] ?? 0),
  };
}

/** Signs that no other format has. */
const signs =
  /^\s*(import \w|from [\w.]+ import |def \w+\(|class \w+|@\w+|if __name__|>>> |In \[\d+\]: )|\b\w*DpEvent\(|\.add_argument\(|DEFINE_(float|integer|string|bool)\w*\(|\bOrderedDict\(/m;

const parse = remembered((text: string) => parser.parse(text));

/** Whether most of a text is whole Python, and none of it a number that Python reads as several. */
function isWhole(text: string): boolean {
  const { topNode } = parse(withoutPrompts(text).code);
  const statements = operations(topNode);
  const broken = statements.filter(
    (one) => one.type.isError || isList(one) || hasError(one),
  ).length;
  return broken === 0 && !/[=:]\s*\d{1,3}(,\d{3})+\s*(#.*)?$|=\s*\d+,\d+\s*(;|#|$)/m.test(text);
}

function recognises(text: string): number {
  if (signs.test(text)) return 0.95;
  const calls = /^\s*([\w.]+\s*=\s*)?[\w.]+\([^)]/m.test(text);
  const literal = /^\s*([\w.]+\s*=\s*)?(\{|\[\(|\(\()/.test(text);
  const lines = text.split('\n').filter((line) => /\S/.test(line) && !/^\s*#/.test(line));
  const assigned = lines.filter((line) =>
    /^[ \t]*[A-Za-z_][\w.]*(, *[A-Za-z_]\w*)*(\[['"]\w+['"]\])?(\s*:\s*\w+)?\s*=[^=]/.test(line),
  );
  const likely = calls || literal || (assigned.length > 0 && assigned.length >= 0.5 * lines.length);
  return likely && isWhole(text) ? (calls ? 0.85 : literal ? 0.7 : 0.6) : 0;
}

function read(text: string): Reading {
  const { code, shift } = withoutPrompts(text);
  const tree = parse(code);
  const walk = new PythonWalk(code, tree);
  walk.body(tree.topNode, { doubt: undefined, loops: [], path: [] });
  const place = <Item extends { from: number; to: number }>(item: Item): Item => ({
    ...item,
    ...{ from: shift(item.from), to: shift(item.to) },
  });
  return {
    source: walk.events.length > 0 ? 'a dp_accounting event' : 'Python',
    facts: walk.facts.map(place),
    unread: walk.unread.map(place),
    sampling: [...new Set(walk.sampling)],
    events: walk.events.map(place),
  };
}

/** An expression alone, as a formula of numbers and names. */
export function formulaIn(text: string): ValueRead | undefined {
  const node = parser.parse(text).topNode.firstChild;
  if (!node || node.to !== text.trimEnd().length || hasError(node) || !node.firstChild)
    return undefined;
  const value = new PythonWalk(text, parser.parse(text)).value(node.firstChild);
  return value.kind === 'formula' || value.kind === 'number' ? value : undefined;
}

export const python: Format = { recognises, read };
