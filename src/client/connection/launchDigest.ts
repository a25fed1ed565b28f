import { canonicalJson, sha256 } from '../../base/digest.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';

/** @returns digest of all that is launched or called, variables and headers included: what a person allows is bound to it */
export function launchDigest(plan: LaunchPlan): Promise<string> {
  if (plan.kind === 'stdio') {
    const { command, program, args, cwd, env } = plan;
    return sha256(canonicalJson([command, program ?? null, args, cwd ?? null, env]));
  }
  const { url, socketPath, headers } = plan;
  return sha256(canonicalJson([url.href, socketPath ?? null, headers]));
}
