import type { Meaning } from './fields.js';

// Words and phrases around a number, and what each makes of it.

const power = String.raw`10(?:\^|\*\*)[-+]?\d+`;
const digits = String.raw`[1-9]\d{0,2}(?:['’]\d{3})+(?!\d)|\d{1,3}(?: \d{3})* 000(?!\d)|\d(?:[\d.,_]*\d)?(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?`;
/** A number that is no part of a name or of a longer one: not those of ResNet-18, CIFAR10, v1.2. */
export const numbers = new RegExp(
  String.raw`(?<![\p{L}\d_.^/#]|[\p{L}\d]-|\d,)-?(${power}|(?:${digits})(?:\s?[×·x*]\s?${power}|\s?/\s?\d(?:[\d,_]*\d)?(?![\d.]*\p{L}))?)(\s?%|\s?(?:thousand|million|billion)\b|[kKM]\b)?(?![\p{L}\d_]|[.,]\d)`,
  'giu',
);
export const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(
  ' ',
);
export const spelledOut = new RegExp(
  String.raw`(?<![\p{L}\d-]|(?:ty|hundred|thousand|and)\s)(${numberWords.join('|')}|dozens?|hundreds?)(?= (?:more |further |additional |full |training )?(?:epochs?|passes|steps|iterations|rounds|updates)\b)`,
  'giu',
);

const records =
  '(?:examples?|records?|samples?|images?|sentences?|data ?points?|rows|documents?|sequences|people|patients|texts|reviews|instances|articles)';
const training = '(?:(?:private|labell?ed|training|train|total|unique|sensitive) ){0,2}';
const kinds =
  '(?:(?:noisy|gradient|training|optimi[sz]er|optimi[sz]ation|SGD|DP-SGD|private|update) )*';
/** A phrase ends where the next name begins: no noun is one that an equals sign or a number follows. */
const ends = String.raw`\b(?!\s?[=:_]|-\w|\s(?:of|size)?\s?\d)`;

type Phrase = readonly [pattern: RegExp, meaning: Meaning | undefined];

/** Rows of a table, "what a number means: the words that say so"; "nothing" where it is no field's. */
const rowsOf = (table: string, patternOf: (words: string) => RegExp): readonly Phrase[] =>
  table
    .trim()
    .split('\n')
    .map((row) => {
      const [, meaning = '', words = ''] = /^ *(\w+): (.*)$/.exec(row) ?? [];
      return [patternOf(words), meaning === 'nothing' ? undefined : (meaning as Meaning)];
    });

/** What words after a number make of it. */
export const after = rowsOf(
  String.raw`
    stepsPerEpoch: (?:steps|iterations|batches|updates) (?:per|in each|in an|each|an|every) epoch
    accumulationSteps: (?:gradient[- ])?accumulation[- ]steps
    batchSize: ${training}${records}[- ](?:mini-?)?(?:batch(?:es)?|lots?)
    clientsPerRound: (?:clients?|users|devices|participants) (?:per|in each|each|in every|every|a) round
    batchSize: ${training}${records} (?:per|in each|in every|in a|in one) (?:mini-?)?batch
    stepBatch: ${training}${records} (?:per|in each|in every|for each|in a|each) (?:iteration|step|update|lot)
    deviceBatch: ${training}${records} (?:per|on each) (?:GPU|device|accelerator|TPU|worker)
    recordsPerUser: (?:at most )?${training}${records} (?:per|for each|from each|by each) (?:user|person|patient|author|individual)
    nothing: (?:${training}${records}|\p{L}+) (?:per|for each|from each|in each|for every|a) \p{L}+
    nothing: ${training}${records} (?:for|are|were|as|held|left|set|to|of the) (?:test|valid|eval|dev|held|for|out|aside)
    devices: (?:(?:nvidia|tesla|[avhp]\d+\w*|rtx|\d+ ?GB) ){0,3}(?:GPUs?|TPUs?|accelerators|devices)
    localEpochs: (?:local|client) (?:training )?epochs?
    epochs: (?:(?:full|complete|training|private|DP|DP-SGD)[ -])*(?:epochs?|passes over)
    steps: ${kinds}(?:steps|iterations|updates)
    rounds: (?:(?:communication|training|federated|server|global) )*rounds
    clients: (?:(?:total|participating|available) )?(?:clients|users)
    datasetSize: (?:${training}${records}|training)(?! (?:per|from|in each))`,
  (words) => new RegExp(String.raw`^[ -]?(?:${words})${ends}`, 'iu'),
);
export const notRun =
  /^[ -]?(?:(?:test|testing|validation|eval\w*|held-out|public|pre-?training|warm-?up|unlabell?ed|synthetic|dev|local(?! (?:training )?epoch)|logging|burn-in)\b|(?:full|training)? ?epochs? (?:of|for) (?:pre|warm|public|burn))/i;

