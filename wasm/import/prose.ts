import type { Fact, Passage, Format, Reading } from './facts.js';
import { plainValue } from './facts.js';
import { meaningNamed } from './fields.js';
import type { Meaning } from './fields.js';
import { plainText } from './plain.js';
import { formulaIn } from './python.js';

const power = String.raw`10(?:\^|\*\*)[-+]?\d+`;
const digits = String.raw`[1-9]\d{0,2}(?:['’]\d{3})+(?!\d)|\d{1,3}(?: \d{3})* 000(?!\d)|\d(?:[\d.,_]*\d)?(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?`;
/** A number that is no part of a name or of a longer one: not those of ResNet-18, CIFAR10, v1.2. */
const numbers = new RegExp(
  String.raw`(?<![\p{L}\d_.^/#]|[\p{L}\d]-|\d,)-?(${power}|(?:${digits})(?:\s?[×·x*]\s?${power}|\s?/\s?\d(?:[\d,_]*\d)?(?![\d.]*\p{L}))?)(\s?%|\s?(?:thousand|million|billion)\b|[kKM]\b)?(?![\p{L}\d_])`,
  'giu',
);
const counted: readonly string[] = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const spelledOut = new RegExp(
  String.raw`(?<![\p{L}\d-]|(?:ty|hundred|thousand|and)\s)(${counted.join('|')}|dozens?|hundreds?)(?= (?:more |further |additional |full |training )?(?:epochs?|passes|steps|iterations|rounds|updates)\b)`,
  'giu',
);

const records =
  '(?:examples?|records?|samples?|images?|sentences?|data ?points?|rows|documents?|sequences|people|patients|texts|reviews|instances|articles)';
const training = '(?:(?:private|labell?ed|training|train|total|unique|sensitive) ){0,2}';
const kinds =
  '(?:(?:noisy|gradient|training|optimi[sz]er|optimi[sz]ation|SGD|DP-SGD|private|update) )*';
/** A phrase ends where the next name begins: no noun is one that an equals sign or a number follows. */
const ends = String.raw`\b(?!\s?[=:_]|-\w|\s(?:of|size)?\s?\d)`;

/** What words after a number make of it. */
const after: readonly (readonly [RegExp, Meaning | undefined])[] = (
  [
    [
      '(?:steps|iterations|batches|updates) (?:per|in each|in an|each|an|every) epoch',
      'stepsPerEpoch',
    ],
    ['(?:gradient[- ])?accumulation[- ]steps', 'accumulationSteps'],
    [`${training}${records}[- ](?:mini-?)?(?:batch(?:es)?|lots?)`, 'batchSize'],
    [
      '(?:clients?|users|devices|participants) (?:per|in each|each|in every|every|a) round',
      'clientsPerRound',
    ],
    [`${training}${records} (?:per|in each|in every|in a|in one) (?:mini-?)?batch`, 'batchSize'],
    [
      `${training}${records} (?:per|in each|in every|for each|in a|each) (?:iteration|step|update|lot)`,
      'stepBatch',
    ],
    [`${training}${records} (?:per|on each) (?:GPU|device|accelerator|TPU|worker)`, 'deviceBatch'],
    [
      `(?:at most )?${training}${records} (?:per|for each|from each|by each) (?:user|person|patient|author|individual)`,
      'recordsPerUser',
    ],
    [
      `(?:${training}${records}|\\p{L}+) (?:per|for each|from each|in each|for every|a) \\p{L}+`,
      undefined,
    ],
    [
      `${training}${records} (?:for|are|were|as|held|left|set|to|of the) (?:test|valid|eval|dev|held|for|out|aside)`,
      undefined,
    ],
    [
      '(?:(?:nvidia|tesla|[avhp]\\d+\\w*|rtx|\\d+ ?GB) ){0,3}(?:GPUs?|TPUs?|accelerators|devices)',
      'devices',
    ],
    [
      '(?:(?:full|complete|training|private|DP|DP-SGD|local)[ -])*(?:epochs?|passes over)',
      'epochs',
    ],
    [`${kinds}(?:steps|iterations|updates)`, 'steps'],
    ['(?:(?:communication|training|federated|server|global) )*rounds', 'rounds'],
    ['(?:(?:total|participating|available) )?(?:clients|users)', 'clients'],
    [`(?:${training}${records}|training)(?! (?:per|from|in each))`, 'datasetSize'],
  ] as const
).map(
  ([source, meaning]) =>
    [new RegExp(String.raw`^[ -]?(?:${source})${ends}`, 'iu'), meaning] as const,
);
const notRun =
  /^[ -]?(?:(?:test|testing|validation|eval\w*|held-out|public|pre-?training|warm-?up|unlabell?ed|synthetic|dev|local|logging|burn-in)\b|(?:full|training)? ?epochs? (?:of|for) (?:pre|warm|public|burn))/i;

