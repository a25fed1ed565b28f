import { PatchbayError } from '../../base/errors.ts';
import { isString } from '../../base/json.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { createAppJournal } from '../../client/apps/appJournal.ts';
import { codeLine, type DeclaredReach, isNoReach, noReach, reachLines, readReach } from '../../client/apps/appReach.ts';
import { readAppResource } from '../../client/apps/appResource.ts';
import { appUriOf } from '../../protocol/mcp/apps.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { AppTarget } from '../../shared/appMessages.ts';
import { checkIdentity, findServer, findTool, prepareUse } from '../invocation/contentTarget.ts';
import { isSwitchedOn, personalSetting } from '../platform/settings.ts';
import type { AppParts } from './appPorts.ts';
import type { LoadedApp } from './appRun.ts';

/** What the person is asked before an app is first shown. */
export interface AppQuestion extends DeclaredReach {
  /** The title of the app. */
  readonly title: string;
  /** The app was allowed something else before. */
  readonly isChanged: boolean;
  /** It is about code that the app makes, not about what it may reach. */
  readonly isCode: boolean;
}

/**
 * Reads the app of a tool: starts its server if need be, reads the document, and asks what it may reach, unless that is nothing
 * or was answered before. Whether it may run code that it makes is asked only where the person wants to be asked.
 * @throws {PatchbayError} `notFound`, `declined`, `invalidMessage`; what starting and reading throw; cancellation
 */
export async function loadApp(
  { server, tool: name, occurrence }: AppTarget,
  { registry, clock, answers, audit, tap }: AppParts,
  ask: (question: AppQuestion) => Promise<boolean>,
  signal: AbortSignal,
  wantsCode = false,
): Promise<LoadedApp> {
  if (!isSwitchedOn('apps.enabled'))
    throw new PatchbayError('declined', 'Apps are turned off by the setting patchbay.apps.enabled.');
  const host = findServer(registry, server);
  await prepareUse(host, 'tools', name, clock);
  const { identity } = host.server;
  const tool = findTool(host.server.contents, name, occurrence);
  const uri = tool && appUriOf(tool);
  if (tool === undefined || uri === undefined)
    throw new PatchbayError('notFound', `The server "${server}" no longer offers a tool "${name}" with an app.`);
  const resource = await readAppResource(host.server, uri, signal);
  const journal = createAppJournal({ server, uri }, audit, clock, tap(server));
  const title = truncateWithCount(toolDisplayName(tool), 200);
  const blocked = personalSetting('apps.blockedDomains');
  const declared = readReach(resource.metadata, Array.isArray(blocked) ? blocked.filter(isString) : []);
  const asked = { identity, uri: resource.uri, server, title, reach: declared.reach };
  const known = isNoReach(declared.reach) ? { isAllowed: true, isChanged: false } : await answers.find(asked);
  let { isAllowed } = known;
  if (isAllowed === undefined) {
    isAllowed = await ask({ ...declared, title, isChanged: known.isChanged, isCode: false });
    await answers.keep(asked, isAllowed);
  }
  if (!isAllowed) journal.event('refused', { reach: reachLines(declared.reach).join('; ') });
  const reach = isAllowed ? declared.reach : noReach;
  const withheld = isAllowed ? [] : [...reachLines(declared.reach)];
  const askedCode = { ...asked, html: resource.html };
  const code = await answers.find(askedCode);
  // A no to this app counts, also where the setting lets all.
  let mayMakeCode = code.isAllowed ?? (personalSetting('apps.evaluation') === true ? true : undefined);
  if (wantsCode && mayMakeCode === undefined) {
    mayMakeCode = await ask({ title, reach, refused: [], isChanged: code.isChanged, isCode: true });
    await answers.keep(askedCode, mayMakeCode);
    journal.event(mayMakeCode ? 'allowed' : 'refused', { code: codeLine });
  }
  if (mayMakeCode === false) withheld.push(codeLine);
  // The server may have been replaced meanwhile.
  checkIdentity(host, identity);
  return {
    host,
    identity,
    tool,
    title,
    resource,
    journal,
    reach,
    evaluates: mayMakeCode === true,
    isAnsweredOnCode: mayMakeCode !== undefined,
    notices: [...declared.refused, ...withheld],
    answerIds: await Promise.all([answers.idOf(asked), answers.idOf(askedCode)]),
  };
}