const link = String.raw`\s?(?:\([^()=\d]{1,12}\)\s?)?(?:=|:|≈|of|is|was|to|at|with|being|set to|was set to|is set to|equal to|equals|is fixed to|fixed at|fixed to)?\s?(?:about|roughly|approximately|exactly)?\s?`;
const letter = String.raw`(?:[σqzεδBbLnN]\s?(?:=|of|is|:)?\s?)?`;
/** What words before a number make of it. */
export const before = rowsOf(
  String.raw`
    nothing: (?:test|eval\w*|validation|physical|micro|local|inference)[- ]?(?:mini-?)?batch[- ]size
    deviceBatch: (?:per[- ](?:device|GPU|worker|TPU))(?: training)? (?:mini-?)?batch[- ]size
    stepBatch: (?:(?:global|total|effective|logical|virtual|overall|expected|average)(?: training)? (?:mini-?)?batch[- ]size|(?:expected )?lots?(?: of)?[- ]size)
    maxBatchSize: (?:max(?:imum|imal|\.)?|truncated|capped) (?:mini-?)?batch[- ]sizes?|batch[- ]size cap
    batchSize: (?:mini-?)?batch(?:es)?(?:(?: of)?[- ]sizes?)?(?: \|?B\|?)?
    epochs: (?:number of |training |total |max(?:imum)? )*epochs
    stepsPerEpoch: (?:steps|iterations|batches) per epoch
    steps: (?:number of |total |max(?:imum)? )*${kinds}(?:steps|iterations|updates)(?: T)?
    rounds: (?:number of |total |communication )*rounds
    clientsPerRound: (?:clients|users) per round
    clients: (?:number of |total )*clients
    datasetSize: (?:data ?set|training set|train set|training data|database|corpus)(?: (?:with|has|have|contains|containing|consists))?(?:(?: of)?[- ]size)?(?: of)?|number of ${training}${records}
    noiseMultiplier: noise[- ]multiplier
    noiseMultiplier: multiplier
    nothing: noise (?:scale|level|std|standard deviation|variance)|standard deviation|noise
    samplingProbability: (?:sub-?)?sampl(?:ing|e)[- ](?:rate|probability|ratio|fraction)
    accumulationSteps: gradient accumulation(?: steps)?|accumulation steps|accumulat\w+ (?:gradients )?(?:over|for|of|across)
    recordsPerUser: (?:maximum )?(?:number of )?${records} per (?:user|person)`,
  (words) => new RegExp(String.raw`(?<![\p{L}\d_-])(?:${words})${link}${letter}$`, 'iu'),
);

const equals = String.raw`\s?(?:\([^()]{1,20}\)\s?)?(?:=|:|≈|of|is|was|to|at|set to)?\s?$`;
const bound = String.raw`\s?(?:=|:|≈|≤|<=|<|of|is|was|to|at)?\s?$`;
const own = String.raw`\s?=\s?$`;
/** Letters have a case, and mean something alone. */
export const symbols = rowsOf(
  String.raw`
    noiseMultiplier: (?<!(?:deviation|std\.?|variance|scale of)(?: of)?\s?[($]?)(?:σ|sigma|Sigma)${equals}
    delta: (?:δ|delta|Delta)(?:-?DP)?${bound}
    epsilon: (?:ε|epsilon|Epsilon|eps)${bound}
    datasetSize: (?:[nN]|\|[DX]\|)${own}
    batchSize: (?:[bB]|\|B\|)${own}
    samplingProbability: q${own}`,
  (words) => new RegExp(String.raw`(?<![\p{L}\d_\\^./])${words}`, 'u'),
);

