import { html } from 'lit';
import { methods } from '../../../wasm/generated/schema.js';
import type { Answer } from '../../../wasm/generated/schema.js';

/** The page that explains the methods; nothing lies beside the single file. */
export const methodsPage = import.meta.env.MODE === 'standalone' ? undefined : './methods.html';

/** A method's name, leading to what explains it. */
export function explained(
  { method, methodCode }: Pick<Answer, 'method' | 'methodCode'>,
  page: string | undefined,
) {
  const anchor = methods.find(({ code }) => code === methodCode)?.anchor;
  if (page === undefined || anchor === undefined) return method;
  return html`<a href=${`${page}#${anchor}`}>${method}</a>`;
}
