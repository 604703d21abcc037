/** noiseMultiplier -> noise-multiplier, as flags, attributes and the address spell it. */
export const kebab = (camel: string): string =>
  camel.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
