/** Hands text to the clipboard; whether the browser let it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** What a button says where it did not. */
export const copyRefused = 'The browser forbids copying';
