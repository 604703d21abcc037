/** Text may name a paper by its key in brackets: [HP24], or [HP24, Thm 4.1]. */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'list'; items: readonly string[] }
  | { kind: 'rows'; rows: readonly (readonly [string, string])[] }
  | { kind: 'table'; head: readonly string[]; body: readonly (readonly string[])[] }
  | { kind: 'code'; language: 'json' | 'python' | 'sh'; title: string; code: string };

export const sentence = (words: string): Block => ({ kind: 'text', text: words });
export const list = (items: readonly string[]): Block => ({ kind: 'list', items });
/** Names and what each is; a list is a row for each of its words, and what is not there is none. */
export const rows = (
  pairs: Readonly<Record<string, string | readonly string[] | false | undefined>>,
): Block => ({
  kind: 'rows',
  rows: Object.entries(pairs).flatMap(([name, words]) =>
    (words ? [words].flat() : []).map((word) => [name, word] as const),
  ),
});

export interface Section {
  /** Its letter in the list of what a disclosure says. */
  letter: string;
  title: string;
  blocks: readonly Block[];
}
