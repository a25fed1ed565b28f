/** Work in steps of a few milliseconds each, with a result at its end. */
export type Steps<T> = Generator<void, T>;

/** Does all of it at once: for short texts. */
export function runNow<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** @param pause lets other work run, and resolves soon */
export async function runPaused<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await pause();
  }
}
