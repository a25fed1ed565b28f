import type { Target } from './target.ts';
import { bytesTarget } from './targets/bytes.ts';
import { configurationTarget } from './targets/configuration.ts';
import { httpTarget } from './targets/http.ts';
import { schemasTarget } from './targets/schemas.ts';
import { signInTarget } from './targets/signIn.ts';
import { stdioTarget } from './targets/stdio.ts';
import { viewsTarget } from './targets/views.ts';

export const targets: readonly Target[] = [
  stdioTarget,
  httpTarget,
  configurationTarget,
  schemasTarget,
  signInTarget,
  viewsTarget,
  bytesTarget,
];

/** @throws for an unknown target; the message lists all targets */
export function findTarget(name: string): Target {
  const target = targets.find((candidate) => candidate.name === name);
  if (target === undefined)
    throw new Error(`There is no target "${name}". The targets are: ${targets.map((one) => one.name).join(', ')}.`);
  return target;
}
