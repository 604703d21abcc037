import { expect, test } from 'vitest';
import { exhibits } from '../../wasm/papers/index.js';
import { initialisationQueryFields, shuffleModelQueryFields } from '../../wasm/generated/schema.js';
import { panels } from '../../web/src/panels/list.js';
import { kebab } from '../../wasm/words/kebab.js';
import { exploredIn } from '../../web/src/state/opened.js';

const fields = { shuffleModel: shuffleModelQueryFields, initialisation: initialisationQueryFields };

test('opened: every exhibit opens as a run, or in a panel that has its fields', () => {
  for (const { id, scenario, explores } of exhibits) {
    expect([scenario, explores].filter(Boolean), id).toHaveLength(1);
    if (!explores) continue;
    const { panel, texts } = exploredIn(explores);
    expect(panels.map(({ key }) => key)).toContain(panel);
    const known = fields[explores.asks].map(({ name }) => kebab(name));
    for (const key of Object.keys(texts)) expect(known, id).toContain(key);
  }
});

test('opened: numbers are written as a person would type them', () => {
  const query = { localEpsilon: 2, users: 10_000, delta: [1e-6, 0.05], clone: 'stronger' as const };
  expect(exploredIn({ asks: 'shuffleModel', query })).toEqual({
    panel: 'shuffle-model',
    texts: { 'local-epsilon': '2', users: '10000', delta: '1e-6, 0.05', clone: 'stronger' },
  });
});
