// Renders web/docs/*.md, which read well in the repository too, as pages of the site: formulas as MathML,
// papers by their keys, the navigation, and the references.
import { readFileSync } from 'node:fs';
import { Marked } from 'marked';
import temml from 'temml';
import type { Plugin } from 'vite';
import { citationForm, linkOf, references, whereOf } from '../wasm/words/references.js';
import { drawnPicture } from '../web/src/charts/sampler-picture.js';
import { root } from './page-plugins.js';

/** The pages in the order of the navigation: `methods` is web/docs/methods.md, served as methods.html. */
const groups = {
  Methods: ['methods', 'samplers', 'proofs', 'numerics'],
  Guides: ['command', 'monte-carlo', 'package', 'embedding'],
} as const;

export type DocumentName = (typeof groups)[keyof typeof groups][number];
export const documentNames: readonly DocumentName[] = [...groups.Methods, ...groups.Guides];

export const sourceOf = (name: DocumentName): string =>
  readFileSync(`${root}web/docs/${name}.md`, 'utf8');

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const plain = (html: string) => html.replaceAll(/<[^>]*>/g, '').trim();

/**
 * Roots as a radical sign before the argument, in brackets if that is more than one letter. Browsers draw
 * the radical of `msqrt` with the glyph of a mathematical font; on a system without one they omit it, and
 * the square root of k reads k.
 */
export function withRadicalSigns(mathml: string): string {
  const signs = mathml.replaceAll(/<msqrt>((?:(?!<msqrt>).)*?)<\/msqrt>/gs, (_, of: string) => {
    const single = /^<(mi|mn)[^>]*>[^<]*<\/\1>$/.test(of);
    const argument = single
      ? of
      : `<mo stretchy="false" form="prefix">(</mo>${of}<mo stretchy="false" form="postfix">)</mo>`;
    return `<mrow><mo class="radical" form="prefix" stretchy="false" lspace="0" rspace="0">√</mo>${argument}</mrow>`;
  });
  if (signs.includes('<mroot')) throw new Error('write a root other than a square one as a power');
  return signs === mathml ? signs : withRadicalSigns(signs);
}

