import type { AppReach } from '../../client/apps/appReach.ts';
import type { AppPermission } from '../../protocol/mcp/appMetadata.ts';

const permissionWords: Readonly<Record<AppPermission, string>> = {
  camera: 'Use your camera',
  microphone: 'Use your microphone',
  geolocation: 'Learn where you are',
  clipboardWrite: 'Write to your clipboard',
};

/** What an app may reach, a line for each; empty if nothing. */
export function reachLines({ connect, resources, frames, baseUris, permissions }: AppReach): readonly string[] {
  return [
    ...connect.map((source) => `Send to and get from ${source}`),
    ...resources.map((source) => `Load scripts, styles, pictures and sound from ${source}`),
    ...frames.map((source) => `Show pages of ${source} inside itself`),
    ...baseUris.map((source) => `Make addresses relative to ${source}`),
    ...permissions.map((permission) => permissionWords[permission]),
  ];
}
