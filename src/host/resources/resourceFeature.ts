import { Uri } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import { isRecord, isString } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { formatCount } from '../../base/truncate.ts';
import type { ResourceContents } from '../../protocol/mcp/content.ts';
import { displayName } from '../../protocol/mcp/displayName.ts';
import type { Resource, ResourceTemplate } from '../../protocol/mcp/resources.ts';
import { parseUriTemplate } from '../../protocol/uriTemplate.ts';
import { askArguments } from '../arguments/askArguments.ts';
import { CommandIds } from '../commandIds.ts';
import { withCallProgress } from '../invocation/callProgress.ts';
import { type ContentItem, createContentPicker, type FeatureContext } from '../invocation/contentPicker.ts';
import { findServer, prepareUse, readContentTarget } from '../invocation/contentTarget.ts';
import { type AskModel, type ModelSubject, resourceContent } from '../invocation/modelQuestion.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import type { ConfirmElsewhere } from '../platform/confirmElsewhere.ts';
import { singleLine } from '../platform/displayText.ts';
import { asPreview, showOwnFile } from '../platform/documents.ts';
import { nameFromUri } from '../platform/fileName.ts';
import { isForPreview } from '../platform/personArguments.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { createDocumentReads, type DocumentsOptions } from './documentReads.ts';
import { createResourceFiles, toResourceUri } from './resourceFiles.ts';
import type { LoadedResource, ResourcePart, ResourceStore } from './resourceStore.ts';
import { offerToSave, pickPart, saveParts, shownResource } from './saveResource.ts';

export interface ResourceFeatureOptions extends DocumentsOptions {
  readonly askModel: AskModel;
  readonly confirmElsewhere: ConfirmElsewhere;
}

/** The commands about resources, and the files they open. Loaded with the first of these. */
export function createResourceFeature(options: ResourceFeatureOptions, seal: AddressSeal) {
  const { registry, logger } = options;
  const disposables = new DisposableStore();
  const reads = disposables.add(
    createDocumentReads(options, ({ server }, uri, signal) => server.readResource(uri, signal && { signal })),
  );
  const files = disposables.add(createResourceFiles(seal, registry, reads, logger));
  return { ...createResourceCommands(options, seal, reads.store), files, dispose: () => disposables.dispose() };
}

interface ChosenResource {
  readonly host: HostServer;
  readonly uri: string;
  /** Who the server was that named it in a result: see `Server.identity`. */
  readonly identity?: string | undefined;
  readonly part?: string | undefined;
}

/**
 * What the commands do. Their arguments come unchecked from VS Code: a row of the tree, `{ server, uri }`, `{ server, uriTemplate }`,
 * or nothing: then the person chooses.
 */
export function createResourceCommands(
  options: Omit<ResourceFeatureOptions, 'documentsFolder' | 'knownSecrets'>,
  seal: AddressSeal,
  store: ResourceStore,
) {
  const { registry, clock, askModel, confirmElsewhere } = options;
  const picker = createPicker(options);

  async function choose(argument: unknown, title: string): Promise<ChosenResource> {
    const resource = readContentTarget(argument, 'uri');
    const target = resource ?? readContentTarget(argument, 'uriTemplate');
    if (target === undefined) {
      const { host, name, item } = await picker.pick(title);
      return choose({ server: host.label, [item]: name }, title);
    }
    const host = findServer(registry, target.server);
    picker.markUsed(target);
    const uri = resource === undefined ? await expand(host, target.name, options) : target.name;
    // What a link in a result passes beside the address.
    const identity = isRecord(argument) && isString(argument['identity']) ? argument['identity'] : undefined;
    return { host, uri, identity };
  }

  async function load({ host, uri, identity }: ChosenResource): Promise<LoadedResource> {
    // Reads that follow, by editors too, cannot ask.
    await prepareUse(host, 'resources', uri, clock, identity);
    return withCallProgress({ title: `Reading ${uri}`, clock }, (signal) => store.load(host.label, uri, signal));
  }

  async function chooseShown(argument: unknown, title: string): Promise<ChosenResource> {
    const shown = shownResource(seal, argument);
    if (shown === undefined) return choose(argument, title);
    const { server, uri, part } = shown;
    const host = findServer(registry, server);
    // VS Code does not say who runs a command, and of a stopped server the document may be the only thing on the screen.
    const isAllowed =
      host.server.state.kind === 'running' ||
      (await confirmElsewhere('Start a server to read a resource', { server, uri }));
    if (!isAllowed) throw new CancelledError();
    return { host, uri, part };
  }

  return {
    async [CommandIds.openResource](argument: unknown): Promise<void> {
      const chosen = await choose(argument, 'Open Resource');
      const { host, uri } = chosen;
      const loaded = await load(chosen);
      const isPreview = isForPreview(argument);
      const part = await choosePart(uri, loaded, isPreview);
      const target = Uri.from(toResourceUri(seal, { server: host.label, uri }, nameOf(host, uri, loaded)));
      const file = part === undefined ? target : Uri.joinPath(target, part.name);
      if (isPreview) return showOwnFile(file, asPreview);
      await showOwnFile(file, { preview: false });
      const shown = part ?? loaded.parts[0];
      if (shown !== undefined) offerToSave(shown);
    },
    /** *Save Resource As…*: saves contents as files. The argument can also be the URI of a document that shows a resource. */
    async [CommandIds.saveResource](argument: unknown): Promise<void> {
      const chosen = await chooseShown(argument, 'Save Resource');
      const { parts } = await load(chosen);
      return saveParts(nameFromUri(chosen.uri), parts, chosen.part);
    },
    /** *Ask a Model About Resource…*, with the same argument as *Save Resource As…*. */
    async [CommandIds.askModelAboutResource](argument: unknown): Promise<void> {
      const chosen = await chooseShown(argument, 'Ask a Model About Resource');
      await askModel(subjectOf(chosen, await load(chosen)));
    },
  };
}