function mathml(source: string, displayMode: boolean): string {
  const formula = temml.renderToString(source, { displayMode, throwOnError: true });
  // The page's policy refuses inline styles; those of temml only move what is not used here.
  const signed = withRadicalSigns(formula.replaceAll(/ style="[^"]*"/g, ''));
  // A long formula scrolls sideways on a phone, by the keyboard too.
  return displayMode ? signed.replace('<math ', '<math tabindex="0" ') : signed;
}

/** GitHub's anchor of a heading. */
const slugOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

const markdown = new Marked({
  extensions: [
    {
      name: 'formulas',
      level: 'block',
      start: (source) => source.indexOf('$$ '),
      tokenizer(source) {
        const [raw] = /^(?:\$\$ [^\n]+ \$\$(?:\n|$))+/.exec(source) ?? [];
        return raw === undefined ? undefined : { type: 'formulas', raw };
      },
      renderer: ({ raw }) =>
        raw
          .trim()
          .split('\n')
          .map((line) => mathml(line.slice(3, -3), true))
          .join('\n'),
    },
    {
      name: 'formula',
      level: 'inline',
      start: (source) => source.indexOf('$'),
      tokenizer(source) {
        // Punctuation right after a formula, such as a comma, never starts the next line.
        const [raw, formula, tail] = /^\$(\S(?:[^$]*\S)?)\$([^\s<[*]*)/.exec(source) ?? [];
        return raw === undefined ? undefined : { type: 'formula', raw, formula, tail };
      },
      renderer: ({ formula, tail }) => {
        const set = mathml(String(formula), false);
        return tail === '' ? set : `<span class="whole">${set}${escape(String(tail))}</span>`;
      },
    },
  ],
  renderer: {
    heading({ tokens, depth, text }) {
      const title = this.parser.parseInline(tokens);
      return depth === 1
        ? `<h1>${title}</h1>\n`
        : `<h${depth} id="${slugOf(text)}">${title}</h${depth}>\n`;
    },
    code({ text }) {
      return `<pre tabindex="0"><code>${escape(text)}</code></pre>\n`;
    },
  },
});

/** A text of the page itself, written in Markdown with TeX: `import notes from './notes.md?html'`. */
export function texts(): Plugin {
  return {
    name: 'texts',
    load(id) {
      if (!id.endsWith('.md?html')) return undefined;
      const source = readFileSync(id.replace('?html', ''), 'utf8');
      return `export default ${JSON.stringify(markdown.parse(source, { async: false }))};`;
    },
  };
}

/** [HP24] and [HP24, Thm 4.1] become links to the references. */
const withCitations = (html: string) =>
  html.replaceAll(citationForm, (_, key: string, place: string | undefined) => {
    if (!references[key]) throw new Error(`web/docs cites ${key}, which is in no list`);
    return `<a class="cite" href="./numerics.html#${key}">[${key}${place === undefined ? '' : `, ${place}`}]</a>`;
  });

/** Every paper that an answer may cite. */
function bibliography(): string {
  const items = Object.entries(references).map(([key, reference]) => {
    const { address = './proofs.html', name } = linkOf(reference, '');
    const { authors, title } = reference;
    const end = /[?!]$/.test(title) ? '' : '.';
    return `<dt id="${key}">${key}</dt>
      <dd>${escape(authors)}. <cite>${escape(title)}</cite>${end} ${escape(whereOf(reference))}. <a href="${address.replace(/^#/, './proofs.html#')}" rel="noreferrer">${name}</a></dd>`;
  });
  return `<dl class="references">${items.join('\n')}</dl>`;
}

/** Each table scrolls by itself, named by the heading above it. */
function withScrollingTables(html: string): string {
  let heading = '';
  return html.replaceAll(/<h[23] id="([^"]+)"|<table>|<\/table>/g, (found, id?: string) => {
    if (id !== undefined) heading = id;
    if (found === '<table>')
      return `<div class="scroll" role="region" aria-labelledby="${heading}" tabindex="0"><table>`;
    return found === '</table>' ? '</table></div>' : found;
  });
}

/** Links between files of the repository as links between pages of the site. */
const withPages = (html: string) =>
  html
    .replaceAll(/href="([\w-]+)\.md(?=[#"])/g, 'href="./$1.html')
    .replaceAll('href="../public/honest_epsilon.py"', 'href="./honest_epsilon.py" download');

export interface Rendered {
  title: string;
  lead: string;
  body: string;
  sections: readonly { level: string; id: string; title: string }[];
}

/** A page's text as HTML. */
export function render(source: string): Rendered {
  const html = markdown.parse(source, { async: false });
  const [whole = '', title = '', lead = ''] = /^<h1>(.*?)<\/h1>\s*<p>(.*?)<\/p>/s.exec(html) ?? [];
  const body = withPages(withCitations(withScrollingTables(html.slice(whole.length))))
    .replaceAll(/<!-- picture ([\w-]+) -->/g, (_, name: string) => drawnPicture(name))
    .replace('<!-- references -->', bibliography);
  const sections = [...body.matchAll(/<h([23]) id="([^"]+)">(.*?)<\/h\1>/g)].map(
    ([, level = '', id = '', name = '']) => ({ level, id, title: name }),
  );
  return { title, lead: withPages(withCitations(lead)), body, sections };
}

/** Pages that were rendered already: the navigation of each one asks for the titles of all. */
const kept = new Map<DocumentName, Rendered>();

function rendered(name: DocumentName): Rendered {
  const page = kept.get(name) ?? render(sourceOf(name));
  kept.set(name, page);
  return page;
}

