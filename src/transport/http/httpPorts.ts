import type { Clock } from '../../base/clock.ts';
import type { Fetch } from '../../base/fetch.ts';
import type { MessageLimits } from '../../base/limits.ts';
import type { HttpAuthorizer } from '../../protocol/httpAuthorizer.ts';

/** What the HTTP transports need from their host. */
export interface HttpPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Absent: requests use the configured headers only. */
  readonly authorizer?: HttpAuthorizer | undefined;
  /** Limits of a message after decompression; a larger one is refused. */
  readonly limits?: MessageLimits | undefined;
}
