import { launchCode } from './launchCode.ts';
import { isStdio, type ServerDefinition } from './serverDefinition.ts';

/** What options are written for: the origin of a remote server; of a program what runs, without options and versions. */
export function definitionTarget(definition: ServerDefinition): string {
  if (isStdio(definition)) return launchCode([definition.command, ...(definition.args ?? [])]).name;
  return originOf(definition.url) ?? definition.url;
}

/** Whether `target`, as a person wrote it, is that of a definition. Of an address, any below the origin will do. */
export function isTargetOf(target: string, definition: ServerDefinition): boolean {
  const wanted = definitionTarget(definition);
  return target === wanted || (!isStdio(definition) && originOf(target) === wanted);
}

/** Only where no variable can change it. */
function originOf(address: string): string | undefined {
  const authority = /^https?:\/\/[^/?#\\]*/i.exec(address)?.[0];
  if (authority === undefined || authority.includes('${') || !URL.canParse(address)) return undefined;
  return new URL(address).origin;
}
