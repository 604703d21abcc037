import type { WriteStream } from 'node:tty';
import type { MonteCarloProgress } from '../monte-carlo.js';
import { format } from '../words/numbers.js';
import { timeLeft } from '../words/time-left.js';

const cells = 24;

function showRate(perSecond: number): string {
  return `${format(perSecond, { side: 'nearest', digits: 2, medium: 'text' })} samples/s`;
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
    clear: () => {
      stream.write('\r\u001b[K');
    },
  };
}
