import { createHash } from 'node:crypto';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { eraIdentity } from '../../client/eraMemory.ts';

/** Identifies who answers, and tells nothing of the secrets a plan holds. */
export function planDigest(plan: LaunchPlan): string {
  return createHash('sha256').update(eraIdentity(plan)).digest('hex');
}
