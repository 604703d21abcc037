import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

const built = fileURLToPath(new URL('../../dist/web', import.meta.url));

export interface Site {
  address: string;
  close(): Promise<void>;
}

export interface SiteOptions {
  /** Sent as a header, beside whatever the page's own meta element says. */
  policy?: string;
}

/** Serves the built page from a folder below the root, as a project page on a host would be. */
export async function serve({ policy }: SiteOptions = {}): Promise<Site> {
  if (!existsSync(join(built, 'index.html'))) {
    throw new Error(`there is no built page in ${built}: run the build first`);
  }
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const inside = normalize(path.replace(/^\/page\//, ''));
    const file = join(built, inside === '.' || inside === '' ? 'index.html' : inside);
    if (
      !path.startsWith('/page/') ||
      !file.startsWith(built) ||
      !existsSync(file) ||
      !statSync(file).isFile()
    ) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream');
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

/** The policy that the built page carries, as its author wrote it. */
export function builtPolicy(): string {
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  const match = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page);
  if (!match?.[1]) throw new Error('the built page carries no Content-Security-Policy');
  return match[1].replaceAll('&#39;', "'");
}
