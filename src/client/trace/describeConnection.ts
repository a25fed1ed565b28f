import type { LaunchPlan } from '../../base/launchPlan.ts';
import { originOf } from '../../base/serverAddress.ts';
import type { CloseReason } from '../../transport/transport.ts';

export function describeTransport(plan: LaunchPlan): string {
  if (plan.kind === 'stdio') return 'stdio';
  return `${plan.kind === 'sse' ? 'HTTP+SSE' : 'Streamable HTTP'} to ${originOf(plan)}`;
}

/** Why a connection ended, as the end of a sentence. */
export function describeEnd(reason: CloseReason): string {
  switch (reason.kind) {
    case 'requested':
      return 'stopped';
    case 'exited':
      return reason.signal === null ? `exited with code ${reason.code}` : `ended by ${reason.signal}`;
    case 'failed':
      return reason.error.message;
  }
}
