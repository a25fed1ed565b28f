import { window } from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { isCancellation, messageOf, PatchbayError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { CommandIds } from '../commandIds.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import { chooseSavedCall } from '../calls/savedCallQuestions.ts';
import { notificationText } from '../platform/displayText.ts';
import { readServerArgument } from '../servers/serverArgument.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { SavedCallSource } from './savedCallSource.ts';
import type { TestTree } from './testController.ts';

interface CommandPorts {
  readonly registry: ServerRegistry;
  readonly logger: Logger;
  readonly calls: SavedCalls;
  readonly source: SavedCallSource;
  readonly tree: Pick<TestTree, 'run'>;
}
