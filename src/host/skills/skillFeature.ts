import { Uri } from 'vscode';
import { isRecord, isString } from '../../base/json.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { withCallProgress } from '../invocation/callProgress.ts';
import { createContentPicker, type FeatureContext } from '../invocation/contentPicker.ts';
import { ensureListed, findServer, readContentTarget } from '../invocation/contentTarget.ts';
import { showOwnFile } from '../platform/documents.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { createDocumentReads, type DocumentsOptions } from '../resources/documentReads.ts';
import { createSkillStore, SkillFiles, type SkillFileTarget } from './skillFiles.ts';
import { skillPaths, toSkillUri } from './skillUri.ts';

export interface SkillFeatureOptions extends FeatureContext, DocumentsOptions {
  readonly seal: AddressSeal;
}

/** The command about skills, and the files it opens. Loaded with the first of these. */
export function createSkillFeature(options: SkillFeatureOptions) {
  const { registry, clock, seal } = options;
  const reads = createDocumentReads(options);
  const store = createSkillStore(registry, clock);
  const picker = createContentPicker({
    ...options,
    placeholder: 'Choose a skill',
    noun: 'skills',
    storageKey: 'patchbay.recentSkills',
    itemsOf: ({ skills }) =>
      skills.map((item) => ({
        item,
        icon: 'book',
        label: item.name,
        name: item.uri,
        about: item.description,
      })),
  });

  async function choose(argument: unknown): Promise<SkillFileTarget> {
    const named = readContentTarget(argument, 'skill');
    if (named !== undefined) {
      const file = isRecord(argument) && isString(argument['file']) ? argument['file'] : named.name;
      return { server: named.server, skill: named.name, file };
    }
    const { host, name } = await picker.pick('Open Skill');
    return { server: host.label, skill: name, file: name };
  }

  return {
    files: new SkillFiles(seal, registry, store, reads),
    dispose: (): void => reads.dispose(),
    /**
     * *Open Skill…*: opens a file of a skill in an editor after it was verified. The argument is a row of the tree,
     * `{ server, skill, file? }` with URIs, of SKILL.md if there is no `file`, or nothing: then the person chooses.
     */
    async open(argument: unknown): Promise<void> {
      const target = await choose(argument);
      const host = findServer(registry, target.server);
      await ensureListed(host, 'skills', clock);
      await withCallProgress({ title: `Reading ${target.file}`, clock }, (signal) => store.load(target, signal));
      picker.markUsed({ server: target.server, name: target.skill });
      await showOwnFile(Uri.from(toSkillUri(seal, { ...target, path: pathOf(host, target) })));
    },
  };
}

/** The path of a file in its skill; derived from the URIs if the skill is not listed. */
function pathOf({ server }: HostServer, { skill, file }: SkillFileTarget): string {
  const listed = server.contents.skills.find(({ uri }) => uri === skill);
  const known = listed === undefined ? undefined : [...skillPaths(listed)].find(([, uri]) => uri === file)?.[0];
  return known ?? file.slice(skill.lastIndexOf('/') + 1);
}
