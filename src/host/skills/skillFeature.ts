import { commands, Uri, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { isRecord, isString } from '../../base/json.ts';
import type { Skill } from '../../protocol/mcp/skills.ts';
import { withCallProgress } from '../invocation/callProgress.ts';
import { type ContentChoice, contentKey, pickContent } from '../invocation/contentPicker.ts';
import { findServer, readContentTarget } from '../invocation/contentTarget.ts';
import { ensureListed } from '../invocation/ensureRunning.ts';
import { createRecentItems, type Storage } from '../invocation/recentItems.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { SkillFolders } from './skillFolders.ts';
import { createSkillStore, type SkillFileTarget, type SkillStore } from './skillStore.ts';
import { skillPaths, toSkillUri } from './skillUri.ts';

/** What is loaded when a skill is first looked at. */
export interface SkillFeature {
  readonly folders: SkillFolders;
  readonly open: (argument?: unknown) => Promise<void>;
}

export function createSkillFeature(options: Omit<SkillOpenerOptions, 'store'>): SkillFeature {
  const { registry, clock } = options;
  const store = createSkillStore(registry, clock);
  return { folders: new SkillFolders(registry, store), open: createSkillOpener({ ...options, store }) };
}

export interface SkillOpenerOptions {
  readonly registry: ServerRegistry;
  readonly store: SkillStore;
  /** Remembers which skills were opened. */
  readonly storage: Storage;
  readonly clock: Clock;
}

/**
 * Opens a file of a skill in an editor once it is verified. The argument is a row of the tree or `{ server, skill, file? }`
 * with URIs, of SKILL.md where there is no file; without one the skill is chosen from a list.
 */
export function createSkillOpener(options: SkillOpenerOptions): (argument?: unknown) => Promise<void> {
  const { registry, store, clock } = options;
  const recent = createRecentItems(options.storage, 'patchbay.recentSkills');

  async function open(target: SkillFileTarget): Promise<void> {
    const host = findServer(registry, target.server);
    await ensureListed(host, 'skills', clock);
    const { parts } = await withCallProgress({ title: `Reading ${target.file}`, clock }, (signal) =>
      store.load(target, signal),
    );
    recent.touch(contentKey(target.server, target.skill));
    const uri = Uri.from(toSkillUri({ ...target, path: pathOf(host, target) }));
    const isMedia = /^(?:image|audio|video)\//i.test(parts[0]?.mimeType ?? '');
    // A text editor runs nothing, whatever the file is called.
    await (isMedia ? commands.executeCommand('vscode.open', uri) : window.showTextDocument(uri));
  }

  return async (argument) => {
    const named = readContentTarget(argument, 'skill');
    if (named !== undefined) {
      const file = isRecord(argument) && isString(argument['file']) ? argument['file'] : named.name;
      return open({ server: named.server, skill: named.name, file });
    }
    const texts = { title: 'Open Skill', placeholder: 'Choose a skill', noun: 'skills' } as const;
    const { host, name } = await pickContent({ ...texts, registry, choicesOf, recent, clock });
    return open({ server: host.label, skill: name, file: name });
  };
}

/** Of a skill that is not listed only the SKILL.md is known. */
function pathOf({ server }: HostServer, { skill, file }: SkillFileTarget): string {
  const listed = server.contents.skills.find(({ uri }) => uri === skill);
  const known = listed === undefined ? undefined : [...skillPaths(listed)].find(([, uri]) => uri === file)?.[0];
  return known ?? file.slice(skill.lastIndexOf('/') + 1);
}

function choicesOf(host: HostServer): ContentChoice<Skill>[] {
  return host.server.contents.skills.map((skill) => ({
    host,
    item: skill,
    key: contentKey(host.label, skill.uri),
    icon: 'book',
    label: skill.name,
    name: skill.uri,
    about: skill.description,
  }));
}
