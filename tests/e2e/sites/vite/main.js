import { createEngine } from 'honest-epsilon';
import 'honest-epsilon/element';

const engine = await createEngine({ workers: 1 });
const answer = await engine.epsilon({
  phases: [{ sampler: 'poisson', noiseMultiplier: 0.8, samplingProbability: 0.001, steps: 1000 }],
  delta: 1e-6,
});
engine.close();
globalThis.document.querySelector('output').textContent = JSON.stringify(answer.epsilon);
