/** Reads JSON that people write, with errors in our words. */

/** Where text stops being JSON, as an editor counts; '' where the platform does not say. */
function placeIn(text: string, message: string): string {
  const at = /\bposition (\d+)/.exec(message)?.[1];
  const ended = message.startsWith('Unexpected end');
  if (at === undefined && !ended) return '';
  const before = text.slice(0, ended ? text.length : Number(at)).split('\n');
  if (ended || Number(at) >= text.trimEnd().length) return 'it ends too early';
  const column = `column ${String((before.at(-1) ?? '').length + 1)}`;
  return before.length === 1
    ? `it is wrong at ${column}`
    : `it is wrong at line ${before.length}, ${column}`;
}

/** The value, or in words what keeps the text from being JSON. */
export function readJson(text: string): { value: unknown } | { wrong: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const place = placeIn(text, error instanceof Error ? error.message : '');
    return { wrong: place === '' ? 'it cannot be read as JSON' : place };
  }
}
