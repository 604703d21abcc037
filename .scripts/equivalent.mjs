// Systematic faults that no test needs to catch, by file and, where not the whole of a file is meant,
// by the fault and its line.

/** @type {{file: RegExp, text?: RegExp, why: string}[]} */
export const equivalent = [];
