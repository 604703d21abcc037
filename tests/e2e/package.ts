import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a program and resolves with what it printed; a failure throws with that. */
export function must(program: string, args: readonly string[], folder: string): Promise<string> {
  const options = { cwd: folder, maxBuffer: 1e8, env: { ...process.env, NO_COLOR: '1' } };
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
      else resolve(stdout);
    });
  });
}

/** A folder of its own, outside of the repository: nothing is found there but what is put there. */
export const emptyFolder = () => mkdtempSync(join(tmpdir(), 'honest-epsilon-'));

export const discard = (folder: string) => rmSync(folder, { recursive: true, force: true });

/** Packs the package as for publishing, and unpacks it as its users would find it. */
export async function packed(): Promise<string> {
  const folder = emptyFolder();
  await must('npm', ['pack', '--silent', '--pack-destination', folder], root);
  const [file = ''] = readdirSync(folder);
  await must('tar', ['-xzf', file], folder);
  return join(folder, 'package');
}

/** A copy of one of the example sites, with the package among its modules. */
export function siteWith(name: string, unpacked: string): string {
  const folder = emptyFolder();
  cpSync(join(root, 'tests/e2e/sites', name), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  cpSync(unpacked, join(folder, 'node_modules/honest-epsilon'), { recursive: true });
  return folder;
}
