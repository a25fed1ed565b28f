import { sep } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { WindowSecrets } from '../servers/windowSecrets.ts';
import { createSavedCallFiles } from './savedCallFiles.ts';
import { createSavedCallQuestions } from './savedCallQuestions.ts';
import { createSavedCalls, type SavedCalls } from './savedCallStore.ts';

/** The calls saved in the folders that are open. @param secrets what is taken out of arguments */
export function createWorkspaceSavedCalls({
  secrets,
  clock,
  logger,
}: {
  readonly secrets: WindowSecrets;
  readonly clock: Clock;
  readonly logger: Logger;
}): SavedCalls {
  return createSavedCalls({
    files: createSavedCallFiles(),
    questions: createSavedCallQuestions(),
    known: async () => (await secrets.collector()).search(),
    pathSeparator: sep === '\\' ? '\\' : '/',
    clock,
    logger,
  });
}
