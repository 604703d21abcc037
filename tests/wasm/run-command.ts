import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The file that `bin` names. */
export const command = `${root}${packageJson.bin['honest-epsilon']}`;

export interface Ending {
  code: number | null;
  out: string;
  err: string;
}

interface Surroundings {
  input?: string;
  folder?: string;
  env?: Readonly<Record<string, string>>;
}

/** A program in a process of its own, and how it ends. */
export function start(
  program: string,
  words: readonly string[],
  { input = '', folder = '/', env = {} }: Surroundings = {},
) {
  const child = spawn(program, words, { cwd: folder, env: { ...process.env, ...env } });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ending = new Promise<Ending>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, out, err });
    });
  });
  // A command that reads no input may have ended before it is written.
  child.stdin.on('error', () => undefined).end(input);
  return { child, ending };
}

/** Each question leaves a copy of the command's module, of more than a megabyte. */
const mostServed = 100;

let server: ChildProcess | undefined;
let served = 0;

function startServer(): ChildProcess {
  const script = fileURLToPath(new URL('command-server.mjs', import.meta.url));
  const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const;
  return fork(script, [command], { execArgv: [], stdio: [...stdio] });
}

function ask(question: object): Promise<Ending> {
  if (served === mostServed) server?.disconnect();
  if (server?.connected !== true) {
    server = startServer();
    served = 0;
  }
  served += 1;
  const asked = server;
  return new Promise((resolve, reject) => {
    // Of a server that dies: why.
    let said = '';
    const read = (piece: Buffer) => (said += piece.toString());
    const died = (code: number | null) => {
      reject(new Error(`the command ended its process with code ${String(code)}: ${said}`));
    };
    asked.stderr?.on('data', read);
    asked.once('close', died);
    asked.once('message', (ending) => {
      asked.stderr?.off('data', read);
      asked.off('close', died);
      resolve(ending as Ending);
    });
    asked.send(question);
  });
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the built command, one run at a time, in a process that serves many: to start one takes longer
 * than most answers. What is done to a process, or what a shell does, needs `start`.
 */
export function runCommand(words: readonly string[], input = '', folder = '/'): Promise<Ending> {
  const ending = last.then(() => ask({ words, input, folder }));
  last = ending.catch(() => undefined);
  return ending;
}
