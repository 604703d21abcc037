// web/methods.html is written with formulas in TeX and papers by their keys. What follows from that is
// put in here: MathML, links, the table of contents and the references.
import { readFileSync } from 'node:fs';
import temml from 'temml';
import type { Plugin } from 'vite';
import { citationForm, linkOf, references, whereOf } from '../wasm/words/references.js';
import { clonesFigure } from '../web/src/charts/clones-figure.js';
import { plainly } from '../web/src/words/plainly.js';
import { root } from './page-plugins.js';

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const unescape = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/**
 * Roots as a radical sign before what it is of, in brackets where that is more than one letter. Browsers
 * draw the radical of `msqrt` with the glyph of a font for formulas; where a system has none they leave
 * it out without a sign, and the square root of k reads k.
 */
export function withRadicalSigns(mathml: string): string {
  const plain = mathml.replaceAll(/<msqrt>((?:(?!<msqrt>).)*?)<\/msqrt>/gs, (_, of: string) => {
    const single = /^<(mi|mn)[^>]*>[^<]*<\/\1>$/.test(of);
    const argument = single
      ? of
      : `<mo stretchy="false" form="prefix">(</mo>${of}<mo stretchy="false" form="postfix">)</mo>`;
    return `<mrow><mo class="radical" form="prefix" stretchy="false" lspace="0" rspace="0">√</mo>${argument}</mrow>`;
  });
  if (plain.includes('<mroot')) throw new Error('write a root other than a square one as a power');
  return plain === mathml ? plain : withRadicalSigns(plain);
}

function mathml(source: string, displayMode: boolean): string {
  const macros = { '\\eps': '\\varepsilon' };
  const options = { displayMode, macros, throwOnError: true };
  // The page's policy refuses styles; they only move what is not used here.
  const formula = temml.renderToString(unescape(source), options);
  const plain = withRadicalSigns(formula.replaceAll(/ style="[^"]*"/g, ''));
  // A long one scrolls sideways on a phone, by the keyboard too.
  return displayMode ? plain.replace('<math ', '<math tabindex="0" ') : plain;
}

/** `\(…\)` within a line, `\[…\]` on a line of its own. */
function withFormulas(html: string): string {
  return html
    .replaceAll(/\\\[([\s\S]+?)\\\]/g, (_, source: string) => mathml(source, true))
    .replaceAll(/\\\(([\s\S]+?)\\\)([^\s<]*)/g, (_, source: string, tail: string) => {
      const formula = mathml(source, false);
      // What follows at once, such as a comma, does not go to the next line alone.
      return tail === '' ? formula : `<span class="whole">${formula}${tail}</span>`;
    });
}

/** [HP24], [HP24, Thm 4.1] lead to the list of references. */
function withCitations(html: string): string {
  return html.replaceAll(citationForm, (_, key: string, place: string | undefined) => {
    if (!references[key]) throw new Error(`methods.html cites ${key}, which is in no list`);
    return `<a class="cite" href="#${key}">[${key}${place === undefined ? '' : `, ${place}`}]</a>`;
  });
}

/** Headings of the second level, each with those of the third below it. */
function contentsOf(html: string): string {
  const link = (id = '', title = '') => `<a href="#${id}">${title}</a>`;
  const heading = (level: string) => new RegExp(`<${level} id="([^"]+)">([^<]+)</${level}>`);
  const chapters = html.split(/(?=<h2 id=)/).flatMap((part) => {
    const [, id, title] = heading('h2').exec(part) ?? [];
    if (!part.startsWith('<h2') || id === 'contents-title') return [];
    const sections = [...part.matchAll(new RegExp(heading('h3'), 'g'))].map(
      ([, own, name]) => `<li>${link(own, name)}</li>`,
    );
    const below = sections.length > 0 ? `<ol>${sections.join('')}</ol>` : '';
    return [`<li>${link(id, title)}${below}</li>`];
  });
  return `<ol>${chapters.join('\n')}</ol>`;
}

/** Every paper that an answer may cite. */
function bibliography(): string {
  const items = Object.entries(references).map(([key, reference]) => {
    const { address = '', name } = linkOf(reference, '');
    const { authors, title } = reference;
    const end = /[?!]$/.test(title) ? '' : '.';
    return `<dt id="${key}">${key}</dt>
      <dd>${escape(authors)}. <cite>${escape(title)}</cite>${end} ${escape(whereOf(reference))}. <a href="${address}" rel="noreferrer">${name}</a></dd>`;
  });
  return `<dl class="references">${items.join('\n')}</dl>`;
}

/** The plain words before the formulas. */
const plainLayer = () =>
  plainly
    .map(({ id, title, paragraphs }) =>
      [
        `<h3 id="${id}">${escape(title)}</h3>`,
        ...paragraphs.map((text) => `<p>${escape(text)}</p>`),
      ].join('\n'),
    )
    .join('\n');

/** The page as it is served. */
export function typeset(source: string): string {
  const html = source
    .replace('<!-- plainly -->', plainLayer)
    .replace('<!-- clones figure -->', clonesFigure);
  return withCitations(withFormulas(html))
    .replace('<!-- contents -->', () => contentsOf(html))
    .replace('<!-- references -->', bibliography);
}

export function methodsPage(): Plugin {
  return {
    name: 'methods-page',
    transformIndexHtml: {
      order: 'pre',
      handler: (html, { path }) => (path === '/methods.html' ? typeset(html) : html),
    },
  };
}

/** What the body of the methods page holds, for the document that has the page in it, too. */
function methodsWithin(): string {
  const html = typeset(readFileSync(`${root}web/methods.html`, 'utf8'));
  const [, body = ''] = /<body[^>]*>(.*)<\/body>/s.exec(html) ?? [];
  const whole = body.replaceAll(/href="\.\/([^"#]*)/g, (_, file: string) => {
    if (file === '') return 'href="';
    const bytes = readFileSync(`${root}web/public/${file}`);
    return `href="data:application/octet-stream;base64,${bytes.toString('base64')}`;
  });
  return `<div id="methods" class="methods" hidden>${whole}</div>`;
}

/** The single file has the methods below the page; `web/src/single/methods.ts` shows one or the other. */
export function methodsInside(): Plugin {
  return {
    name: 'methods-inside',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => ({
        html: html
          .replace('href="./methods.html"', 'href="#methods"')
          .replace('</body>', () => `${methodsWithin()}</body>`),
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
