/** Text may name a paper by its key in brackets: [HP24], or [HP24, Thm 4.1]. */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'list'; items: readonly string[] }
  | { kind: 'rows'; rows: readonly (readonly [string, string])[] }
  | { kind: 'table'; head: readonly string[]; body: readonly (readonly string[])[] }
  | { kind: 'code'; language: 'json' | 'python' | 'sh'; title: string; code: string };

export const sentence = (words: string): Block => ({ kind: 'text', text: words });
export const list = (items: readonly string[]): Block => ({ kind: 'list', items });
export const rows = (pairs: readonly (readonly [string, string])[]): Block => ({
  kind: 'rows',
  rows: pairs,
});

export interface Section {
  /** Its letter in the list of what a disclosure says. */
  letter: string;
  title: string;
  blocks: readonly Block[];
}
