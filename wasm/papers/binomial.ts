/** log n! less its leading terms, by Stirling's series; above 1000 the next term is below 1e-18. */
const stirling = (n: number) => 1 / (12 * n) - 1 / (360 * n ** 3);

/** x log(x / mean) + mean - x: how far a count is from its mean. */
const deviance = (x: number, mean: number) => x * Math.log1p((x - mean) / mean) + mean - x;

/**
 * A lower bound on Pr[Bin(n, p) > least], for least above n p and 1000: the sum of its terms, the first
 * as C. Loader writes it (Fast and accurate computation of binomial probabilities, 2000), each further one
 * by its ratio to the one before, until they no longer count. At n = 4e7 the two
 * deviances are differences of numbers below 3e5, so that the exponent is right to 1e-9: 1e-8 is taken off.
 */
export function binomialTail(n: number, p: number, least: number): number {
  const k = least + 1;
  const rest = n - k;
  let term =
    Math.sqrt(n / (2 * Math.PI * k * rest)) *
    Math.exp(
      stirling(n) - stirling(k) - stirling(rest) - deviance(k, n * p) - deviance(rest, n * (1 - p)),
    );
  let sum = 0;
  for (let at = k; at <= n && term > 1e-18 * sum; ++at) {
    sum += term;
    term *= ((n - at) / (at + 1)) * (p / (1 - p));
  }
  return sum * (1 - 1e-8);
}
