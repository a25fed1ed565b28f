import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { lazy } from '../../base/lazy.ts';
import type { CallApproval } from '../../client/toolCalls/callApproval.ts';
import type { ApproveCall } from '../../client/toolCalls/ports.ts';

/** Who asks before tools are called, loaded with the first call. */
export interface LazyApprovals extends Disposable {
  readonly approve: ApproveCall;
  /** `undefined` before the first call: nothing was allowed yet. */
  readonly loaded: CallApproval | undefined;
  /** See `CallApproval.onDidChange`. */
  readonly onDidChange: Event<string>;
}

/** @param isTest true only when VS Code runs extension tests: then `patchbay.testing` may answer */
export function createLazyApprovals(isTest: boolean): LazyApprovals {
  const store = new DisposableStore();
  const onDidChange = store.add(new Emitter<string>());
  let loaded: CallApproval | undefined;
  const load = lazy(async () => {
    const [{ createCallApproval }, { createCallQuestions }] = await Promise.all([
      import('../../client/toolCalls/callApproval.ts'),
      import('./callQuestions.ts'),
    ]);
    loaded = createCallApproval(store.add(createCallQuestions(isTest)));
    store.add(loaded.onDidChange((server) => onDidChange.fire(server)));
    return loaded;
  });
  return {
    approve: (call) => (loaded === undefined ? load().then(({ approve }) => approve(call)) : loaded.approve(call)),
    get loaded() {
      return loaded;
    },
    onDidChange: onDidChange.event,
    dispose: () => store.dispose(),
  };
}
