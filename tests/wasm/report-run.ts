import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };

export const root = fileURLToPath(new URL('../..', import.meta.url));
const command = `${root}${packageJson.bin['honest-epsilon']}`;

interface Ending {
  code: number;
  out: string;
  err: string;
}

/** The built command `report`, and how it ended. */
export function run(words: readonly string[], input = ''): Promise<Ending> {
  return new Promise((resolve) => {
    const child = execFile(command, ['report', ...words], (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
    // A command that reads no input may have ended before it is written.
    child.stdin?.on('error', () => undefined).end(input);
  });
}
