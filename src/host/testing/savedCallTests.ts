import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import { createSavedCallCommands } from './savedCallCommands.ts';
import type { SavedCallRunPorts } from './savedCallRun.ts';
import { SavedCallSource } from './savedCallSource.ts';
import type { TestTree } from './testSource.ts';

/** Saved calls as tests: their source in Test Explorer, and the commands about them. */
export function createSavedCallTests(
  ports: SavedCallRunPorts & { readonly logger: Logger },
  calls: SavedCalls,
  tree: TestTree,
): Disposable & { readonly commands: ReturnType<typeof createSavedCallCommands> } {
  const store = new DisposableStore();
  const source = new SavedCallSource(ports, calls);
  store.add(tree.addSource(source));
  const commands = store.add(createSavedCallCommands({ ...ports, calls, source, tree }));
  return { commands, dispose: () => store.dispose() };
}
