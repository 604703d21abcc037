import { commandPath } from './command-name.js';
import { kebab } from './kebab.js';
import { phaseFields, queryFields, type Query } from '../generated/schema.js';
import { isPhase } from './samplers.js';

/** The command that asks a question; a comparison asks about every sampler, whatever its own. */
export function commandFor(query: Query): string {
  const { question = 'compare', phases, solveFor, ...rest } = query;
  const [only] = phases;
  if (phases.length > 1 || !only || !isPhase(only)) {
    const samplers = new Set(phases.filter(isPhase).map(({ sampler }) => sampler));
    const mixed = question === 'compare' && samplers.size !== 1;
    const words = mixed ? 'epsilon' : [question, solveFor].filter(Boolean).join(' ');
    return `echo '${JSON.stringify({ ...rest, phases })}' | ${commandPath} ${words} --query -`;
  }
  const flags: string[] = [];
  const put = (name: string, value: string | number | boolean | readonly number[] | undefined) => {
    // 1e-5, as people write it.
    const small = typeof value === 'number' && value > 0 && value < 1e-3;
    if (value !== undefined)
      flags.push(`--${kebab(name)} ${small ? value.toExponential() : String(value)}`);
  };
  for (const { name } of phaseFields) {
    if (name !== 'sampler' || question !== 'compare') put(name, only[name]);
  }
  for (const { name } of queryFields) {
    if (name !== 'question' && name !== 'solveFor') put(name, rest[name]);
  }
  return [commandPath, question, solveFor, ...flags].filter(Boolean).join(' ');
}
