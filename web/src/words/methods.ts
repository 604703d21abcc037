import { html } from 'lit';
import { methods, type Answer } from '../../../wasm/generated/schema.js';

const inside = import.meta.env.MODE === 'standalone';

/** What an anchor of the methods is appended to; the single file has them in its own document. */
export const methodsPage = inside ? '' : './methods.html';

export const methodsStart = inside ? '#methods' : methodsPage;

const documents = {
  methods: 'In plain words',
  samplers: 'Samplers',
  proofs: 'Proofs of our own',
  numerics: 'Numerics and references',
  command: 'The command',
  'monte-carlo': 'Monte Carlo',
  package: 'The package',
  embedding: 'Embedding and publishing',
};

/** Links to all documents, by their titles. */
export const guides = () =>
  html`<nav class="soft small" aria-label="Documents">
    ${Object.entries(documents).map(
      ([name, title], at) =>
        html`${at === 0 ? '' : ' · '}<a href=${inside ? `#${name}.html` : `./${name}.html`}
            >${title}</a
          >`,
    )}
  </nav>`;

export function explained({ method }: Pick<Answer, 'method'>, page: string | undefined) {
  const anchor = methods.find(({ sentence }) => sentence === method)?.anchor;
  if (page === undefined || anchor === undefined) return method;
  return html`<a href=${`${page}#${anchor}`}>${method}</a>`;
}
