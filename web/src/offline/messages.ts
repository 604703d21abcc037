/** What the page says to a version that waits: the reader wants it now. */
export const takeOver = 'take-over';
