/**
 * The names of structured bindings in messages of C++ tests, with their lines: doctest makes lambdas
 * of messages, and clang keeps such names from lambdas. The text is as clang-format leaves it.
 */
export function boundInMessages(text: string): string[] {
  const lines = text.split('\n');
  const depth = (line: string) => line.search(/\S/);
  return lines.flatMap((line, at) => {
    const names = /\bauto&{0,2} \[([^\]]+)\]/.exec(line)?.[1]?.split(/,\s*/) ?? [];
    if (names.length === 0) return [];
    const looped = /^\s*(for|if) \(/.test(line);
    const inside = (other: string) =>
      depth(other) < 0 || depth(other) > depth(line) || (!looped && depth(other) === depth(line));
    const end = lines.findIndex((other, i) => i > at && !inside(other) && !/^\s*[{(]/.test(other));
    const scope = lines.slice(at + 1, end < 0 ? undefined : end);
    return scope.flatMap((first, i) => {
      if (!/^\s*(INFO|CAPTURE|(CHECK|REQUIRE)_MESSAGE)\(/.test(first)) return [];
      const rest = scope.slice(i).join('\n');
      const said = rest.slice(0, rest.indexOf(';')).replaceAll(/"[^"]*"/g, '');
      const used = names.filter((name) => new RegExp(`(?<![\\w.>])${name}\\b`).test(said));
      return used.map((name) => `${at + i + 2}: ${name}`);
    });
  });
}
