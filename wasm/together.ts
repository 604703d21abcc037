/** Work of several calls: some at a time, and ended as one. */

/** Runs jobs in their order, so many at a time, until one fails. */
export async function inLanes(
  lanes: number,
  jobs: readonly (() => Promise<void>)[],
): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let job = jobs[next++]; job; job = jobs[next++]) await job();
  };
  await Promise.all(Array.from({ length: Math.min(lanes, jobs.length) }, lane));
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
