/** Copies text to the clipboard; returns whether the browser allowed it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A button's text where the browser refused. */
export const copyRefused = 'The browser forbids copying';
