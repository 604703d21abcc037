/** noiseMultiplier -> noise-multiplier, as attributes and the address spell it. */
export const kebab = (camel: string) =>
  camel.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
