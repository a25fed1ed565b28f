import { describeHostKind } from '../../base/hostKind.ts';
import { previewJson, printPreview } from '../../base/jsonPreview.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { AppReach } from '../../client/apps/appReach.ts';
import type { AppPermission } from '../../protocol/mcp/apps.ts';
import type { AppCallView } from '../../shared/appMessages.ts';
import { toolResultToMarkdown } from '../results/contentMarkdown.ts';
import type { ShownCall } from './appRun.ts';

const permissionWords: Readonly<Record<AppPermission, string>> = {
  camera: 'Use your camera',
  microphone: 'Use your microphone',
  geolocation: 'Learn where you are',
  clipboardWrite: 'Write to your clipboard',
};

/** What an app may reach, a line for each; empty if nothing. */
export function reachLines({ connect, resources, frames, baseUris, permissions }: AppReach): readonly string[] {
  return [
    ...connect.map((source) => `Send to and get from ${placed(source)}`),
    ...resources.map((source) => `Load scripts, styles, pictures and sound from ${placed(source)}`),
    ...frames.map((source) => `Show pages of ${placed(source)} inside itself`),
    ...baseUris.map((source) => `Make addresses relative to ${placed(source)}`),
    ...permissions.map((permission) => permissionWords[permission]),
  ];
}

/** A source of a policy, with where it is if that is no public host: "http://127.0.0.1:* (this computer)". */
function placed(source: string): string {
  const host = source.replace(/^[a-z]+:\/\/(?:\*\.)?/, '').replace(/:[\d*]+$/, '');
  const place = describeHostKind(host);
  return place === undefined ? source : `${source} (${place})`;
}

/** Characters of a call above its app; the tab of the tool has all of it. */
const shownCharacters = 20_000;

export function viewCall({ args, end }: ShownCall): AppCallView {
  const result = end?.kind === 'result' ? toolResultToMarkdown(end.result) : end?.reason;
  return {
    args: truncateWithCount(printPreview(previewJson(args).json, 0), shownCharacters),
    result: result && truncateWithCount(result, shownCharacters),
  };
}
