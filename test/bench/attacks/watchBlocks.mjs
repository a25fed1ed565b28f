// @ts-check
const tickMs = 5;

/**
 * Watches the event loop from now on.
 *
 * @returns {{ stop(): { blockMs: number, waitedMs: number } }} `waitedMs`: the longest time between two turns. `blockMs`: the most
 *   processor time used between two turns, or less where they were closer. On a busy machine a process also
 *   waits for a processor, which is not a block.
 */
export function watchBlocks() {
  let blockMs = 0;
  let waitedMs = 0;
  let last = { at: performance.now(), used: process.cpuUsage() };
  const look = () => {
    const now = { at: performance.now(), used: process.cpuUsage() };
    const waited = now.at - last.at - tickMs;
    const used = (now.used.user + now.used.system - last.used.user - last.used.system) / 1_000;
    waitedMs = Math.max(waitedMs, waited);
    blockMs = Math.max(blockMs, Math.min(waited, used));
    last = now;
  };
  const timer = setInterval(look, tickMs);
  return {
    stop() {
      clearInterval(timer);
      look();
      return { blockMs, waitedMs };
    },
  };
}
