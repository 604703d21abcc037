import type { SyntaxNode, Tree as SyntaxTree } from '@lezer/common';
import { doubtRepeated, nameBefore, operation } from './facts.js';
import type { EventAt, Fact, Passage, Tree, ValueRead } from './facts.js';
import { isCommonWord, meaningNamed } from './fields.js';
import ofLibraries from './signatures.json';
import { PythonValues, asValue, deepest, operations, treeOf } from './python-values.js';

type Call = EventAt['call'];

/** Functions whose arguments are known by their place, and what they take where nothing is said. */
const signatures: Readonly<Record<string, readonly string[]>> = ofLibraries;
const takenForGranted: Readonly<Record<string, readonly [string, boolean]>> = {
  compute_dp_sgd_privacy_statement: ['used_microbatching', true],
};

/** Calls whose arguments describe the run, whatever common words they are called by. */
const describesRun =
  /^(make_private\w*|BallsInBins\w*|CyclicPoisson\w*|get_noise_multiplier|get_epsilon|compute_\w+|calibrate\w*|epsilon|moments_accountant|get_privacy_spent|DataLoader|fit|train|run|main|dict|DP\w*|TrainingArguments|\w*(Config|ConfigDict|Args|Arguments|Params|Settings|Plan|Engine|Trainer|HParams|Namespace|Accountant|Mechanism))$/;
/** Calls that only show or keep what they are given. */
const onlyShows =
  /^(print|pprint|info|debug|warning|error|log|log_metrics|write|format|set_description|set_postfix|append|assert\w*|isinstance|save|dump)$/;

/** What is evaluated is no training. */
const ofOthers = /^\w*(test|val|eval|dev|public)\w*$/i;
/** Calls that change how many records there are, or how often each is seen. */
const changesData = /^(Subset|random_split|train_test_split|repeat|take|select|ConcatDataset)$/;

export interface CodeScope {
  doubt: string | undefined;
  /** How often the loops around a place go round: a tree where it is known. */
  loops: readonly (Tree | undefined)[];
  path: readonly string[];
}
/** The product of the lengths of loops, if all are known. */
function timesOf([first, ...others]: readonly (Tree | undefined)[], text: string): ValueRead {
  const times = others.reduce((left, right) => left && right && operation('*', left, right), first);
  return times ? asValue(times, text) : { kind: 'formula', text };
}

/** What calls and assignments say. */
export class PythonCalls extends PythonValues {
  readonly facts: Fact[] = [];
  readonly unread: Passage[] = [];
  readonly sampling: string[] = [];
  readonly events: EventAt[] = [];
  /** The functions that train, once each was called. */
  protected readonly trained = new Set<string>();
  /** The calls of each function that the text has. */
  protected readonly callsOf = new Map<string, SyntaxNode[]>();
  protected readonly paramsOf = new Map<string, string[]>();

  constructor(text: string, tree: SyntaxTree) {
    super(text);
    tree.cursor().iterate((node) => {
      if (node.name === 'CallExpression') {
        const name = this.calleeOf(node.node);
        this.callsOf.set(name, [...(this.callsOf.get(name) ?? []), node.node]);
      }
      if (node.name === 'FunctionDefinition') {
        const name = node.node.getChild('VariableName');
        const params = node.node.getChild('ParamList')?.getChildren('VariableName');
        if (name && params)
          this.paramsOf.set(
            this.of(name),
            params.map((one) => this.of(one)),
          );
      }
    });
  }
  /** Names and values in an expression; `path` is what it is assigned to. */
  protected expression(
    node: SyntaxNode,
    path: readonly string[],
    scope: CodeScope,
    depth = 0,
  ): void {
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
    if (path.length > 0) this.fact(path, value, node, scope);
  }