const link = String.raw`\s?(?:\([^()=\d]{1,12}\)\s?)?(?:=|:|≈|of|is|was|to|at|with|being|set to|was set to|is set to|equal to|equals|is fixed to|fixed at|fixed to)?\s?(?:about|roughly|approximately|exactly)?\s?`;
const letter = String.raw`(?:[σqzεδBbLnN]\s?(?:=|of|is|:)?\s?)?`;
/** What words before a number make of it. */
const before: readonly (readonly [RegExp, Meaning | undefined])[] = (
  [
    [
      '(?:test|eval\\w*|validation|physical|micro|local|inference)[- ]?(?:mini-?)?batch[- ]size',
      undefined,
    ],
    ['(?:per[- ](?:device|GPU|worker|TPU))(?: training)? (?:mini-?)?batch[- ]size', 'deviceBatch'],
    [
      '(?:(?:global|total|effective|logical|virtual|overall|expected|average)(?: training)? (?:mini-?)?batch[- ]size|(?:expected )?lot size)',
      'stepBatch',
    ],
    ['(?:mini-?)?batch(?:es)?(?:(?: of)?[- ]sizes?)?(?: \\|?B\\|?)?', 'batchSize'],
    ['(?:number of |training |total |max(?:imum)? )*epochs', 'epochs'],
    ['(?:steps|iterations|batches) per epoch', 'stepsPerEpoch'],
    [`(?:number of |total |max(?:imum)? )*${kinds}(?:steps|iterations|updates)(?: T)?`, 'steps'],
    ['(?:number of |total |communication )*rounds', 'rounds'],
    ['(?:clients|users) per round', 'clientsPerRound'],
    ['(?:number of |total )*clients', 'clients'],
    [
      `(?:data ?set|training set|train set|training data|database|corpus)(?: (?:with|has|have|contains|containing|consists))?(?:[- ]size)?(?: of)?|number of ${training}${records}`,
      'datasetSize',
    ],
    ['(?:maximum|max\\.?|truncated) batch size|batch[- ]size cap', 'maxBatchSize'],
    ['noise[- ]multiplier', 'noiseMultiplier'],
    ['multiplier', 'noiseMultiplier'],
    ['noise (?:scale|level|std|standard deviation|variance)|standard deviation|noise', undefined],
    ['(?:sub-?)?sampl(?:ing|e)[- ](?:rate|probability|ratio|fraction)', 'samplingProbability'],
    [
      'gradient accumulation(?: steps)?|accumulation steps|accumulat\\w+ (?:gradients )?(?:over|for|of|across)',
      'accumulationSteps',
    ],
    [`(?:maximum )?(?:number of )?${records} per (?:user|person)`, 'recordsPerUser'],
  ] as const
).map(
  ([source, meaning]) =>
    [
      new RegExp(String.raw`(?<![\p{L}\d_-])(?:${source})${link}${letter}$`, 'iu'),
      meaning,
    ] as const,
);

