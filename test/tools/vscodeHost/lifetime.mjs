// @ts-check

const parentCheckMs = 500;

/**
 * Waits until this process is asked to stop, or until the process that started it has ended.
 *
 * @returns {Promise<string>} why, for people
 */
export function untilStopped() {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve(`received ${signal}`));
    onParentEnd(() => resolve('the process that started it has ended'));
  });
}

/**
 * Calls back once, when the process that started this one has ended. Does not keep this process alive.
 *
 * @param {() => void} callback
 */
export function onParentEnd(callback) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, parentCheckMs);
  timer.unref();
}
