import type { Clock } from '../../base/clock.ts';
import { isPatchbayError } from '../../base/errors.ts';
import type { RunningServer } from './runningServer.ts';

/** Milliseconds that a new run has to list what it offers before it takes the place of the earlier one. */
const listingMs = 2_000;
/** What programs say that found a port, a lock or a file taken: by the run that they shall replace. */
const taken =
  /EADDRINUSE|EBUSY|EAGAIN|ETXTBSY|SQLITE_BUSY|errno (?:11|16|35|48|98)\b|10048|already (?:running|in use|locked|listening|bound)|(?:is|are) locked|another (?:instance|process)|resource temporarily unavailable|(?:acquire|obtain|get)\b.{0,30}\block\b/i;
/** All that is known of the end of a program that said nothing. */
const silentEnd = /^(?:Exit code -?\w+|Ended by \w+)$/;

/** Whether a new run may have failed as the earlier one still runs; all else is a fault of its own. */
export function mayRunAlone(error: unknown): boolean {
  return isPatchbayError(error, 'crashed') && (silentEnd.test(error.detail ?? '') || taken.test(error.message));
}

/** Opens a run, and waits for its lists: they take the place of the earlier ones in one step. */
export async function openListed(open: () => Promise<RunningServer>, clock: Clock): Promise<RunningServer> {
  const running = await open();
  await new Promise<void>((resolve) => {
    const timer = clock.after(listingMs, resolve);
    const end = (): void => {
      timer.dispose();
      resolve();
    };
    running.catalogue.whenListed().then(end, end);
  });
  return running;
}
