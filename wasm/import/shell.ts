import { plainValue } from './facts.js';
import type { Fact, Passage, Format, Reading, ValueRead } from './facts.js';

interface Word {
  text: string;
  from: number;
  to: number;
}

/** The words of each command, quotes and continued lines resolved, comments left out. */
function commandsOf(text: string): Word[][] {
  const commands: Word[][] = [[]];
  const token =
    /\\\r?\n|#[^\n]*|\r?\n|&&|\|\||[;|&]|[<>]+|(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|[^\s;|&<>"'\\#]|(?<=\S)#)+|["']|[^\S\n]+/gs;
  for (const { 0: found, index } of text.matchAll(token)) {
    if (/^(\r?\n|&&|\|\||[;|&])$/.test(found)) {
      // A line that begins with a flag belongs to the command before it.
      if (!/^\s*--[A-Za-z]/.test(text.slice(index + found.length))) commands.push([]);
    } else if (!/^(#|\\\r?\n|\s)/.test(found)) {
      const plain = found
        .replace(/"((?:\\.|[^"\\])*)"|'([^']*)'/gs, '$1$2')
        .replace(/\\(.)/gs, '$1');
      commands.at(-1)?.push({ text: plain, from: index, to: index + found.length });
    }
  }
  return commands;
}

const isNumber = (text = '') => /^-?[\d.]/.test(text);

const begins =
  /(?:^|[;&|]|\bdo\b)[^\S\n]*([$%>!]\s+)?([A-Z_][A-Z0-9_]*=\S+\s+)*(python3?|accelerate|torchrun|deepspeed|bash|sh|srun|sbatch|uv|poetry|nohup|time|node|npx|export|honest-epsilon|mpirun|horovodrun|\.{0,2}\/[\w./-]+|[\w./-]+\.(py|sh))(\s|$)/m;

function recognises(text: string): number {
  const flags = text.match(/(^|\s)(--[A-Za-z]|-[A-Za-z][A-Za-z_-])/g)?.length ?? 0;
  if (begins.test(text) && (flags > 0 || /\s[\w.]+=\S/.test(text))) return 0.88;
  return /^\s*--[A-Za-z]/.test(text) ? 0.87 : 0;
}

/** A word; a variable is known by its name. */
function valueOf(text: string): ValueRead {
  if (!text.includes('$')) return plainValue(text);
  const [, name] = /^\$\{?(\w+)\}?$/.exec(text) ?? [];
  return { kind: 'formula', text, tree: name === undefined ? name : { kind: 'name', name } };
}

function factsOf(words: readonly Word[], unread: Passage[]): Fact[] {
  const facts: Fact[] = [];
  for (let at = 0; at < words.length; ++at) {
    const [, dashes = '', key = '', given] =
      /^(--?|\+{0,2})([A-Za-z_][\w.-]*)(?:=(.*))?$/s.exec(words[at]?.text ?? '') ?? [];
    if (key === '' || (!dashes.startsWith('-') && given === undefined)) continue;
    const short = dashes === '-' && /^[A-Za-z](?![A-Za-z_-])/.test(key);
    const { from = 0 } = words[at] ?? {};
    const texts = given === undefined ? [] : [given];
    const first = words[at + 1]?.text;
    let takes = given === undefined && !short && first !== undefined && !first.startsWith('-');
    // Flags that take several numbers state several runs.
    for (; takes || (given === undefined && isNumber(words[at + 1]?.text)); takes = false)
      texts.push(words[++at]?.text ?? '');
    const { to = 0 } = words[at] ?? {};
    const [value = { kind: 'flag', value: !/^no[-_]/.test(key) }, ...others] = texts.map(valueOf);
    const name = texts.length === 0 ? key.replace(/^no[-_]/, '') : key;
    if (short && /\d/.test(`${key}${texts.join()}`))
      unread.push({ from, to, why: 'each program has its own short flags' });
    else if (!short)
      facts.push({
        ...{ path: name.split('.'), from, to },
        value: others.length > 0 ? { kind: 'list', items: [value, ...others] } : value,
      });
  }
  return facts;
}

function read(text: string): Reading {
  const unread: Passage[] = [];
  const each = commandsOf(text).map((words) => ({ words, facts: factsOf(words, unread) }));
  for (const { words } of each)
    if (/^(for|while)$/.test(words[0]?.text ?? ''))
      unread.push({
        ...{ from: words[0]?.from ?? 0, to: words.at(-1)?.to ?? 0 },
        why: 'what it repeats runs several times',
      });
  // A batch system may start a script several times, or on several machines.
  for (const { 0: found, index } of text.matchAll(
    /^#(?:SBATCH|PBS|BSUB|\$)[^\n]*?-(?:-?array|-?nodes|-?ntasks\S*|-?gres|-?gpus\S*|[NnaGtJ](?= ))[= ](?!(?:gpu:)?1\b(?!-))[^\n]*/gm,
  ))
    unread.push({
      ...{ from: index, to: index + found.length },
      why: 'it may start several processes or runs',
    });
  // Assignments on lines of their own set what the commands use.
  const commands = each.filter(
    ({ words, facts }) =>
      facts.length > 0 && !words.every((word) => /^(export|\w+=.*)$/s.test(word.text)),
  );
  if (commands.length > 1)
    for (const fact of commands.flatMap(({ facts }) => facts))
      fact.doubt = 'it is said to one of several commands';
  return { source: 'a command line', unread, facts: each.flatMap(({ facts }) => facts) };
}

export const shell: Format = { recognises, read };
