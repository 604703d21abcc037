import { expect, test } from 'vitest';
import { CrossHair } from '../../web/src/components/curve/cross-hair.js';

test('cross-hair: it stays on its axis, and leaves it for the run’s own point on another', () => {
  const host = { addController: () => undefined, removeController: () => undefined };
  const update = { requestUpdate: () => undefined, updateComplete: Promise.resolve(true) };
  const plot: { cross?: number | undefined } = { cross: undefined };
  const cross = new CrossHair(Object.assign(plot, host, update));
  const run = { phases: [] };
  cross.follow(run, 'epsilon');
  plot.cross = 4;
  cross.follow(run, 'epsilon');
  expect(plot.cross).toBe(4);
  cross.follow(run, 'epochs');
  expect(plot.cross).toBeUndefined();
});
