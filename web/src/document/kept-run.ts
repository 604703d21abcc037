const key = 'run';

/** Keeps the calculator's address for the way back from the documents, in this tab alone. */
export function keepRun(hash: string): void {
  try {
    sessionStorage.setItem(key, hash);
  } catch {
    // Without storage the way back leads to the first screen.
  }
}

export function keptRun(): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}
