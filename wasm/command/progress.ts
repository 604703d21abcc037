import type { WriteStream } from 'node:tty';
import type { MonteCarloProgress } from '../monte-carlo.js';
import { format } from '../words/numbers.js';
import { timeLeft } from '../words/time-left.js';

const cells = 24;

function showRate(perSecond: number): string {
  return `${format(perSecond, { side: 'nearest', digits: 2 })} samples/s`;
}

/** One line on a terminal, drawn over itself; nothing where the stream is not a terminal. */
export function progressBar(stream: WriteStream & { fd: 2 }): {
  show: (progress: MonteCarloProgress) => void;
  clear: () => void;
} {
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined };
  return {
    show: ({ samples, of, samplesPerSecond, secondsLeft }) => {
      const done = of > 0 ? samples / of : 0;
      const full = Math.floor(done * cells);
      const bar = '█'.repeat(full) + '░'.repeat(cells - full);
      const percent = `${String(Math.floor(100 * done)).padStart(3)} %`;
      const line = `${bar} ${percent}  ${showRate(samplesPerSecond)}  ${timeLeft(secondsLeft)}`;
      stream.write(`\r${line.slice(0, Math.max(0, stream.columns - 1))}\u001b[K`);
    },
    clear: () => stream.write('\r\u001b[K'),
  };
}

/**
 * Says on a terminal, from the first second on, for how long the question has been computed; nothing
 * where the stream is not a terminal. What it returns wipes the line.
 */
export function waiting(stream: { isTTY: boolean; write: (text: string) => unknown }): () => void {
  if (!stream.isTTY) return () => undefined;
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += 1;
    stream.write(`\rcomputing, ${seconds} s\u001b[K`);
  }, 1000);
  return () => {
    clearInterval(timer);
    if (seconds > 0) stream.write('\r\u001b[K');
  };
}
