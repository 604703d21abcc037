/** The entries that there are: in lists some of whose entries depend on something. */
export const present = <Entry>(...entries: readonly (Entry | false | undefined)[]): Entry[] =>
  entries.filter((entry) => entry !== undefined && entry !== false) as Entry[];
