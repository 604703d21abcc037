import { doubtRepeated, nameBefore, operation } from './facts.js';
import type { EventAt, Fact, Passage, Tree, ValueRead } from './facts.js';
import { isCommonWord, meaningNamed } from './fields.js';
import ofLibraries from './signatures.json' with { type: 'json' };
import {
  argumentsOf,
  asValue,
  calleeOf,
  entriesOf,
  partOf,
  treeOf,
  valueOf,
} from './python-values.js';
import type { Arguments, Code } from './python-values.js';

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

/** The name and the default of an option of argparse, click or absl. */
function optionOf(
  name: string,
  { args, named }: Arguments,
): readonly [string, ValueRead | undefined] | undefined {
  const given = (key: string) => named.find(([one]) => one === key)?.[1];
  const values = args.map(valueOf);
  const texts = values.flatMap((value) => (value.kind === 'text' ? [value.text] : []));
  if (/^DEFINE_\w+$/.test(name) && texts[0] !== undefined && values[1])
    return [texts[0], values[1]];
  if (!/^(add_argument|add_option|option)$/.test(name)) return undefined;
  const long =
    texts.find((text) => text.startsWith('--')) ?? texts.find((text) => !text.includes('-')) ?? '';
  const [short = ''] = long.replace(/^-+/, '').split('/');
  const key = given('dest')?.text.replace(/['"]/g, '') ?? short;
  const preset = given('default');
  if (preset) return [key, valueOf(preset)];
  const stored = given('action')?.text.includes('store_false') ?? (given('is_flag') && false);
  return [key, stored === undefined ? undefined : { kind: 'flag', value: stored }];
}

/** What calls and assignments say. */
export class PythonCalls {
  readonly facts: Fact[] = [];
  readonly unread: Passage[] = [];
  readonly sampling: string[] = [];
  readonly events: EventAt[] = [];
  /** The functions that train, once each was called. */
  protected readonly trained = new Set<string>();
  /** The calls of each function that the text has. */
  protected readonly callsOf = new Map<string, Code[]>();
  protected readonly paramsOf = new Map<string, string[]>();
  private readonly text: string;

  constructor(program: Code) {
    this.text = program.text;
    this.gather(program);
  }

  private gather(code: Code): void {
    if (code.name === 'CallExpression') {
      const name = calleeOf(code);
      this.callsOf.set(name, [...(this.callsOf.get(name) ?? []), code]);
    }
    const params = partOf(code, 'ParamList')?.parts.filter(({ name }) => name === 'VariableName');
    if (code.name === 'FunctionDefinition' && params)
      this.paramsOf.set(
        partOf(code, 'VariableName')?.text ?? '',
        params.map(({ text }) => text),
      );
    for (const part of code.parts) this.gather(part);
  }

  /** Names and values in an expression; `path` is what it is assigned to. */
  protected expression(code: Code, path: readonly string[], scope: CodeScope): void {
    const { name, parts, from, to } = code;
    if (name === 'LambdaExpression') {
      if (path.length > 0) this.fact(path, code, scope);
      return;
    }
    if (name.includes('Comprehension')) scope = { ...scope, loops: [...scope.loops, undefined] };
    if (name === 'DictionaryExpression') {
      for (const [key, value] of entriesOf(code))
        this.expression(value, [...path, ...key.split('.')], scope);
      return;
    }
    const value = valueOf(code);
    if (value.kind === 'call' && value.name.endsWith('DpEvent')) {
      this.events.push({ name: path.at(-1), call: value, from, to });
      return;
    }
    if (name === 'CallExpression') {
      // What a method is called on may be a call, too: data.repeat(5).batch(256).
      const on = parts[0]?.parts[0];
      if (on?.name === 'CallExpression') this.expression(on, [], scope);
      if (value.kind === 'call' || value.kind === 'record') {
        this.call(code, calleeOf(code), { ...scope, path });
        if (path.length > 0 && value.kind === 'call') this.fact(path, code, scope);
        return;
      }
    } else {
      const items = parts.map((part) => {
        const before = this.facts.length;
        if (!part.name.endsWith('Name')) this.expression(part, [], scope);
        return this.facts.slice(before);
      });
      if (/^(Array|Tuple|Set)Expression$/.test(name)) doubtRepeated(items);
    }
    if (path.length > 0) this.fact(path, code, scope, value);
  }

  protected call(code: Code, name: string, scope: CodeScope): void {
    const given = argumentsOf(code);
    const { args, named } = given;
    const inside = { ...scope, path: [] };
    if (onlyShows.test(name)) {
      for (const arg of args) if (arg.name === 'CallExpression') this.expression(arg, [], inside);
      return;
    }
    const option = optionOf(name, given);
    if (option) {
      const [key, value] = option;
      if (value) this.fact([key], code, inside, value);
      return;
    }
    const leave = (why: string, { from, to } = code) => this.unread.push({ from, to, why });
    // Names in quotes are none of the code's.
    const quoted = /^parse(_known)?_args$|dict$/i.test(name) && args[0]?.name === 'ArrayExpression';
    if (quoted || name === 'setattr') leave('what it sets was not read');
    if (name === 'compose') this.composed(code, given, scope);
    const some = args.map(({ text }) => text).join(' ');
    if (changesData.test(name) && /\d|\w\(|size|Dataset/.test(`${some} ${name}`)) {
      const list = partOf(code, 'ArgList') ?? code;
      leave('it may change how often records are seen', { ...code, from: list.from - name.length });
    }
    const order = signatures[name] ?? this.paramsOf.get(name)?.filter((one) => one !== 'self');
    const all = named.filter(([key]) => name !== 'compose' || !/^(?:event|count)$/.test(key));
    args.forEach((arg, at) => {
      const key = order?.[at];
      if (key !== undefined) all.push([key, arg]);
      else if (name !== 'compose') this.expression(arg, [], inside);
    });
    const around = [
      ...scope.path,
      ...(name === 'dict' ? [] : [name]),
      ...(args[0] && ofOthers.test(args[0].text) ? [args[0].text] : []),
    ];
    const known = describesRun.test(name) || order !== undefined;
    for (const [key, value] of all) {
      const stray = !known && isCommonWord(key) && meaningNamed(key);
      const doubt = scope.doubt ?? (stray ? `an argument of ${name}()` : undefined);
      this.expression(value, [...around, key], { ...inside, doubt });
    }
    const granted = takenForGranted[name];
    if (granted && !all.some(([key]) => key === granted[0]))
      this.fact([granted[0]], code, inside, { kind: 'flag', value: granted[1] });
    const makesPrivate = name.startsWith('make_private');
    const trains =
      /^(fit|train|run|experiment)(_|$)/.test(name) &&
      all.some(([key]) => /^(epochs|noiseMultiplier)$/.test(meaningNamed(key) ?? ''));
    if (trains || makesPrivate) {
      const again = this.trained.has(name) || scope.loops.length > 0;
      this.trained.add(name);
      if (again) leave('it trains several times');
    }
    if (makesPrivate && !named.some(([key]) => key === 'poisson_sampling'))
      this.sampling.push(`${name}() without poisson_sampling, which draws Poisson batches`);
    if (/Sampler$|^(BallsInBins|CyclicPoisson)/.test(name)) this.sampling.push(name);

    // One step of an Opacus accountant, taken as often as the loops around it go round.
    if (name === 'step' && named.some(([key]) => key === 'sample_rate'))
      this.fact(['steps'], code, inside, timesOf(scope.loops, code.text), 'steps');
  }

  /** accountant.compose(event, count) */
  private composed(
    { text, from, to }: Code,
    { args, named }: Arguments,
    { loops, doubt }: CodeScope,
  ): void {
    const byName = (name: string) => named.find(([key]) => key === name)?.[1];
    const event = byName('event') ?? args[0];
    const given = byName('count') ?? args[1];
    if (!event) return;
    const value = valueOf(event);
    if (value.kind !== 'call' && value.kind !== 'formula') return;
    const counts = [...(given ? [treeOf(valueOf(given))] : []), ...loops];
    const count = counts.length > 0 && timesOf(counts, text);
    const call: EventAt['call'] = {
      ...{ kind: 'call', name: count ? 'SelfComposedDpEvent' : 'ComposedDpEvent', named: [] },
      args: count ? [value, count] : [{ kind: 'list', items: [value] }],
    };
    const [, accountant] = /^([\w.]+)\.compose\b/.exec(text) ?? [];
    // One that is set again may have begun anew.
    const starts = this.text
      .split('\n')
      .filter((line) => line.trimStart().startsWith(`${accountant} =`));
    const on = doubt === undefined && starts.length < 2 ? accountant : undefined;
    this.events.push({ name: undefined, on, call, from, to });
  }

  /** That a name has the value of this code: its formula, where no other is said. */
  protected fact(
    path: readonly string[],
    { text, from, to }: Code,
    { doubt }: CodeScope,
    value: ValueRead = { kind: 'formula', text },
    meaning?: Fact['meaning'],
  ): void {
    const start = nameBefore(this.text, path.at(-1) ?? '', from);
    this.facts.push({ path, value, from: start, to, doubt, meaning });
  }
}
