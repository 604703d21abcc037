import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../.scripts/serve.mjs', import.meta.url));

/** Makes of a machine one without a hosts file or a name server, which knows addresses alone. */
const nameless = `
  import dns from 'node:dns';
  import { isIP } from 'node:net';
  import { syncBuiltinESMExports } from 'node:module';
  const unknown = (name) =>
    Object.assign(new Error('getaddrinfo ENOTFOUND ' + name), { code: 'ENOTFOUND' });
  const { lookup } = dns;
  dns.lookup = (name, ...rest) =>
    isIP(name) ? lookup(name, ...rest) : process.nextTick(rest.at(-1), unknown(name));
  const { lookup: promised } = dns.promises;
  dns.promises.lookup = (name, ...rest) =>
    isIP(name) ? promised(name, ...rest) : Promise.reject(unknown(name));
  syncBuiltinESMExports();
`;

test('start: the address printed answers, on a machine that knows no name', async () => {
  const preload = `--import=data:text/javascript,${encodeURIComponent(nameless)}`;
  const serve = `import(${JSON.stringify(script)}).then(({ serve }) => serve(['--port', '0']))`;
  const child = spawn(process.execPath, ['-e', serve], {
    env: { ...process.env, NODE_OPTIONS: preload },
  });
  const closed = once(child, 'close');
  try {
    let printed = '';
    const addressed = new Promise<string>((resolve, reject) => {
      const read = (text: string) => {
        printed = stripVTControlCharacters(printed + text);
        const [address] = /http:\/\/\S+\/(?=\s)/.exec(printed) ?? [];
        if (address !== undefined) resolve(address);
      };
      child.stdout.setEncoding('utf8').on('data', read);
      child.stderr.setEncoding('utf8').on('data', read);
      child.on('close', () => {
        reject(new Error(`it ended: ${printed}`));
      });
    });
    const response = await fetch(await addressed);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<he-page');
  } finally {
    child.kill();
    await closed;
  }
});
