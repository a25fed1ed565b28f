import type { Clock } from '../../base/clock.ts';
import type { Fetch } from '../../base/fetch.ts';
import type { MessageLimits } from '../../base/limits.ts';
import type { HttpAuthorizer } from '../../protocol/httpAuthorizer.ts';

/** What the HTTP transports need from outside. */
export interface HttpPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Absent: requests go out as configured. */
  readonly authorizer?: HttpAuthorizer | undefined;
  /** A message beyond them, decompressed, is refused. */
  readonly limits?: MessageLimits | undefined;
}
