/** The message that makes a waiting version take over. */
export const takeOver = 'take-over';