/** Every page, and the sections of the one that is open. */
function navigation(open: DocumentName): string {
  const sectionsOf = (name: DocumentName) => {
    const [, ...parts] = rendered(name)
      .sections.map(({ level, id, title }) => ({ level, link: `<a href="#${id}">${title}</a>` }))
      .reduce<string[]>(
        (items, { level, link }) => {
          if (level === '2') return [...items, `<li>${link}</li>`];
          const last = items.pop() ?? '';
          const within = last.includes('<ol>')
            ? last.replace(/<\/ol><\/li>$/, `<li>${link}</li></ol></li>`)
            : last.replace(/<\/li>$/, `<ol><li>${link}</li></ol></li>`);
          return [...items, within];
        },
        [''],
      );
    return `<ol>${parts.join('\n')}</ol>`;
  };
  const item = (name: DocumentName) =>
    name === open
      ? `<li><a href="./${name}.html" aria-current="page">${rendered(name).title}</a>${sectionsOf(name)}</li>`
      : `<li><a href="./${name}.html">${rendered(name).title}</a></li>`;
  return Object.entries(groups)
    .map(([title, names]) => `<p>${title}</p>\n<ol>${names.map(item).join('\n')}</ol>`)
    .join('\n');
}

/** What the body of a page holds. */
function contentOf(name: DocumentName): string {
  const { title, lead, body } = rendered(name);
  return `<header>
      <p class="home"><a href="./">Honest Epsilon</a></p>
      <h1>${title}</h1>
      <p class="lead">${lead}</p>
    </header>
    <nav aria-label="Contents">${navigation(name)}</nav>
    <main>${body}</main>`;
}

/** Which page has an anchor: links to anchors of methods.html, as it was one page, lead on from there. */
export const anchors = (): Record<string, DocumentName> =>
  Object.fromEntries(
    groups.Methods.flatMap((name) =>
      [...rendered(name).body.matchAll(/\bid="([^"]+)"/g)].map(
        ([, id = '']) => [id, name] as const,
      ),
    ),
  );

/** A page as it is served. */
export function documentPage(name: DocumentName): string {
  const { title, lead } = rendered(name);
  const moved =
    name === 'methods'
      ? `<script type="application/json" id="anchors">${JSON.stringify(anchors())}</script>`
      : '';
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${plain(title)} · Honest Epsilon</title>
    <meta name="description" content="${plain(lead)
      .replaceAll(/ \[[^\]]*\]/g, '')
      .replaceAll(/\s+/g, ' ')}" />
    <link rel="icon" href="./icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="./src/styles/document.css" />
    <link rel="stylesheet" href="./src/styles/documents.css" />
    <script type="module" src="./src/document/main.ts"></script>
  </head>
  <body class="document">
    ${contentOf(name)}
    ${moved}
  </body>
</html>
`;
}

const fileOf = (name: DocumentName) => `${root}web/${name}.html`;

/** What Vite builds: files that are not there until `documents` writes them from their Markdown. */
export const documentFiles = documentNames.map(fileOf);

export function documents(): Plugin {
  return {
    name: 'documents',
    enforce: 'pre',
    resolveId: (id) => (documentFiles.includes(id) ? id : null),
    load(id) {
      const name = documentNames.find((one) => fileOf(one) === id);
      return name === undefined ? null : documentPage(name);
    },
  };
}

/** In the single file, page x.html is the part with that id, and `#methods` the first of them. */
function within(name: DocumentName): string {
  const html = contentOf(name)
    .replaceAll(
      /href="\.\/(?:([\w-]+\.html)(#[\w-]+)?)?(?=["#])/g,
      (_, file?: string, anchor?: string) =>
        file === undefined ? 'href="' : `href="${anchor ?? `#${file}`}`,
    )
    .replace('href="./honest_epsilon.py"', () => {
      const bytes = readFileSync(`${root}web/public/honest_epsilon.py`);
      return `href="data:application/octet-stream;base64,${bytes.toString('base64')}"`;
    })
    .replace('<h1>', name === 'methods' ? '<h1 id="methods">' : '<h1>');
  return `<div id="${name}.html" class="document" hidden>${html}</div>`;
}

/** The single file has all pages in it; `web/src/single/documents.ts` shows one of them or the calculator. */
export function documentsInside(): Plugin {
  return {
    name: 'documents-inside',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => ({
        html: html
          .replace('href="./methods.html"', 'href="#methods"')
          .replace('</body>', () => `${documentNames.map(within).join('\n')}</body>`),
        tags: [
          {
            tag: 'link',
            attrs: { rel: 'stylesheet', href: './src/single/single.css' },
            injectTo: 'head',
          },
        ],
      }),
    },
  };
}
