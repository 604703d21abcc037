import { references, whereOf } from '../words/references.js';
import avoidingPitfalls from './avoiding-pitfalls.json';
import ballsAndBins from './balls-and-bins.json';
import counterexample from './counterexample.json';
import howPrivate from './how-private.json';
import mixtures from './mixtures.json';
import { ordersIn } from './ask.js';
import type {
  PaperQuestion,
  Axis,
  Claim,
  Exhibit,
  OrderRange,
  Paper,
  Relation,
  Series,
} from './shape.js';

type AxisData = readonly [label: string, scale: Axis['scale'], from: number, to: number];

/** What an exhibit, its panel, a named line and a line or claim say of a question: the last one counts. */
interface Layer
  extends Partial<Omit<PaperQuestion, 'call' | 'query'>>, Partial<Omit<Series, 'ask'>> {
  line?: string;
  call?: PaperQuestion['call'] | undefined;
  query?: PaperQuestion['query'] | undefined;
  phase?: Readonly<Record<string, unknown>> | undefined;
  orders?: readonly OrderRange[];
}

interface ClaimData extends Layer, Partial<Omit<Claim, 'ask' | 'relation' | 'printed'>> {
  states: string;
}

interface PanelData extends Layer {
  title: string;
  x: AxisData;
  y: AxisData;
  lines: readonly (string | Layer)[];
}

interface ExhibitData extends Layer, Omit<Exhibit, 'paper' | 'panels' | 'claims' | keyof Layer> {
  panels?: readonly PanelData[];
  claims?: readonly ClaimData[];
}

interface PaperData {
  paper: Pick<Paper, 'citation'> & Partial<Paper>;
  lines?: Readonly<Record<string, Layer>>;
  exhibits: readonly ExhibitData[];
}

function paperOf({ paper }: PaperData): Paper {
  const reference = references[paper.citation];
  if (!reference) throw new Error(`no reference ${paper.citation}`);
  const { authors, title, arxiv = '' } = reference;
  return {
    ...{ title, authors: `${authors}, ${whereOf(reference)}` },
    ...{ url: `https://arxiv.org/abs/${arxiv}`, ...paper },
  };
}

/** A paper's figures are drawn by published theorems alone, as the paper's are. */
const proofs = 'published';

const merged = (layers: readonly Layer[]) =>
  layers.reduce<Layer>(
    (all, layer) => ({
      ...{ ...all, ...layer },
      ...{ phase: { ...all.phase, ...layer.phase }, query: { ...all.query, ...layer.query } },
    }),
    {},
  );

function askOf(layer: Layer): PaperQuestion {
  const { call = 'answer', phase, query: own, read, orders } = layer;
  const { each, then, otherwise, formula, of } = layer;
  const found = own?.delta === undefined ? 'delta' : 'epsilon';
  const query =
    call === 'answer'
      ? { question: found, phases: [phase], proofs, ...own }
      : {
          ...(call === 'monteCarlo' && phase),
          ...own,
          ...(orders && { orderStatistics: ordersIn(orders) }),
        };
  return { call, query, read: read ?? found, each, then, otherwise, formula, of };
}

const axisOf = ([label, scale, from, to]: AxisData): Axis => ({ label, scale, from, to });

function exhibitsOf(data: PaperData): Exhibit[] {
  const paper = paperOf(data);
  const named = (own: Layer): Layer[] => [data.lines?.[own.line ?? ''] ?? {}, own];
  return data.exhibits.map((exhibit) => {
    const { id, name, title, caption, call, phase, query, scenario } = exhibit;
    const shared: Layer = { call, phase, query };
    const series = (panel: PanelData) =>
      panel.lines.map((line): Series => {
        const layer = merged([shared, panel, ...named(typeof line === 'string' ? { line } : line)]);
        const { label = '', sampler, dashed, paperTook, count = 2 } = layer;
        return { label, count, ask: askOf(layer), sampler, dashed, paperTook };
      });
    const claims = (exhibit.claims ?? []).map((claim): Claim => {
      const { states, expected = 'agree', cell } = claim;
      const [relation = '', printed = ''] = states.split(' ');
      const what = claim.what ?? `${cell?.column ?? ''}, ${cell?.row ?? ''}`;
      const ask = askOf(merged([shared, ...named(claim)]));
      return { ...claim, what, relation: relation as Relation, printed, expected, ask };
    });
    const panels = (exhibit.panels ?? []).map((panel) => ({
      ...{ title: panel.title, x: axisOf(panel.x), y: axisOf(panel.y), series: series(panel) },
    }));
    return { id, paper, name, title, caption, panels, claims, scenario };
  });
}

/** THE list of figures and tables, in the papers' order. */
export const exhibits: readonly Exhibit[] = (
  [howPrivate, counterexample, avoidingPitfalls, ballsAndBins, mixtures] as unknown as PaperData[]
).flatMap(exhibitsOf);

export const exhibitOf = (id: string): Exhibit | undefined =>
  exhibits.find((exhibit) => exhibit.id === id);
