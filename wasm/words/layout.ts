/** How texts are laid out in lines and columns. */

/** Columns of a terminal. */
export const terminal = 80;

/** Text in lines, all but the first indented by `indent`; `first` columns of the first are taken. */
export function inLines(text: string, indent: number, first = indent, most = terminal): string {
  let column = first;
  let line = '';
  for (const word of text.split(/ +/)) {
    const fits = column + 1 + word.length <= most;
    if (line === '') line = word;
    else line += fits ? ` ${word}` : `\n${' '.repeat(indent)}${word}`;
    column = (line === word ? first : fits ? column + 1 : indent) + word.length;
  }
  return line;
}

/** Rows of cells, each column as wide as its widest cell. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const columnCount = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columnCount }, (_, i) =>
    Math.max(...rows.map((row) => row[i]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
