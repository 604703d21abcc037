import { describe, expect, test } from 'vitest';
import type { Engine } from '../../wasm/client.js';
import { QueryError } from '../../wasm/errors.js';
import { exhibitList, readTask, runReproduce } from '../../wasm/command/reproduce.js';
import { version } from '../../wasm/generated/schema.js';
import { createEngine } from '../../wasm/node.js';
import { exhibits } from '../../wasm/papers/index.js';
import { isRecord } from '../../wasm/protocol.js';

function refusal(...words: string[]): { code: string; message: string } {
  try {
    readTask(words);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error('not refused');
}

async function printed(...words: string[]): Promise<{ out: string; asOnRecord: boolean }> {
  const engine: Engine = await createEngine({ workers: 1 });
  try {
    let out = '';
    const write = (text: string) => {
      out += text;
      return Promise.resolve();
    };
    const asOnRecord = await runReproduce(engine, readTask(words), write);
    return { out, asOnRecord };
  } finally {
    engine.close();
  }
}

describe('reproduce', () => {
  test('lists every figure and table', () => {
    const list = exhibitList();
    for (const { id, name } of exhibits) {
      expect(list).toMatch(new RegExp(`^  ${id} +${name}: `, 'm'));
    }
  });

  test('a name that is not there is answered with the nearest', () => {
    expect(refusal('hp-fig44')).toMatchObject({ code: 'unknown-exhibit' });
    expect(refusal('hp-fig44').message).toContain('did you mean hp-fig4?');
    expect(refusal('AP-Table1').message).toContain('did you mean ap-table1?');
    expect(refusal('nothing-like-it').message).toContain('lists them');
  });

  test('flags that it does not know, or that lack a value, are refused', () => {
    expect(refusal('--chek').message).toContain('did you mean --check?');
    expect(refusal('hp-fig1', 'hp-fig2')).toMatchObject({ code: 'unexpected-word' });
    expect(refusal('hp-fig1', '--points')).toMatchObject({ code: 'missing-value' });
    expect(refusal('hp-fig1', '--points', '-3').message).toContain('from 0 to 1000; got -3');
    expect(refusal('hp-fig1', '--points=1.5')).toMatchObject({ code: 'out-of-domain' });
  });

  test('text has every number stated, with verdict and reason', async () => {
    const { out, asOnRecord } = await printed('ap-table1', '--check');
    expect(asOnRecord).toBe(true);
    expect(out).toMatch(/agrees +ε, without replacement, δ = 10⁻⁵ +paper ≤ 12\.98 +here \[12\.97/);
    expect(out).toMatch(
      /paper is looser \(still valid\) +ε, Poisson, δ = 10⁻⁵ +paper ≤ 0\.80 +here \[0\.782/,
    );
    expect(out).toContain('rounds losses up to a grid');
    expect(out).toMatch(/agrees: 3; paper is looser \(still valid\): 6; all as on record\n$/);
    for (const line of out.split('\n')) expect(line.length).toBeLessThan(140);
  });

  test('--json has points with all digits, and what was asked', async () => {
    const { out } = await printed('ap-fig3', '--json', '--points', '3');
    const value: unknown = JSON.parse(out);
    if (!isRecord(value) || !Array.isArray(value.panels)) throw new Error('no panels');
    expect(value).toMatchObject({ version, id: 'ap-fig3', paper: 'AP24' });
    expect(value.panels).toMatchObject([
      {
        x: 'ε',
        lines: [
          { label: '(P×P, Q×Q)', points: [{ x: 0 }, { x: 0.65 }, { x: 1.3 }] },
          { label: '(Q×Q, P×P)' },
          { label: '(P×Q, Q×P)' },
          { label: 'every pair' },
        ],
      },
    ]);
  });

  test('--csv has a row for each point and each stated number', async () => {
    const { out } = await printed('ap-fig1', '--csv', '--points', '2');
    const [made, ...rows] = out.trimEnd().split('\n');
    expect(made).toBe(`# ap-fig1, honest-epsilon ${version}`);
    expect(rows[0]).toBe('exhibit,part,line,x,lower,upper,kind,relation,printed,verdict');
    expect(rows.filter((row) => row.startsWith('ap-fig1,stated,'))).toHaveLength(6);
    expect(rows.filter((row) => row.includes(',remove,'))).toHaveLength(6);
    const columns = rows.map((row) => row.replace(/"[^"]*"/g, '').split(',').length);
    expect(new Set(columns)).toEqual(new Set([10]));
  });
});