const equals = String.raw`\s?(?:\([^()]{1,20}\)\s?)?(?:=|:|≈|of|is|was|to|at|set to)?\s?$`;
const bound = String.raw`\s?(?:=|:|≈|≤|<=|<|of|is|was|to|at)?\s?$`;
const own = String.raw`\s?=\s?$`;
/** Letters have a case, and mean something alone. */
const symbols: readonly (readonly [RegExp, Meaning])[] = (
  [
    [
      `(?<!(?:deviation|std\\.?|variance|scale of)(?: of)?\\s?[($]?)(?:σ|sigma|Sigma)${equals}`,
      'noiseMultiplier',
    ],
    [`(?:δ|delta|Delta)(?:-?DP)?${bound}`, 'delta'],
    [`(?:ε|epsilon|Epsilon|eps)${bound}`, 'epsilon'],
    [`(?:[nN]|\\|[DX]\\|)${own}`, 'datasetSize'],
    [`(?:[bB]|\\|B\\|)${own}`, 'batchSize'],
    [`q${own}`, 'samplingProbability'],
  ] as const
).map(
  ([source, meaning]) =>
    [new RegExp(String.raw`(?<![\p{L}\d_\\^./])${source}`, 'u'), meaning] as const,
);

/** Sentences about other runs, or about several. */
const doubts =
  /\b(pre-?train\w*|non-?private\w*|baselines?|unlike|whereas|in contrast|et al|previous(ly)?|prior|earlier|compared|comparison|instead|rather than|ablat\w*|warm-?up|burn-?in|teacher|public\w*|without (dp|privacy|noise)|no (noise|privacy)|respectively|either|neither|nor|var(y|ied|ies|ying)|sweep\w*|grid|rang(e|es|ing)|between|up to|at most|at least|no more than|more than|less than|fewer|if|would|could|might|suppose|imagine|e\.g|for example|for instance|initially|originally|not|never|n[’']t|no longer|cannot|other runs|tried|except|half|double|twice|thrice|additional|another|more epochs|further|then|afterwards|followed by|first|second|stages?|phases?|early stopping|stopped|(?:of|from) which|split|subset|hold(?:ing)?[- ]out|set aside|remov\w*|exclud\w*|discard\w*|filter\w*|remain\w*|held[- ]out|to be|plan\w*|propos\w*|future|default|recommend\w*|typical(ly)?|usual(ly)?|should|of them|of these|begin\w*|start\w*|local(ly)? (dp|differential\w*|train\w*)|user-level|resum\w*|restart\w*|seeds|times|runs|trials|each|(?:one|an|a|per) epoch|later|decay\w*|anneal\w*|linearly|increas\w*|decreas\w*|schedul\w*|lower\w*|rais\w*|gradual\w*|half-?way|halv\w*|doubl\w*)\b/iu;
const skips =
  /(?:\b(?:every|within|warm-?up of|decay\w* at|top|patience(?: of)?|seed|table|figure|fig\.|section|sec\.|version|layer|page|equation|eq\.|chapter|step|epoch|round|iteration|appendix)|learning rate(?: of)?|lr|momentum|weight decay(?: of)?|norm(?: of)?|\bC\s?=|clip\w*(?: (?:norm|threshold|bound))?(?: (?:of|at|to))?|accuracy(?: of)?|dropout(?: of)?)\s?[=:]?\s?$/i;
/** Nouns beside a number that was not read, on which an answer may depend. */
const weighty =
  /(?<![\p{L}\d_])(epochs?|steps|iterations|batch\w*|noise\w*|σ|sigma|δ|delta|sampl\w*|rounds|clients|examples|records|users|images|GPUs?|devices|accumulat\w*|microbatch\w*|training set|data ?set|multiplier|bands?|configurations?|trials?|runs|times|repetitions|hyper-?parameters?|tun(?:ed|ing)|seeds|cohorts?|population|lots?)(?!\p{L})/iu;

const datasets =
  /(?<![\w-])(?:(?:Fashion-?|E|FE)?MNIST|CIFAR-?100?|SVHN|ImageNet|IMDB|SST-?2|MNLI|QNLI|QQP|CelebA|E2E|WikiText|Stack ?Overflow|Shakespeare|Adult|CheXpert|Places)(?![\w-]*\w)/i;
/** Units of what is no record. */
const otherUnit =
  /^[ -]?(?:tokens?|words|characters|frames|bytes|[KMGT]i?B|hours?|minutes?|seconds?|days?|%)(?!\p{L})/u;
/** Before a number of records, what makes them a part of the data. */
const ofPart =
  /\b(?:draw\w*|drew|sampl(?:e|es|ed|ing)|select\w*|pick\w*|cho(?:ose|oses|osing|sen)|hold\w*|batch\w*|lots?|steps?|iterations?|update\w*|evaluat\w*|report\w*|test\w*|validat\w*|sub-?set\w*|add\w*|remov\w*|held)\b/i;
const ofWhole =
  /\b(?:on|over|from|of|all|the|our|its|n\s?[=≈]|\|D\|\s?=|with|and)\s(?:the |all |our |a total of )*$|\($/i;

const ofSampling = [
  /poisson[- ]?(?:sub)?(?:sampl\w+|batch\w*)?/i,
  /(?:re)?shuffl\w+/i,
  /with(?:out)? replacement/i,
  /balls[- ]and[- ]bins|random allocation/i,
  /fixed order|deterministic(?:ally)? batch\w*/i,
];

/** name = value, name: value, alone on a line, however it is set off. */
const alone =
  /^(\s*(?:[-*•+]\s+|\d+\.\s+|(?:export )?(?:const|let|var|val) )?["']?)([A-Za-zσεδ#|][\w .()*/#|σεδ-]{0,60}?)["']?\s?(?:=|:|->|→)\s?(["']?)([^\s"',;=:]+(?:,\d+)*(?: \d{3})*|[\d.]+ ?(?:\/|×|\*) ?\S+)\3[,;.]?\s*(?:(?:#|\/\/|(?<=\s);).*)?$/u;

const dates =
  /\b\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?)?|\b\d\d?:\d\d(?::\d\d)?\b/g;

interface NumberFound {
  from: number;
  to: number;
  text: string;
}

class ProseReader {
  readonly facts: Fact[] = [];
  readonly unread: Passage[] = [];
  readonly aside: Passage[] = [];
  private readonly plain: string;
  /** The line before. */
  private above = '';
  private readonly place: (at: number) => number;
  private readonly sentences: readonly { from: number; to: number; doubt: string | undefined }[];

  constructor(text: string) {
    const { plain, place } = plainText(text);
    this.plain = plain;
    this.place = place;
    const named = plain.matchAll(new RegExp(datasets, 'gi'));
    const several = new Set([...named].map(([name]) => name.toLowerCase())).size > 1;
    this.sentences = [
      ...plain.matchAll(
        /(?:[^.;!?\n]|[.;!?](?!\s|$)|\n(?!\s*\n)|\b(?:al|e\.g|i\.e|cf|resp|vs|Fig|Eq|Sec|approx)\.)+/g,
      ),
    ].map(({ 0: words, index }) => {
      const found = doubts.exec(
        words.replace(
          /(?:steps|iterations|batches|updates) (?:per|in each|each|every) epoch|without microbatch\w*|add\W(?:or\W)?remove|no bound on[^.]*|(?:weight|learning rate|lr|rate|cosine|linear) decay\w*|decay\w* (?:the )?(?:learning )?rate|\beach (?:batch|step|iteration|update|round)\b|per[- ](?:user|client)|not use microbatch\w*|(?:at most \d+ )?(?:examples|records) (?:per|for each|from each) (?:user|person)/gi,
          '',
        ),
      );
      const dataset = several ? datasets.exec(words)?.[0] : undefined;
      const doubt = dataset ?? found?.[0].toLowerCase();
      return { from: index, to: index + words.length, doubt };
    });
  }

  private fact(
    meaning: Meaning | undefined,
    name: string,
    { text, from, to }: NumberFound,
    doubt?: string,
  ): void {
    const value = plainValue(text);
    this.facts.push({
      path: [name],
      value,
      from: this.place(from),
      to: this.place(to),
      meaning,
      doubt,
    });
  }

  read(): Reading {
    let at = 0;
    for (const whole of this.plain.split('\n')) {
      // Settings that are commented out are none.
      const line = /^\s*(?:;|%|<!--|\/\/|\/\*|#+\s*[\w.-]+\s*[=:])/.test(whole)
        ? ' '.repeat(whole.length)
        : whole;
      const found = alone.exec(line);
      const words = found?.[2]?.trim() ?? '';
      const reported = /^(ε|epsilon)\b/i.test(words);
      if (found && (reported || meaningNamed(words) || words.split(' ').length < 3)) {
        const [whole, lead = '', , , text = ''] = found;
        const from = at + lead.length;
        // What is reported may say of what it is the epsilon.
        this.fact(reported ? 'epsilon' : undefined, words, {
          text: unitless(text),
          from,
          to: at + whole.trimEnd().length,
        });
      } else this.line(line, at);
      at += line.length + 1;
      this.above = line;
    }
    for (const { 0: words, index, 1: out } of this.plain.matchAll(
      /\bwith(out)?(?: using)? microbatch(?:ing|es)?\b/gi,
    ))
      this.fact('microbatching', words, {
        text: String(out === undefined),
        from: index,
        to: index + words.length,
      });
    const sampling = ofSampling.flatMap((shape) => shape.exec(this.plain)?.[0].trim() ?? []);
    const { facts, unread, aside } = this;
    return { source: inWords, facts, unread, aside, sampling };
  }

  /** Numbers of one line: what stands before and after each says what it is. */
  private line(line: string, at: number): void {
    const taken: [number, number][] = [...line.matchAll(dates)].map(({ 0: words, index }) => [
      index,
      index + words.length,
    ]);
    const pairs =
      /(?:\(\s?ε\s?,\s?δ\s?\)\s?=\s?)\(\s?([\d.]+)\s?,\s?([^()\s]+(?:\s?[×·]\s?10\^-?\d+)?)\s?\)|\(\s?(?:ε\s?=\s?)?([\d.]+)\s?,\s?(?:δ\s?=\s?)?([^()\s]+(?:\s?[×·]\s?10\^-?\d+)?)\s?\)-? ?(?:DP\b|differential)/g;
    for (const { 0: words, index, ...groups } of line.matchAll(pairs)) {
      taken.push([index, index + words.length]);
      const found = { from: at + index, to: at + index + words.length };
      this.fact('epsilon', words, { ...found, text: groups[1] ?? groups[3] ?? '' });
      this.fact(
        'delta',
        words,
        { ...found, text: groups[2] ?? groups[4] ?? '' },
        this.doubtAt(found.from),
      );
    }
    const formulas =
      /(?<![\p{L}\d_])(δ|delta|q|sampling (?:rate|probability))\s?(?:\(δ\)\s?)?(?:=|:|≈|<=?|≤|of|is|to)\s?((?:\d[\d.]*\s?)?(?:[nN]|\|D\|)?\s?(?:[*/^·]\s?[-+\d.nNBbL|D()^{} ]{0,20}[\d)nNBL|D]){1,4})/giu;
    for (const { 0: words, index, 1: name = '', 2: formula = '' } of line.matchAll(formulas)) {
      if (!/[nNbBL|]/.test(formula)) continue;
      taken.push([index, index + words.length]);
      const plain = formula
        .replace(/\|D\|/g, 'n')
        .replace(/N/g, 'n')
        .replace(/[BL]/g, 'b')
        .replace(/\^/g, '**')
        .replace(/·/g, '*')
        .replace(/(\d)\s?(?=[nb(])/g, '$1*')
        .replace(/\*\*\*(?=n)/g, '**n');
      const value = formulaIn(plain) ?? ({ kind: 'formula', text: formula } as const);
      const [from, to] = [this.place(at + index), this.place(at + index + words.length)];
      const meaning = /^(δ|delta)$/i.test(name) ? 'delta' : 'samplingProbability';
      this.facts.push({ path: [name], value, from, to, meaning, doubt: this.doubtAt(at + index) });
    }
    const free = [...line.matchAll(numbers), ...line.matchAll(spelledOut)]
      .filter(({ index, 0: words }) =>
        taken.every(([a, b]) => index + words.length <= a || index >= b),
      )
      .sort((a, b) => a.index - b.index);
    const read = free.map((match) => ({ ...this.meaningAt(line, match), match }));
    read.forEach(({ meaning, name, from, to, match, skipped }, index) => {
      const [words] = match;
      const [previous, next] = [read[index - 1], read[index + 1]];
      // Several numbers for one noun: 10, 20 and 50 epochs.
      const listed = [
        previous &&
          ([
            previous,
            line.slice(previous.match.index + previous.match[0].length, match.index),
          ] as const),
        next && ([next, line.slice(match.index + words.length, next.match.index)] as const),
      ].some(
        (one) =>
          one &&
          (/^\s?(?:-|–|—|->|→|to|or|\/|(?:in|out of|of)(?: (?:the|our|all|these|a total of))*)\s?$/.test(
            one[1],
          ) ||
            (/^\s?(?:,|and|, and|\s)\s?$/.test(one[1]) &&
              (one[0].meaning ?? one[0].name) === undefined &&
              one[0].skipped === undefined)),
      );
      const operator =
        /[\p{L}\d)]\s?[*/^+×·]\s?$|\d\s?x\s?$/u.test(
          line.slice(Math.max(0, match.index - 8), match.index),
        ) ||
        /^\s?(?:[*/^+×·]|\*\*|x(?=\s?\d))\s?[-+]?[\p{L}\d(\\]/u.test(
          line.slice(match.index + words.length, match.index + words.length + 8),
        ) ||
        /^\s[CnNBLS](?![\p{L}\d]|\s?=)/u.test(
          line.slice(match.index + words.length, match.index + words.length + 8),
        );
      if ((meaning ?? name) !== undefined && !listed && !operator) {
        const text = numberOf(match);
        const lately = line.slice(Math.max(0, match.index - 20), match.index);
        const partly = /\b(after|first|last|until) (?:the |another )?$/i.exec(lately);
        const doubt = partly
          ? `it is said of what comes “${partly[1]}”`
          : this.doubtAt(at + match.index);
        if (
          meaning === 'batchSize' &&
          / (?:per|on each|for each|on every) (?:GPU|device|TPU|worker)/i.test(
            line.slice(match.index, match.index + words.length + 20),
          )
        )
          this.fact('deviceBatch', name ?? '', { text, from: at + from, to: at + to }, doubt);
        else
          this.fact(
            meaning,
            name ?? (line.slice(from, to).trim() || words),
            { text, from: at + from, to: at + to },
            meaning === 'epsilon' ? undefined : doubt,
          );
        return;
      }
      const near = this.plain
        .slice(Math.max(0, at + match.index - 30), at + match.index + words.length + 30)
        .replace(/\n/g, ' ');
      const lead =
        /(?:[^\s,;()]+ ){0,3}$/.exec(line.slice(Math.max(0, match.index - 60), match.index))?.[0] ??
        '';
      const passage = {
        from: this.place(at + match.index - lead.length),
        to: this.place(at + match.index + words.length),
      };
      (skipped || !(weighty.test(near) || listed || operator) ? this.aside : this.unread).push(
        passage,
      );
    });
  }

  private doubtAt(at: number): string | undefined {
    const sentence = this.sentences.find(({ from, to }) => from <= at && at < to);
    return sentence?.doubt === undefined ? undefined : `its sentence says “${sentence.doubt}”`;
  }

  private meaningAt(
    line: string,
    match: RegExpExecArray,
  ): {
    meaning?: Meaning | undefined;
    name?: string | undefined;
    from: number;
    to: number;
    skipped?: true;
  } {
    const [words] = match;
    const [start, end] = [match.index, match.index + words.length];
    const [left, right] = [line.slice(Math.max(0, start - 90), start), line.slice(end, end + 120)];
    const named = /(?<![\p{L}\d_.])(--)?([A-Za-z_][\w.-]*)(\s?[=:]\s?|\s)$/u.exec(left);
    const key = named?.[2] ?? '';
    const explicit =
      named && (/[=:]/.test(named[3] ?? '') || named[1] !== undefined || /[_-]/.test(key))
        ? key
        : undefined;
    const shape =
      symbols.find(([pattern]) => pattern.test(left)) ??
      before.find(([pattern]) => pattern.test(left));
    const noun = after.find(([pattern]) => pattern.test(right));
    const place = (from: number, to: number) => ({ from: Math.max(0, from), to });
    if (/(?<![\p{L}\d_])T\s?=\s?$/u.test(left) && !noun?.[1])
      return { name: 'T', ...place(start - 4, end) };
    const none = place(start, end);
    // A phrase of the line before that this number would end is not read; nor is the number otherwise.
    const above = start === line.search(/\S/) ? `${this.above.trimEnd()} ` : undefined;
    if (above !== undefined && [...symbols, ...before].some(([pattern]) => pattern.test(above)))
      return none;
    if (skips.test(above ?? left) || notRun.test(right)) return { ...none, skipped: true };
    if (otherUnit.test(right)) return none;
    // What one step or record costs is not what the run does.
    const whole = shape && /epsilon|delta/.test(shape[1] ?? '');
    if (whole && /^\s?(?:per|each|(?:for|in|at) (?:each|every)|every|a) \p{L}/u.test(right))
      return none;
    if (shape) {
      const [pattern, meaning] = shape;
      const lead = pattern.exec(left)?.[0].length ?? 0;
      const other = noun?.[1];
      // 64 examples after “batch size of” is the batch; 10 epochs after it is a doubt.
      const agrees =
        other === undefined ||
        other === meaning ||
        (/datasetSize|batch/i.test(other) && /datasetSize|batch/i.test(meaning ?? ''));
      const tail = noun && agrees ? (noun[0].exec(right)?.[0].length ?? 0) : 0;
      return agrees ? { meaning, ...place(start - lead, end + tail) } : none;
    }
    const opens =
      explicit !== undefined &&
      /^(run|training|settings?|setup|dataset|data|details|hyper-?parameters)$/i.test(explicit);
    if (
      explicit !== undefined &&
      named &&
      !(opens && noun?.[1]) &&
      (meaningNamed(explicit) ?? /[=:]/.test(named[3] ?? ''))
    )
      return { name: explicit, ...place(start - named[0].length, end) };
    // Devices by the thousand are people's.
    if (noun?.[1] === 'devices' && Number(words.replace(/\D/g, '')) > 4096) return none;
    if (noun?.[1] === 'devices' && /[kM]$|thousand|million/.test(words)) return none;
    const clause = /[^,;.]*$/.exec(left.replace(/(?<=\d),(?=\d)/g, ''))?.[0] ?? '';
    if (
      noun?.[1] === 'datasetSize' &&
      (ofWhole.test(left) ? /\bevaluat|\btest|\bvalid/i : ofPart).test(clause)
    )
      return none;
    if (noun?.[1])
      return { meaning: noun[1], ...place(start, end + (noun[0].exec(right)?.[0].length ?? 0)) };
    return none;
  }
}

const units: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  billion: 1e9,
};

/** As a form takes it: 60k becomes 60000. */
function numberOf([words, amount = '', unit = '']: readonly string[]): string {
  const out = counted.indexOf((words ?? '').toLowerCase());
  if (out >= 0) return String(out + 1);
  const factor = units[unit.trim().toLowerCase()];
  if (factor === undefined) return (words ?? '').trim().replace(/['’]/g, '');
  const value = Number(amount.replace(/,(?=\d{3})/g, ''));
  return Number.isNaN(value) ? (words ?? '') : String(Math.round(value * factor * 1e6) / 1e6);
}

const unitless = (text: string): string => {
  const found = /^([\d.,]+)([kKM])$/.exec(text);
  return found ? numberOf([text, ...found.slice(1)]) : text;
};

export const inWords = 'a description in words';
const recognises = (): number => 0.3;
const read = (text: string): Reading => new ProseReader(text).read();

export const prose: Format = { recognises, read };
