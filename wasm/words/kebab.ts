/** noiseMultiplier -> noise-multiplier, as flags, attributes and the address spell it. */
export const kebab = (camel: string): string =>
  camel.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** noiseMultiplier -> noise_multiplier, as the core and columns of CSV spell it. */
export const snake = (camel: string): string => kebab(camel).replaceAll('-', '_');
