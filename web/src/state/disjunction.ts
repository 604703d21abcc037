/** one, two or three */
export const disjunction = (choices: readonly string[]) =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices);
