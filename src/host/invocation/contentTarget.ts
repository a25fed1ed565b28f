import { PatchbayError } from '../../base/errors.ts';
import { isRecord, isString } from '../../base/json.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';

/** One thing a server offers: a tool or prompt by name, a resource or skill by URI, a template by its text. */
export interface ContentTarget {
  readonly server: string;
  readonly name: string;
}

/**
 * Reads a command's argument: a row of the servers view, or `{ server, [key] }` as a keybinding writes it.
 * @returns `undefined` where there is no argument, or none with this key
 * @throws {PatchbayError} `invalidArguments` for a key without a server, or of the wrong type
 */
export function readContentTarget(
  argument: unknown,
  key: 'prompt' | 'skill' | 'tool' | 'uri' | 'uriTemplate',
): ContentTarget | undefined {
  if (!isRecord(argument) || argument[key] === undefined) return undefined;
  const { server, [key]: name } = argument;
  if (isString(server) && isString(name)) return { server, name };
  throw new PatchbayError('invalidArguments', `The command's argument must have the texts "server" and "${key}".`);
}

/** @throws {PatchbayError} `notFound` */
export function findServer(registry: Pick<ServerRegistry, 'servers' | 'get'>, label: string): HostServer {
  const found = registry.get(label);
  if (found !== undefined) return found;
  const known = registry.servers.map((server) => `"${server.label}"`).join(', ');
  const hint = known === '' ? 'None is.' : `Configured are ${known}.`;
  throw new PatchbayError('notFound', `No server "${label}" is configured. ${hint}`);
}
