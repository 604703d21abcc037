// What the builds of the page have in common: policies, what goes into the head, one file of everything.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Visitor } from 'vite';
import type { HtmlTagDescriptor, Plugin, Rollup } from 'vite';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** `light-dark()` stays as it is: an element follows the page around it. */
export const cssTarget = ['chrome123', 'firefox120', 'safari17.5'];

/** Of the picture that a shared link shows, in pixels. */
export const previewSize = { width: 1200, height: 630 };

/** Where the page will be served, for the few things that need a whole address; ends in a slash. */
const site = process.env.HONEST_EPSILON_SITE?.replace(/\/*$/, '/');

const always = ["default-src 'none'", "base-uri 'none'", "form-action 'none'"];

/** `'wasm-unsafe-eval'` lets WebAssembly compile; no script, style or request from anywhere else. */
export const policy = [
  ...always,
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
].join('; ');

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Of a file that holds all it needs: its own script and style by their hashes, no request at all. */
const closedPolicy = (scripts: readonly string[], styles: readonly string[]) =>
  [
    ...always,
    `script-src ${[...scripts.map(hashOf), "'wasm-unsafe-eval'"].join(' ')}`,
    ...(styles.length > 0 ? [`style-src ${styles.map(hashOf).join(' ')}`] : []),
    'font-src data:',
    'img-src data: blob:',
    'worker-src blob:',
  ].join('; ');

const policyTag = (content: string): HtmlTagDescriptor => ({
  tag: 'meta',
  attrs: { 'http-equiv': 'Content-Security-Policy', content },
  injectTo: 'head-prepend',
});

/** Only in the build: the development server injects inline scripts and styles. */
export function contentSecurityPolicy(): Plugin {
  return {
    name: 'content-security-policy',
    apply: 'build',
    transformIndexHtml: () => [policyTag(policy)],
  };
}

/** Icons, the manifest, and how a link to the page looks where it is shared. */
export function siteHead(): Plugin {
  const link = (attrs: Record<string, string>) => ({
    tag: 'link',
    attrs,
    injectTo: 'head' as const,
  });
  const about = (property: string, content: string) => ({
    tag: 'meta',
    attrs: { property: `og:${property}`, content },
    injectTo: 'head' as const,
  });
  return {
    name: 'site-head',
    apply: 'build',
    transformIndexHtml: (html, { path }) => {
      const address = site && site + path.slice(1).replace(/^index\.html$/, '');
      const [, title = ''] = /<title>([^<]*)<\/title>/.exec(html) ?? [];
      const [, text = ''] = /name="description"\s+content="([^"]*)"/.exec(html) ?? [];
      return [
        link({ rel: 'apple-touch-icon', href: './apple-touch-icon.png' }),
        link({ rel: 'manifest', href: './manifest.webmanifest' }),
        about('type', 'website'),
        about('title', title),
        about('description', text),
        // Whoever shows a shared link reads no relative addresses.
        ...(address && site
          ? [
              about('image', `${site}preview.png`),
              about('image:width', String(previewSize.width)),
              about('image:height', String(previewSize.height)),
              about('image:alt', 'Intervals of epsilon for five ways to draw batches, to scale'),
              { tag: 'meta', attrs: { name: 'twitter:card', content: 'summary_large_image' } },
              about('url', address),
              link({ rel: 'canonical', href: address }),
            ]
          : []),
      ];
    },
  };
}

const lostStyle = `:root{color-scheme:light dark;background:light-dark(#fdfcf9,#14161a);color:light-dark(#1c1b19,#e8e6e1);font:1.15rem/1.6 ui-serif,Charter,Georgia,serif}
body{max-width:38rem;margin:15vh auto;padding:0 1.5rem}a{color:inherit}`;

/** The page of a wrong address. It may be shown at any depth, so it holds all it needs. */
export function notFoundPage(): Plugin {
  const home = site ? `<p><a href="${site}">Honest Epsilon</a> is one page.</p>` : '';
  const lost = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${closedPolicy([], [lostStyle])}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>Page not found · Honest Epsilon</title>
    <style>${lostStyle}</style>
  </head>
  <body>
    <main>
      <h1>Page not found</h1>
      <p>There is no page at this address.</p>
      ${home}
    </main>
  </body>
</html>
`;
  return {
    name: 'not-found-page',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: '404.html', source: lost });
    },
  };
}

/** The licences of what is inside: the engine's, and each npm package's that left something there. */
export function noticesOf(files: readonly string[]): string {
  const names = files.flatMap(
    (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll('\\', '/'))?.[1] ?? [],
  );
  const texts = [...new Set(names)].sort().map((name) => {
    const folder = `${root}node_modules/${name}`;
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence to give on`);
    return `${name}\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`;
  });
  return [readFileSync(`${root}wasm/NOTICE.txt`, 'utf8'), ...texts].join(`\n${'-'.repeat(80)}\n\n`);
}

