import type { Logger } from '../../base/logger.ts';
import type { TransportLog } from '../../transport/transport.ts';

/** Writes an entry of a transport to the log of its server, at the level of its source. */
export function logTransportEntry(logger: Logger, { source, text }: TransportLog): void {
  switch (source) {
    case 'stderr':
      return logger.info(text);
    case 'noise':
      return logger.warn(`Not a protocol message: ${text}`);
    case 'note':
      return logger.debug(text);
    case 'http':
      // Part of the message trace only.
      return;
  }
}
