/** "40 s left" */
export function timeLeft(seconds: number): string {
  if (!Number.isFinite(seconds)) return 'time left unknown';
  const [amount, unit] =
    seconds < 100 ? [seconds, 's'] : seconds < 6000 ? [seconds / 60, 'min'] : [seconds / 3600, 'h'];
  return `${String(Math.ceil(amount))} ${unit} left`;
}
