import { randomUUID } from 'node:crypto';
import type { SecretStorage } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { DisposableStore } from '../../base/disposable.ts';
import type { Mutes } from '../../client/mutes.ts';
import { ToolCallApproval } from '../../client/toolCalls/toolCallApproval.ts';
import { ToolGrants } from '../../client/toolCalls/toolGrants.ts';
import { createWindowProbe } from '../platform/fileLock.ts';
import { createCallQuestions } from './callQuestions.ts';
import { createGrantFile } from './consentFiles.ts';

export interface ApprovalPorts {
  /** True only when VS Code runs extension tests: then `patchbay.testing` may answer. */
  readonly isTest: boolean;
  readonly clock: Clock;
  readonly secrets: SecretStorage;
  readonly mutes: Mutes;
  /** The file with what may be called without a question. */
  readonly path: string;
}

export function createCallApproval(ports: ApprovalPorts, store: DisposableStore): ToolCallApproval {
  const { isTest, clock, secrets, mutes, path } = ports;
  const lock = { clock, owner: randomUUID(), reachWindow: createWindowProbe(secrets) };
  const grants = new ToolGrants(store.add(createGrantFile(path, lock)));
  return new ToolCallApproval(store.add(createCallQuestions(isTest)), mutes, grants);
}
