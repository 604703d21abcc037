/** THE list of commands: main and every help text read it. */

import { batch } from './batch.js';
import type { Command } from './command.js';
import { curve } from './curve.js';
import { explorableCommands } from './explore.js';
import { importing } from './import.js';
import { merge, monteCarloCommand } from './monte-carlo.js';
import { questionCommands } from './questions.js';
import { report } from './report.js';
import { reproducing } from './reproduce.js';

export const commands: ReadonlyMap<string, Command> = new Map([
  ...questionCommands,
  ['curve', curve],
  ['monte-carlo', monteCarloCommand],
  ['merge', merge],
  ...explorableCommands,
  ['reproduce', reproducing],
  ['report', report],
  ['import', importing],
  ['batch', batch],
]);
