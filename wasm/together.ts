/** Work of several calls: some at a time, and ended as one. */

/** Runs jobs in their order, so many at a time, until one fails; their results in the same order. */
export async function inLanes<Result>(
  lanes: number,
  jobs: readonly (() => Promise<Result>)[],
): Promise<Result[]> {
  const results: Result[] = [];
  const left = jobs.entries();
  const lane = async () => {
    for (const [at, job] of left) results[at] = await job();
  };
  await Promise.all(Array.from({ length: Math.min(lanes, jobs.length) }, lane));
  return results;
}

/** Does work whose parts stop when `signal` is aborted or one of them fails. */
export async function asOne<Type>(
  signal: AbortSignal | undefined,
  work: (stopped: AbortSignal) => Promise<Type>,
  stop = new AbortController(),
): Promise<Type> {
  const follow = () => stop.abort(signal?.reason);
  if (signal?.aborted) follow();
  signal?.addEventListener('abort', follow);
  try {
    return await work(stop.signal);
  } catch (error) {
    stop.abort(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', follow);
  }
}
