import { commands, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ApprovalSources } from './approvals.ts';
import type { LazyApprovals, LazySampling } from './consentServices.ts';

interface ApprovalContextSources extends Pick<ApprovalSources, 'mutes' | 'chosenModels' | 'apps' | 'restarts'> {
  readonly approvals: Pick<LazyApprovals, 'hasAny' | 'onDidChange'>;
  readonly sampling: Pick<LazySampling, 'hasRules' | 'onDidChange'>;
}

/**
 * Keeps `patchbay.hasRules` and `patchbay.hasApprovals` up to date: the palette offers to revoke, edit and stop only where there is
 * something. Loads nothing.
 */
export function followApprovalContext(sources: ApprovalContextSources): Disposable {
  const { approvals, sampling, mutes, chosenModels, apps, restarts } = sources;
  const store = new DisposableStore();
  let latest = 0;

  async function update(): Promise<void> {
    const turn = (latest += 1);
    // Where that cannot be read, the command says why.
    const looks = [sampling.hasRules(), approvals.hasAny()].map((look) => look.catch(() => true));
    const [hasRules = true, hasTools = true] = await Promise.all(looks);
    if (turn !== latest) return;
    const hasOthers = [mutes.muted, chosenModels.all, apps.all, restarts.all].some((list) => list.length > 0);
    void commands.executeCommand('setContext', 'patchbay.hasRules', hasRules);
    void commands.executeCommand('setContext', 'patchbay.hasApprovals', hasRules || hasTools || hasOthers);
  }

  for (const { onDidChange } of [sampling, chosenModels, approvals, mutes, apps, restarts])
    store.add(onDidChange(() => void update()));
  // Other windows of the workspace share rules and approvals.
  store.add(window.onDidChangeWindowState(({ focused }) => focused && void update()));
  void update();
  return store;
}
