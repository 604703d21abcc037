// Runs the built command for one question after another, each with arguments, streams, a folder and
// an exit code of its own, as a process for each would have them. Whatever ends the process, or is
// sent to it, is not for this: it ends the server.

import { setImmediate } from 'node:timers/promises';
import { Buffer } from 'node:buffer';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const [node = '', , command = ''] = process.argv;

/** A stream that keeps what is written, as a pipe's reader gets it. */
function kept() {
  /** @type {Buffer[]} */
  const pieces = [];
  const stream = new Writable({
    write(piece, _, done) {
      pieces.push(piece);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(pieces).toString('utf8') };
}

/** @param {Record<string, unknown>} values */
function setProcess(values) {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(process, name, { value, configurable: true, writable: true });
  }
}

let served = 0;

/** @param {{words: string[], input: string, folder: string}} question */
async function answer({ words, input, folder }) {
  const [out, err] = [kept(), kept()];
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false });
  process.chdir(folder);
  process.exitCode = undefined;
  setProcess({ stdin, stdout: out.stream, stderr: err.stream, argv: [node, command, ...words] });
  // Under an address of its own the command's module begins anew; what it imports is there already.
  served += 1;
  await import(`${pathToFileURL(command).href}?${String(served)}`);
  await setImmediate();
  const code = process.exitCode;
  process.exitCode = undefined;
  return { code, out: out.text(), err: err.text() };
}

process.on('message', async (/** @type {Parameters<typeof answer>[0]} */ question) => {
  process.send?.(await answer(question));
});
