/** Nobody reads more, and a link can have a hundred thousand. */
const mostNotes = 20;

/** The first notes, and how many others there are. */
export const firstNotes = (notes: readonly string[]): readonly string[] =>
  notes.length <= mostNotes
    ? notes
    : [...notes.slice(0, mostNotes), `and ${(notes.length - mostNotes).toLocaleString('en')} more`];