type Bundle = Record<
  string,
  | { type: 'chunk'; moduleIds: readonly string[] }
  | { type: 'asset'; originalFileNames: readonly string[] }
>;

const sourcesOf = (bundle: Bundle) =>
  Object.values(bundle).flatMap((file) =>
    file.type === 'chunk' ? file.moduleIds : file.originalFileNames,
  );

/** NOTICE.txt beside what was built. */
export function notices(): Plugin {
  return {
    name: 'notices',
    apply: 'build',
    generateBundle(_, bundle) {
      const source = noticesOf(sourcesOf(bundle));
      this.emitFile({ type: 'asset', fileName: 'NOTICE.txt', source });
    },
  };
}

/** `engine.wasm?packed`: the file, gzipped, in base64. */
export function packedWasm(): Plugin {
  return {
    name: 'packed-wasm',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('.wasm?packed')) return null;
      const packed = gzipSync(readFileSync(id.replace(/\?packed$/, '')), { level: 9 });
      return `export default ${JSON.stringify(packed.toString('base64'))};`;
    },
  };
}

/** Templates without the indentation of their source: a browser shows one space for any number. */
export function flushTemplates(): Plugin {
  return {
    name: 'flush-templates',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (!id.startsWith(`${root}web/src/`) || !id.endsWith('.ts')) return null;
      const texts: { start: number; end: number }[] = [];
      new Visitor({
        TaggedTemplateExpression({ tag, quasi }) {
          if (tag.type === 'Identifier' && /^(html|svg)$/.test(tag.name))
            texts.push(...quasi.quasis);
        },
      }).visit(this.parse(code));
      let [flush, from] = ['', 0];
      for (const { start, end } of texts.sort((a, b) => a.start - b.start)) {
        flush += code.slice(from, start) + code.slice(start, end).replaceAll(/\n +/g, '\n');
        from = end;
      }
      return { code: flush + code.slice(from), map: null };
    },
  };
}

const iconAddress = () =>
  `data:image/svg+xml;base64,${readFileSync(`${root}web/public/icon.svg`).toString('base64')}`;

interface Parts {
  script: string;
  style: string;
  page: string;
}

/** The script, the style and the page of a bundle that has nothing else. */
function partsOf(bundle: Rollup.OutputBundle): Parts {
  const scripts: string[] = [];
  const styles: string[] = [];
  let page = '';
  for (const [name, file] of Object.entries(bundle)) {
    if (file.type === 'chunk') {
      // Only in strings; there it would end the element, or hide its end.
      scripts.push(file.code.replace(/<(\/script|!--)/gi, String.raw`\x3C$1`));
    } else if (name.endsWith('.css')) styles.push(String(file.source));
    else if (name.endsWith('.html')) page = String(file.source);
    else throw new Error(`${name} would have to be a file of its own`);
  }
  const [script] = scripts;
  if (script === undefined || scripts.length > 1 || page === '') {
    throw new Error(
      `one page and one script were to become one file; got ${String(scripts.length)} scripts`,
    );
  }
  return { script, style: styles.join(''), page };
}

/** The page with all it needs in it, and `notice` as a comment at its end. */
function joined({ script, style, page }: Parts, notice: string): string {
  // What the file says of a run is linked to the page that is published.
  const canonical = site ? [`<link rel="canonical" href="${site}" />`] : [];
  const head = [
    ...canonical,
    `<style>${style}</style>`,
    `<script type="module">${script}</script>`,
  ].join('\n    ');
  const policed = `<head>\n    <meta http-equiv="Content-Security-Policy" content="${closedPolicy([script], [style])}" />`;
  return page
    .replace(/\s*<script type="module"[^>]*><\/script>/, '')
    .replaceAll(/\s*<link rel="stylesheet"[^>]*>/g, '')
    .replace('href="./icon.svg"', () => `href="${iconAddress()}"`)
    .replace('<head>', () => policed)
    .replace('</body>', () => `  <!--\n${notice.replaceAll('--', '- ')}\n-->\n  </body>`)
    .replace('</head>', () => `  ${head}\n  </head>`);
}

/** Puts the bundle's script and style into its one HTML file, and nothing beside it. */
export function singleFile(fileName: string): Plugin {
  // What a style sheet has taken in is in no list of the bundle.
  const inlined: string[] = [];
  return {
    name: 'single-file',
    enforce: 'post',
    transform: {
      order: 'pre',
      handler(code, id) {
        if (!id.endsWith('.css')) return;
        for (const [name] of code.matchAll(/@fontsource[\w-]*\/[\w-]+/g)) {
          inlined.push(`node_modules/${name}/`);
        }
      },
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const notice = noticesOf([...sourcesOf(bundle), ...inlined]);
        const source = joined(partsOf(bundle), notice);
        for (const name of Object.keys(bundle)) Reflect.deleteProperty(bundle, name);
        this.emitFile({ type: 'asset', fileName, source });
      },
    },
  };
}
