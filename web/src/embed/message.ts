import type { Answer } from '../../../wasm/generated/schema.js';

/** What the frame posts to the page around it: how high it wants to be, or the answer it shows. */
export interface FrameMessage {
  source: 'honest-epsilon';
  /** In CSS pixels, whenever it changes. */
  height?: number;
  /** Each new answer. */
  answer?: Answer | undefined;
}
