import { Uri } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { isRecord, isString } from '../../base/json.ts';
import { CommandIds } from '../commandIds.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { withCallProgress } from '../invocation/callProgress.ts';
import { createContentPicker, type FeatureContext } from '../invocation/contentPicker.ts';
import { ensureListed, findServer, readContentTarget } from '../invocation/contentTarget.ts';
import { showOwnFile } from '../platform/documents.ts';
import { DocumentReads, type DocumentsOptions } from '../resources/documentReads.ts';
import { createResourceStore } from '../resources/resourceStore.ts';
import { SkillFiles, skillFileKey, type SkillFileTarget, skillPaths, toSkillUri } from './skillFiles.ts';

/** The command about skills, and the files it opens. Loaded with the first of these. */
export function createSkillFeature(options: FeatureContext & DocumentsOptions, seal: AddressSeal) {
  const { registry, clock } = options;
  const disposables = new DisposableStore();
  const reads = disposables.add(new DocumentReads(options));
  // Files of running servers that were read and verified.
  const store = createResourceStore({
    clock,
    definitionOf: (label) => registry.get(label)?.server.identity,
    async read(label, key, signal) {
      const [skill, file] = JSON.parse(key) as [skill: string, file: string];
      const { contents } = await findServer(registry, label).server.readSkillFile(skill, file, signal && { signal });
      return { contents: [contents] };
    },
  });
  const picker = createContentPicker({
    ...options,
    placeholder: 'Choose a skill',
    noun: 'skills',
    storageKey: 'patchbay.recentSkills',
    itemsOf: ({ skills }) =>
      skills.map((item) => ({ item, icon: 'book', label: item.name, name: item.uri, about: item.description })),
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

  /**
   * *Open Skill…*: opens a file of a skill in an editor after it was verified. The argument is a row of the tree,
   * `{ server, skill, file? }` with URIs, of SKILL.md if there is no `file`, or nothing: then the person chooses.
   */
  async function open(argument: unknown): Promise<void> {
    const { server: label, skill, file } = await choose(argument);
    const host = findServer(registry, label);
    await ensureListed(host, 'skills', clock);
    const key = skillFileKey(skill, file);
    await withCallProgress({ title: `Reading ${file}`, clock }, (signal) => store.load(label, key, signal));
    picker.markUsed({ server: label, name: skill });
    const listed = host.server.contents.skills.find(({ uri }) => uri === skill);
    const known = listed && [...skillPaths(listed)].find(([, uri]) => uri === file)?.[0];
    // Derived from the URIs if the skill is not listed.
    const path = known ?? file.slice(skill.lastIndexOf('/') + 1);
    await showOwnFile(Uri.from(toSkillUri(seal, { server: label, skill, path })));
  }

  return {
    files: new SkillFiles(seal, registry, store, reads),
    [CommandIds.openSkill]: open,
    dispose: (): void => disposables.dispose(),
  };
}
