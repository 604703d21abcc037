/**
 * How the command is run. Its name is on no registry, where anybody could take it, so that a reader is
 * told the path of a clone, which nobody else can stand behind.
 */
export const commandPath = 'node path/to/honest-epsilon/dist/node/honest-epsilon.js';

/** What the reader needs first. */
export const commandNeeds = 'Replace path/to/honest-epsilon with your own built clone.';
