import { sep } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { Logger } from '../../base/logger.ts';
import { secretsOfPlan } from '../consent/knownSecrets.ts';
import type { KnownValue } from './savedCallArguments.ts';
import { createSavedCallFiles } from './savedCallFiles.ts';
import { createSavedCallQuestions } from './savedCallQuestions.ts';
import { createSavedCalls, type SavedCalls } from './savedCallStore.ts';

/** The calls saved in the folders that are open. @param plans what servers were started with, by label */
export function createWorkspaceSavedCalls({
  plans,
  clock,
  logger,
}: {
  readonly plans: ReadonlyMap<string, LaunchPlan>;
  readonly clock: Clock;
  readonly logger: Logger;
}): SavedCalls {
  return createSavedCalls({
    files: createSavedCallFiles(),
    questions: createSavedCallQuestions(),
    known: () => [...plans].flatMap(([label, plan]) => knownValues(label, plan)),
    pathSeparator: sep === '\\' ? '\\' : '/',
    clock,
    logger,
  });
}

/** The secrets of one launch, those first that have a reference to write in their place. */
function knownValues(label: string, plan: LaunchPlan): readonly KnownValue[] {
  const { secrets = [], secretNames = [] } = plan;
  const referenced = secrets.map((value, index) => ({ value, reference: secretNames[index] }));
  const others = secretsOfPlan(label, plan).filter(({ value }) => !secrets.includes(value));
  return [...referenced, ...others.map(({ value }) => ({ value }))];
}
