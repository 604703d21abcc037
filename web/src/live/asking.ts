import type { CallOptions, Engine } from '../../../wasm/client.js';
import { troubleOf, type Trouble } from './trouble.js';

/** In milliseconds: without a keystroke for this long, the reader has stopped typing. */
const pause = 120;

interface AskingState<A> {
  /** The previous answer while another one is computed. */
  answer: A | undefined;
  working: boolean;
  refusal: Trouble | undefined;
}

type PutQuestion<Q, A> = (engine: Engine, query: Q, options: CallOptions) => Promise<A>;

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
    this.set({ working: true, refusal: undefined });
    this.timer = setTimeout(() => void this.run(engine, query), first ? 0 : pause);
  }

  /** Without a valid question no answer may be shown. */
  clear(): void {
    this.stop();
    this.asked = ' ';
    const { answer, working, refusal } = this.state;
    if (answer || working || refusal) {
      this.set({ answer: undefined, working: false, refusal: undefined });
    }
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
    try {
      const answer = await this.put(engine, query, { signal: running.signal, background: true });
      if (this.running === running) this.set({ answer, working: false, refusal: undefined });
    } catch (error) {
      if (this.running !== running) return;
      this.set({ answer: undefined, working: false, refusal: troubleOf(error) });
    }
  }

  private set(changes: Partial<AskingState<A>>): void {
    this.state = { ...this.state, ...changes };
    this.host.requestUpdate();
  }
}
