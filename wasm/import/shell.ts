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

function read(text: string): Reading {
  const unread: Passage[] = [];
  const variables = new Map<string, string>();

  /** A word whose variables are known; undefined variables make it no number. */
  function valueOf(text: string): ValueRead {
    const known = (all: string, name: string) => variables.get(name) ?? all;
    const plain = text.replace(/\$\{?(\w+)\}?/g, known);
    return plain.includes('$') ? { kind: 'formula', text } : plainValue(plain);
  }

  function factsOf(words: readonly Word[]): Fact[] {
    const facts: Fact[] = [];
    const put = (name: string, value: ValueRead, from: number, to: number) =>
      facts.push({ path: name.replace(/^\++/, '').split('.'), value, from, to });
    for (let at = 0; at < words.length; ++at) {
      const word = words[at];
      if (!word) continue;
      const { text, from, to } = word;
      const set = /^(--?|\+{0,2})([A-Za-z_][\w.-]*)=(.*)$/s.exec(text);
      if (set && (set[1] !== '-' || (set[2] ?? '').length > 1)) {
        const [, dashes = '', name = '', rest = ''] = set;
        if (dashes === '') variables.set(name, rest);
        put(name, valueOf(rest), from, to);
      } else if (/^(--[A-Za-z_]|-[A-Za-z_][A-Za-z_-])/.test(text)) {
        const next = words[at + 1];
        const takes = next && (!next.text.startsWith('-') || isNumber(next.text));
        const name = text.replace(/^--?/, '');
        // Flags that take several numbers state several runs.
        const values: ValueRead[] = [];
        let end = to;
        for (let more = takes; more; more = isNumber(words[at + 1]?.text)) {
          const value = words[++at];
          values.push(valueOf(value?.text ?? ''));
          end = value?.to ?? end;
        }
        const [value] = values;
        if (value)
          put(name, values.length > 1 ? { kind: 'list', items: values } : value, from, end);
        else
          put(
            name.replace(/^no[-_]/, ''),
            { kind: 'flag', value: !/^no[-_]/.test(name) },
            from,
            to,
          );
      } else if (/^-[A-Za-z]=?(?:[\d.].*)?$/.test(text)) {
        const apart = /^-[A-Za-z]$/.test(text);
        if (apart && !isNumber(words[at + 1]?.text)) continue;
        const end = apart ? (words[++at]?.to ?? to) : to;
        unread.push({ from, to: end, why: 'each program has its own short flags' });
      }
    }
    return facts;
  }

  const each = commandsOf(text).map((words) => ({ words, facts: factsOf(words) }));
  for (const { words } of each)
    if (/^(for|while)$/.test(words[0]?.text ?? ''))
      unread.push({
        ...{ from: words[0]?.from ?? 0, to: words.at(-1)?.to ?? 0 },
        why: 'what it repeats runs several times',
      });
  // Assignments on their own lines set what the commands use.
  const isCommand = ({ words }: { words: readonly Word[] }) =>
    words.some((word) => word.text.startsWith('--')) ||
    !words.every((word) => /^(export|\w+=.*)$/s.test(word.text));
  const said = each.filter((one) => isCommand(one) && one.facts.length > 0);
  const shared = each.filter((one) => !isCommand(one)).flatMap(({ facts }) => facts);
  // A batch system may start a script several times, or on several machines.
  for (const { 0: found, index } of text.matchAll(
    /^#(?:SBATCH|PBS|BSUB|\$)[^\n]*?-(?:-?array|-?nodes|-?ntasks\S*|-?gres|-?gpus\S*|[NnaGtJ](?= ))[= ](?!(?:gpu:)?1\b(?!-))[^\n]*/gm,
  ))
    unread.push({
      ...{ from: index, to: index + found.length },
      why: 'it may start several processes or runs',
    });
  const source = 'a command line';
  if (said.length < 2)
    return { source, unread, facts: [...shared, ...said.flatMap(({ facts }) => facts)] };
  const runs = said.map(({ words, facts }) => ({
    words: words.map((word) => word.text).join(' '),
    facts,
  }));
  return { source, unread, facts: shared, runs };
}

export const shell: Format = { recognises, read };