/** Sentences about other runs, or about several. */
export const doubts =
  /\b(pre-?train\w*|non-?private\w*|baselines?|unlike|whereas|in contrast|et al|previous(ly)?|prior|earlier|compared|comparison|instead|rather than|ablat\w*|warm-?up|burn-?in|teacher|public\w*|without (dp|privacy|noise)|no (noise|privacy)|respectively|either|neither|nor|var(y|ied|ies|ying)|sweep\w*|grid|rang(e|es|ing)|between|up to|at most|at least|no more than|more than|less than|fewer|if|would|could|might|suppose|imagine|e\.g|for example|for instance|initially|originally|not|never|n[’']t|no longer|cannot|other runs|tried|except|half|double|twice|thrice|additional|another|more epochs|further|then|afterwards|followed by|first|second|stages?|phases?|early stopping|stopped|(?:of|from) which|split|subset|hold(?:ing)?[- ]out|set aside|remov\w*|exclud\w*|discard\w*|filter\w*|remain\w*|held[- ]out|to be|plan\w*|propos\w*|future|default|recommend\w*|typical(ly)?|usual(ly)?|should|augmented|after augment\w*|of them|of these|begin\w*|start\w*|local(ly)? (dp|differential\w*|train\w*)|user-level|resum\w*|restart\w*|seeds|times|runs|trials|each|(?:one|an|a|per) epoch|later|decay\w*|anneal\w*|linearly|increas\w*|decreas\w*|schedul\w*|lower\w*|rais\w*|gradual\w*|half-?way|halv\w*|doubl\w*)\b/iu;
export const skips =
  /(?:\b(?:every|within|warm-?up of|decay\w* at|top|patience(?: of)?|seed|table|figure|fig\.|section|sec\.|version|layer|page|equation|eq\.|chapter|step|epoch|round|iteration|appendix)|learning rate(?: of)?|lr|momentum|weight decay(?: of)?|norm(?: of)?|\bC\s?=|clip\w*(?: (?:norm|threshold|bound))?(?: (?:of|at|to))?|accuracy(?: of)?|dropout(?: of)?)\s?[=:]?\s?$/i;
/** Nouns beside a number that was not read, on which an answer may depend. */
export const weighty =
  /(?<![\p{L}\d_])(epochs?|steps|iterations|batch\w*|noise\w*|σ|sigma|δ|delta|sampl\w*|rounds|clients|examples|records|users|images|GPUs?|devices|accumulat\w*|microbatch\w*|training set|data ?set|multiplier|bands?|configurations?|trials?|runs|times|repetitions|hyper-?parameters?|tun(?:ed|ing)|seeds|cohorts?|population|lots?)(?!\p{L})/iu;

export const datasets =
  /(?<![\w-])(?:(?:Fashion-?|E|FE)?MNIST|CIFAR-?100?|SVHN|ImageNet|IMDB|SST-?2|MNLI|QNLI|QQP|CelebA|E2E|WikiText|Stack ?Overflow|Shakespeare|Adult|CheXpert|Places)(?![\w-]*\w)/i;
/** Units of what is no record. */
export const otherUnit =
  /^[ -]?(?:tokens?|words|characters|frames|bytes|[KMGT]i?B|hours?|minutes?|seconds?|days?|%)(?!\p{L})/u;
/** Before a number of records, what makes them a part of the data. */
export const ofPart =
  /\b(?:draw\w*|drew|sampl(?:e|es|ed|ing)|select\w*|pick\w*|cho(?:ose|oses|osing|sen)|hold\w*|batch\w*|lots?|steps?|iterations?|update\w*|evaluat\w*|report\w*|test\w*|validat\w*|sub-?set\w*|add\w*|remov\w*|held)\b/i;
export const ofWhole =
  /\b(?:on|over|from|of|all|the|our|its|n\s?[=≈]|\|D\|\s?=|with|and)\s(?:the |all |our |a total of )*$|\($/i;

export const ofSampling = [
  /poisson[- ]?(?:sub)?(?:sampl\w+|batch\w*)?/i,
  /(?:re)?shuffl\w+/i,
  /with(?:out)? replacement/i,
  /balls[- ]and[- ]bins|random allocation/i,
  /fixed order|deterministic(?:ally)? batch\w*/i,
];

/** name = value, name: value, alone on a line, however it is set off. */
export const alone =
  /^(\s*(?:[-*•+]\s+|\d+\.\s+|(?:export )?(?:const|let|var|val) )?["']?)([A-Za-zσεδ#|][\w .()*/#|σεδ-]{0,60}?)["']?\s?(?:=|:|->|→)\s?(["']?)([^\s"',;=:]+(?:,\d+)*(?: \d{3})*|[\d.]+ ?(?:\/|×|\*) ?\S+)\3[,;.]?\s*(?:(?:#|\/\/|(?<=\s);).*)?$/u;

export const dates =
  /\b\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?)?|\b\d\d?:\d\d(?::\d\d)?\b/g;

/** (ε, δ) = (2, 1e-5), or (2, 1e-5)-DP. */
export const pairs =
  /(?:\(\s?ε\s?,\s?δ\s?\)\s?=\s?)\(\s?([\d.]+)\s?,\s?([^()\s]+(?:\s?[×·]\s?10\^-?\d+)?)\s?\)|\(\s?(?:ε\s?=\s?)?([\d.]+)\s?,\s?(?:δ\s?=\s?)?([^()\s]+(?:\s?[×·]\s?10\^-?\d+)?)\s?\)-? ?(?:DP\b|differential)/g;
/** δ = 1/n^1.1, q = B/N */
export const formulas =
  /(?<![\p{L}\d_])(δ|delta|q|sampling (?:rate|probability))\s?(?:\(δ\)\s?)?(?:=|:|≈|<=?|≤|of|is|to)\s?((?:\d[\d.]*\s?)?(?:[nN]|\|D\|)?\s?(?:[*/^·]\s?[-+\d.nNBbL|D()^{} ]{0,20}[\d)nNBL|D]){1,4})/giu;

/** Between two numbers of which neither is the run's alone. */
export const ranges =
  /^\s?(?:-|–|—|->|→|to|or|\/|(?:in|out of|of)(?: (?:the|our|all|these|a total of))*)\s?$/;
export const operatorBefore = /[\p{L}\d)]\s?[*/^+×·]\s?$|\d\s?x\s?$/u;
export const operatorAfter =
  /^\s?(?:[*/^+×·]|\*\*|x(?=\s?\d))\s?[-+]?[\p{L}\d(\\√]|^:\d|^\s?(?:√|\\(?:sqrt|log|ln|frac|pm)\b)|^\s[CnNBLS](?![\p{L}\d]|\s?=)/u;
export const perDevice = / (?:per|on each|for each|on every) (?:GPU|device|TPU|worker)/i;

export const sentences =
  /(?:[^.;!?\n]|[.;!?](?!\s|$)|\n(?![^\S\n]*\n)|\b(?:al|e\.g|i\.e|cf|resp|vs|Fig|Eq|Sec|approx)\.)+/g;
/** Words of a sentence that sound like other runs, and are not about any. */
export const harmless =
  /(?:steps|iterations|batches|updates) (?:per|in each|each|every) epoch|without microbatch\w*|add\W(?:or\W)?remove|no bound on[^.]*|(?:weight|learning rate|lr|rate|cosine|linear) decay\w*|decay\w* (?:the )?(?:learning )?rate|\beach (?:batch|step|iteration|update|round)\b|per[- ](?:user|client)|not use microbatch\w*|(?:at most \d+ )?(?:examples|records) (?:per|for each|from each) (?:user|person)/gi;
