import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** The built page. */
export const built = fileURLToPath(new URL('../../dist/web', import.meta.url));

export interface Site {
  address: string;
  close(): Promise<void>;
}

export interface SiteOptions {
  /** Sent as a header, beside whatever the page's own meta element says. */
  policy?: string;
  /** What is served; the built page, unless told otherwise. */
  folder?: string;
  /** Sent with every file. */
  headers?: Readonly<Record<string, string>>;
}

/** The file that an address below `/page/` means, as a static host finds it. */
function fileOf(folder: string, path: string): string | undefined {
  if (!path.startsWith('/page/')) return undefined;
  const named = join(folder, normalize(path.slice('/page/'.length)));
  if (!named.startsWith(folder)) return undefined;
  const candidates = [named, join(named, 'index.html'), `${named.replace(/\/$/, '')}.html`];
  return candidates.find((file) => existsSync(file) && statSync(file).isFile());
}

/** Serves a folder below the root, as a project page on a host would be. */
export async function serve({ policy, folder = built, headers }: SiteOptions = {}): Promise<Site> {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Error(`there is no page in ${folder}: run the build first`);
  }
  const server: Server = createServer((request, response) => {
    const file = fileOf(folder, new URL(request.url ?? '/', 'http://localhost').pathname);
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream');
    // Built files have their content in their names, and browsers keep them, as on a real host.
    if (file.includes('/assets/')) response.setHeader('Cache-Control', 'max-age=600');
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    if (policy !== undefined) response.setHeader('Content-Security-Policy', policy);
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    address: `http://127.0.0.1:${String(address.port)}/page/`,
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => {
          if (error) reject(error);
          else resolve();
        });
      }),
  };
}

/** The policy that a built page carries, as its author wrote it. */
export function builtPolicy(file = join(built, 'index.html')): string {
  const page = readFileSync(file, 'utf8');
  const match = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(page);
  if (!match?.[1]) throw new Error(`${file} carries no Content-Security-Policy`);
  return match[1].replaceAll('&#39;', "'");
}
