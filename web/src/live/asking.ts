import type { CallOptions, Engine } from '../../../wasm/client.js';
import { remember } from './live.js';
import { troubleOf, type Trouble } from './trouble.js';

/** In milliseconds: without a keystroke for this long, the reader has stopped typing. */
const pause = 120;
/** In milliseconds: parts of an answer are drawn at this distance, however fast they come. */
const pace = 100;
/** Answers that are kept for when they are wanted again. */
const kept = 32;

interface AskingState<A> {
  /** The previous answer while another one is computed. */
  answer: A | undefined;
  working: boolean;
  refusal: Trouble | undefined;
}

/** Asks the engine; `tell` shows what is known of the answer so far. */
type PutQuestion<Q, A> = (
  engine: Engine,
  query: Q,
  options: CallOptions,
  tell: (soFar: A) => void,
) => Promise<A>;

/** The element that asks; its engine may come later, and may be replaced. */
interface Host {
  readonly engine: Engine | undefined;
  requestUpdate(): void;
  addController(controller: { hostDisconnected(): void }): void;
}

/** One question at a time: a newer one ends the one before, and so does the end of the element. */
export class LiveAsking<Q, A> {
  state: AskingState<A> = { answer: undefined, working: false, refusal: undefined };
  private asked = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: AbortController | undefined;
  private engine: Engine | undefined;
  private readonly memory = new Map<string, A>();
  private readonly put: PutQuestion<Q, A>;
  private readonly host: Host;

  constructor(host: Host, ask: PutQuestion<Q, A>) {
    this.host = host;
    this.put = ask;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.end();
  }

  /** The first question at once, those that follow when the typing pauses. */
  ask(query: Q): void {
    const { engine } = this.host;
    if (!engine) return;
    if (engine !== this.engine) this.end();
    this.engine = engine;
    const key = JSON.stringify(query);
    if (key === this.asked) return;
    const first = this.asked === '';
    this.stop();
    this.asked = key;
    const answer = this.memory.get(key) ?? this.state.answer;
    const working = !this.memory.has(key);
    this.set({ answer, working, refusal: undefined });
    if (working) this.timer = setTimeout(() => void this.run(engine, query), first ? 0 : pause);
  }

  /** What is shown belongs to an earlier question; the next one waits for the pause. */
  outdate(): void {
    this.stop();
    this.asked = ' ';
    if (this.state.working) this.set({ working: false });
  }

  /** Without a valid question no answer may be shown. */
  clear(): void {
    this.outdate();
    const { answer, refusal } = this.state;
    if (answer || refusal) this.set({ answer: undefined, refusal: undefined });
  }

  /** Ends what runs; the same question may be asked again. */
  end(): void {
    this.stop();
    this.asked = '';
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.running?.abort();
    this.running = undefined;
  }

  private async run(engine: Engine, query: Q): Promise<void> {
    const running = new AbortController();
    this.running = running;
    const end = (changes: Partial<AskingState<A>>) => {
      if (this.running !== running) return;
      this.running = undefined;
      this.set({ working: false, refusal: undefined, ...changes });
    };
    let soFar: A | undefined;
    const tell = (part: A) => {
      const waits = soFar !== undefined;
      soFar = part;
      if (waits) return;
      setTimeout(() => {
        if (this.running === running) this.set({ answer: soFar });
        soFar = undefined;
      }, pace);
    };
    try {
      const options = { signal: running.signal, background: true };
      const answer = await this.put(engine, query, options, tell);
      if (this.running === running) remember(this.memory, this.asked, answer, kept);
      end({ answer });
    } catch (error) {
      end({ answer: undefined, refusal: troubleOf(error) });
    }
  }

  private set(changes: Partial<AskingState<A>>): void {
    this.state = { ...this.state, ...changes };
    this.host.requestUpdate();
  }
}
