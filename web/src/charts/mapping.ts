interface Mapping {
  at(value: number): number;
  invert(place: number): number;
}

type Span = readonly [number, number];

export function linear([from, to]: Span, [start, end]: Span): Mapping {
  // A span without extent lies in the middle.
  const share = (part: number, whole: number) => (whole === 0 ? 0.5 : part / whole);
  return {
    at: (value) => start + (end - start) * share(value - from, to - from),
    invert: (place) => from + (to - from) * share(place - start, end - start),
  };
}

export function logarithmic([from, to]: Span, places: Span): Mapping {
  const inner = linear([Math.log(from), Math.log(to)], places);
  return {
    at: (value) => inner.at(Math.log(value)),
    invert: (place) => Math.exp(inner.invert(place)),
  };
}

/** 1, 2 or 5 times a power of ten, so that a span holds about `count` of them. */
function stepOf(span: number, count: number): { factor: number; power: number } {
  const rough = span / count;
  const power = Math.floor(Math.log10(rough));
  const factor = rough / 10 ** power;
  const [first] = (
    [
      [7.07, 10],
      [3.16, 5],
      [1.41, 2],
    ] as const
  ).filter(([least]) => factor >= least);
  return { factor: first?.[1] ?? 1, power };
}

/** Round numbers from the first to the last of an axis. */
export function roundNumbers([from, to]: Span, count: number): number[] {
  if (!(to > from)) return [from];
  const { factor, power } = stepOf(to - from, count);
  // A decimal literal, so that a third step is 0.3 and no sum of tenths.
  const value = (index: number) => Number(`${index * factor}e${power}`);
  const step = value(1);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => value(first + index));
}

/** The round number, at or above `most`, on which an axis from 0 ends. */
export function roundEnd(most: number, count: number): number {
  let end = most;
  // A longer axis may take longer steps. Most settle after two rounds; a few alternate.
  for (let round = 0; round < 10; ++round) {
    const { factor, power } = stepOf(end, count);
    const index = Math.ceil(most / Number(`${factor}e${power}`) - 1e-9);
    const next = Number(`${index * factor}e${power}`);
    if (next === end) break;
    end = next;
  }
  return end;
}

/** How many ticks an axis of so many pixels has, at most: four to six, as they fit. */
export const tickRoom = (span: number, apart: number): number =>
  Math.min(6, Math.max(4, Math.floor(Math.abs(span) / apart)));