  protected call(node: SyntaxNode, name: string, scope: CodeScope, depth = 0): void {
    const { args, named } = this.argumentsOf(node);
    const inside = { ...scope, path: [] };
    if (onlyShows.test(name)) {
      for (const arg of args)
        if (arg.name === 'CallExpression') this.expression(arg, [], inside, depth + 1);
      return;
    }
    const option = this.optionOf(name, args, named);
    if (option) {
      const [key, value] = option;
      if (typeof value === 'boolean') this.fact([key], { kind: 'flag', value }, node, inside);
      else if (value) this.fact([key], this.value(value), node, inside);
      return;
    }
    // Names in quotes are none of the code's.
    const quoted = /^parse(_known)?_args$|dict$/i.test(name) && args[0]?.name === 'ArrayExpression';
    if (quoted || name === 'setattr')
      this.unread.push({ from: node.from, to: node.to, why: 'what it sets was not read' });
    if (name === 'compose') this.composed(node, args, named, scope);
    const some = args.map((arg) => this.of(arg)).join(' ');
    if (changesData.test(name) && /\d|\w\(|size|Dataset/.test(`${some} ${name}`)) {
      const list = node.getChild('ArgList') ?? node;
      const from = list.from - name.length;
      this.unread.push({ from, to: node.to, why: 'it may change how often records are seen' });
    }
    const order = signatures[name] ?? this.paramsOf.get(name)?.filter((one) => one !== 'self');
    const all = named.filter(([key]) => name !== 'compose' || !/^(?:event|count)$/.test(key));
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
    const trains =
      /^(make_private|(fit|train|run|experiment)(_|$))/.test(name) &&
      all.some(([key]) => /^(epochs|noiseMultiplier)$/.test(meaningNamed(key) ?? ''));
    if (trains || name.startsWith('make_private')) {
      const again = this.trained.has(name) || scope.loops.length > 0;
      this.trained.add(name);
      if (again) this.unread.push({ from: node.from, to: node.to, why: 'it trains several times' });
    }
    if (name.startsWith('make_private') && !named.some(([key]) => key === 'poisson_sampling'))
      this.sampling.push(`${name}() without poisson_sampling, which draws Poisson batches`);
    if (/Sampler$|^(BallsInBins|CyclicPoisson)/.test(name)) this.sampling.push(name);

    // One step of an Opacus accountant, taken as often as the loops around it go round.
    if (name === 'step' && named.some(([key]) => key === 'sample_rate')) {
      const value = timesOf(scope.loops, this.of(node));
      this.fact(['steps'], value, node, inside, 'steps');
    }
  }

  /** accountant.compose(event, count) */
  protected composed(
    node: SyntaxNode,
    args: readonly SyntaxNode[],
    named: readonly (readonly [string, SyntaxNode])[],
    { loops, doubt }: CodeScope,
  ) {
    const byName = (name: string) => named.find(([key]) => key === name)?.[1];
    const event = byName('event') ?? args[0];
    const given = byName('count') ?? args[1];
    if (!event) return;
    const value = this.value(event);
    if (value.kind !== 'call' && value.kind !== 'formula') return;
    const counts = [...(given ? [treeOf(this.value(given))] : []), ...loops];
    const count = counts.length > 0 && timesOf(counts, this.of(node));
    const call: Call = {
      ...{ kind: 'call', name: count ? 'SelfComposedDpEvent' : 'ComposedDpEvent', named: [] },
      args: count ? [value, count] : [{ kind: 'list', items: [value] }],
    };
    const [, accountant] = /^([\w.]+)\.compose\b/.exec(this.of(node)) ?? [];
    // One that is set again may have begun anew.
    const starts = this.text
      .split('\n')
      .filter((line) => line.trimStart().startsWith(`${accountant} =`));
    const on = doubt === undefined && starts.length < 2 ? accountant : undefined;
    this.events.push({ name: undefined, on, call, from: node.from, to: node.to });
  }

  /** The name and the default of an option of argparse, click or absl. */
  protected optionOf(
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
    const [short = ''] = long.replace(/^-+/, '').split('/');
    const key = dest ? this.of(dest).replace(/['"]/g, '') : short;
    const action = given('action');
    const flag = action ? this.of(action).includes('store_false') : given('is_flag') && false;
    return [key, given('default') ?? flag];
  }

  protected fact(
    path: readonly string[],
    value: ValueRead,
    { from, to }: { from: number; to: number },
    { doubt }: CodeScope,
    meaning?: Fact['meaning'],
  ): void {
    const start = nameBefore(this.text, path.at(-1) ?? '', from);
    this.facts.push({ path, value, from: start, to, doubt, meaning });
  }
}
