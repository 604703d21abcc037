import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { createEngine } from '../../wasm/node.js';
import { readAddress } from '../../web/src/state/address.js';
import { readScenario } from '../../web/src/state/question.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const command = `${root}${packageJson.bin['honest-epsilon']}`;

/** Runs a program that has the file imported, and reads the JSON that it prints. */
async function python(program: string, env: Record<string, string> = {}): Promise<unknown> {
  const source = `import json, sys\nsys.path.insert(0, ${JSON.stringify(`${root}web/public`)})
sys.dont_write_bytecode = True
import honest_epsilon as he\n${program}`;
  const { PATH = '' } = process.env;
  const options = { env: { PATH, HONEST_EPSILON: command, ...env } };
  const { stdout } = await promisify(execFile)('python3', ['-c', source], options);
  return JSON.parse(stdout);
}

const run = `run = he.phase(sampler="poisson", noise_multiplier=1.1, sampling_probability=0.01, steps=100)`;

describe('the Python file', () => {
  test('is answered as the engine answers, bit for bit', async () => {
    const asked = await python(`${run}\nprint(json.dumps(he.epsilon([run], 1e-5)["epsilon"]))`);
    const phase = { noiseMultiplier: 1.1, samplingProbability: 0.01, steps: 100 };
    const engine = await createEngine({ workers: 0 });
    const query = { delta: 1e-5, phases: [{ sampler: 'poisson' as const, ...phase }] };
    expect(asked).toEqual((await engine.epsilon(query)).epsilon);
    engine.close();
  });

  test('says what the command says of a bad question', async () => {
    const program = `
try: he.epsilon([he.phase(sampler="poisson", noise_multiplier=-1)], 1e-5)
except he.BadQuestion as error: print(json.dumps([error.field, error.code, str(error)]))`;
    const [field, code, text] = (await python(program)) as string[];
    expect([field, code]).toEqual(['noiseMultiplier', 'out-of-domain']);
    expect(text).toContain('got -1');
  });

  test('without the command it names the page, whose form then asks the same', async () => {
    const program = `
run = he.phase(sampler="shuffle", noise_multiplier=0.7, steps_per_epoch=1000, epochs=2)
try: he.epsilon([run], 1e-6)
except he.NotFound as error: print(json.dumps(str(error)))`;
    const env = { HONEST_EPSILON: '/nowhere', HONEST_EPSILON_PAGE: 'https://example.org/' };
    const text = (await python(program, env)) as string;
    const hash = /https:\/\/example\.org\/(#\S+)$/.exec(text)?.[1] ?? '';
    const { state, notes } = readAddress(hash);
    expect(notes).toEqual([]);
    const reading = readScenario(state.scenario);
    expect('query' in reading && reading.query).toMatchObject({
      delta: 1e-6,
      phases: [
        { sampler: 'shuffle', noiseMultiplier: 0.7, steps: 2000, samplingProbability: 1e-3 },
      ],
    });
  });

  test('Opacus takes its accountant, by the name that it is registered with', async () => {
    const program = `
import types
class IAccountant: pass
made = {}
def register_accountant(mechanism, accountant, force=False): made[mechanism] = accountant
accountants = types.ModuleType("opacus.accountants"); accountants.IAccountant = IAccountant
registry = types.ModuleType("opacus.accountants.registry")
registry.register_accountant = register_accountant
sys.modules.update({"opacus": types.ModuleType("opacus"), "opacus.accountants": accountants,
                    "opacus.accountants.registry": registry})
he.register_with_opacus()
accountant = made["honest_epsilon"]()
none = accountant.get_epsilon(delta=1e-5)
for _ in range(100): accountant.step(noise_multiplier=1.1, sample_rate=0.01)
${run}
print(json.dumps([none, len(accountant), isinstance(accountant, IAccountant),
                  accountant.get_epsilon(delta=1e-5) == he.epsilon([run], 1e-5)["epsilon"]["upper"]]))`;
    expect(await python(program)).toEqual([0, 100, true, true]);
  });
});
