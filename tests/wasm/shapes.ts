import type { Answer } from '../../wasm/generated/schema.js';
import { isResult } from '../../wasm/protocol.js';

export const isAnswers = (value: unknown): value is Answer[] => isResult('answer', value);
export const isAnswer = (value: unknown): value is Answer => isAnswers([value]);
