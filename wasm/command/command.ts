export interface Command {
  /** One line. */
  summary: string;
  example: string;
  help: () => string | Promise<string>;
  /** Prints the answer to the words after the command. */
  run: (words: readonly string[]) => Promise<void>;
}
