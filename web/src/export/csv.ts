/** Rows as RFC 4180 text, led by comment lines that say what they are. */
export function csv(
  comments: readonly string[],
  header: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const cell = (value: string | number | null) => {
    const text = value === null ? '' : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [
    ...comments.map((comment) => `# ${comment.replaceAll('\n', ' ')}`),
    header.join(','),
    ...rows.map((row) => row.map(cell).join(',')),
  ];
  return `${lines.join('\n')}\n`;
}
