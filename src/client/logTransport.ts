import type { Logger } from '../base/logger.ts';
import type { TransportLog } from '../transport/transport.ts';

/** Puts what a transport noticed into the log of its server, each kind at its level. */
export function logTransport(logger: Logger, { source, text }: TransportLog): void {
  switch (source) {
    case 'stderr':
      return logger.info(text);
    case 'noise':
      return logger.warn(`Not a protocol message: ${text}`);
    case 'note':
      return logger.debug(text);
    case 'http':
      // Shown beside the messages, to those who trace them.
      return;
  }
}
