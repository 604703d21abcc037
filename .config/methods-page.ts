// web/methods.html is written with formulas in TeX and papers by their keys. What follows from that is
// put in here: MathML, links, the table of contents and the references.
import temml from 'temml';
import type { Plugin } from 'vite';
import { citationForm, linkOf, references, whereOf } from '../wasm/references.js';

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const unescape = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

function mathml(source: string, displayMode: boolean): string {
  const macros = { '\\eps': '\\varepsilon' };
  const options = { displayMode, macros, throwOnError: true };
  // The page's policy refuses styles; they only move what is not used here.
  return temml.renderToString(unescape(source), options).replaceAll(/ style="[^"]*"/g, '');
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
    const { address, name } = linkOf(reference);
    const { authors, title } = reference;
    const end = /[?!]$/.test(title) ? '' : '.';
    return `<dt id="${key}">${key}</dt>
      <dd>${escape(authors)}. <cite>${escape(title)}</cite>${end} ${escape(whereOf(reference))}. <a href="${address}" rel="noreferrer">${name}</a></dd>`;
  });
  return `<dl class="references">${items.join('\n')}</dl>`;
}

/** The page as it is served. */
export function typeset(html: string): string {
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
