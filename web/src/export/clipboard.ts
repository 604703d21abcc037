/** Copies text to the clipboard; returns whether the browser allowed it. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** How long a button says what came of it, in milliseconds. */
const shownFor = 4000;

/** What was just copied of an element's texts, for the words on its buttons. */
export class Copying {
  private readonly host: { requestUpdate: () => void };
  private last: { what: string; done: boolean } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: { requestUpdate: () => void }) {
    this.host = host;
  }

  words(what: string, before = 'Copy', after = 'Copied'): string {
    if (this.last?.what !== what) return before;
    return this.last.done ? after : 'The browser forbids copying';
  }

  async copy(what: string, text: string): Promise<void> {
    this.put({ what, done: await copyText(text) });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.put(undefined), shownFor);
  }

  private put(last: typeof this.last): void {
    this.last = last;
    this.host.requestUpdate();
  }
}