/** Asks for the variables of a template, with the server's completion. */
async function expand(host: HostServer, uri: string, { clock, logger }: FeatureContext): Promise<string> {
  await prepareUse(host, 'resourceTemplates', uri, clock);
  const template = parseUriTemplate(uri);
  const listed = host.server.contents.resourceTemplates.find(({ uriTemplate }) => uriTemplate === uri);
  const values = await askArguments({
    title: listed === undefined ? uri : displayName(listed),
    fields: template.variables.map(({ name, isRequired }) => ({
      name,
      label: name,
      isRequired,
      description: `Part of ${uri}`,
    })),
    server: host.server,
    reference: { type: 'ref/resource', uri },
    clock,
    logger,
  });
  return template.expand(values);
}

/** Of several contents, the first for a preview, which asks nothing. */
async function choosePart(uri: string, loaded: LoadedResource, isPreview: boolean): Promise<ResourcePart | undefined> {
  if (loaded.parts.length < 2) return undefined;
  return isPreview ? loaded.parts[0] : pickPart(uri, loaded.parts, questionFor(loaded));
}

function questionFor({ parts: { length } }: LoadedResource): string {
  return length < limits.shown.contents
    ? 'This resource has several contents. Choose one.'
    : `These are the first ${formatCount(length)} contents of this resource. Choose one.`;
}

/** The display name that the server lists, and the media type that came with the contents. */
function nameOf({ server }: HostServer, uri: string, { parts }: LoadedResource) {
  const listed = server.contents.resources.find((resource) => resource.uri === uri);
  // A folder's own name has no extension.
  const mimeType = parts.length === 1 ? (parts[0]?.mimeType ?? listed?.mimeType) : undefined;
  return { text: listed === undefined ? nameFromUri(uri) : displayName(listed), mimeType };
}

function subjectOf({ host, uri, part }: ChosenResource, loaded: LoadedResource): ModelSubject {
  const parts = part === undefined ? loaded.parts : loaded.parts.filter(({ name }) => name === part);
  return {
    server: host.label,
    title: singleLine(nameOf(host, uri, loaded).text, 60),
    about: `resource ${singleLine(uri, 200)}`,
    messages: resourceContent(parts.map(toContents)),
    needsQuestion: true,
  };
}

function toContents({ uri, mimeType, bytes, isBinary }: ResourcePart): ResourceContents {
  const content = Buffer.from(bytes);
  return {
    uri,
    ...(mimeType !== undefined && { mimeType }),
    ...(isBinary ? { blob: content.toString('base64') } : { text: content.toString('utf8') }),
  };
}

function createPicker(context: FeatureContext) {
  return createContentPicker({
    ...context,
    placeholder: 'Choose a resource or a template',
    noun: 'resources',
    storageKey: 'patchbay.recentResources',
    itemsOf: ({ resources, resourceTemplates }) => [
      ...resources.map((each) => toItem('uri', 'file', each, each.uri)),
      ...resourceTemplates.map((each) => toItem('uriTemplate', 'symbol-snippet', each, each.uriTemplate)),
    ],
  });
}

/** @param item the member of a command's argument that names it */
function toItem(
  item: 'uri' | 'uriTemplate',
  icon: string,
  listed: Resource | ResourceTemplate,
  name: string,
): ContentItem<'uri' | 'uriTemplate'> {
  return { item, icon, label: displayName(listed), name, about: listed.description };
}
