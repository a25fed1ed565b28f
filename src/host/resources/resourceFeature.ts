import { commands, Uri, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { CancelledError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { formatCount } from '../../base/truncate.ts';
import { displayName } from '../../protocol/mcp/displayName.ts';
import type { ReadResourceResult, Resource, ResourceTemplate } from '../../protocol/mcp/resources.ts';
import { parseUriTemplate } from '../../protocol/uriTemplate.ts';
import { askArguments, type CompleteArgument } from '../arguments/askArguments.ts';
import { withCallProgress } from '../invocation/callProgress.ts';
import { type ContentChoice, contentKey, pickContent } from '../invocation/contentPicker.ts';
import { type ContentTarget, findServer, readContentTarget } from '../invocation/contentTarget.ts';
import { ensureListed, ensureRunning } from '../invocation/ensureRunning.ts';
import { createRecentItems, type Storage } from '../invocation/recentItems.ts';
import { escapeIcons, singleLine } from '../platform/displayText.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import type { ResourcesOptions } from './registerResources.ts';
import { ResourceFiles } from './resourceFiles.ts';
import { createResourceStore, type LoadedResource, type ResourcePart, type ResourceStore } from './resourceStore.ts';
import { nameFromUri } from '../platform/fileName.ts';
import { toResourceUri } from './resourceUri.ts';
import { offerToSave, saveParts, shownResource } from './saveResource.ts';

/** What it takes to open a resource, loaded when one is first opened. */
export interface ResourceFeature {
  readonly files: ResourceFiles;
  readonly opener: ResourceOpener;
}

export function createResourceFeature(options: ResourcesOptions): ResourceFeature {
  const { registry, clock } = options;
  const store = createResourceStore({ clock, read });

  async function read(label: string, uri: string, signal: AbortSignal | undefined): Promise<ReadResourceResult> {
    const server = await ensureRunning(registry, label, 'resources', signal);
    return server.readResource(uri, signal && { signal });
  }

  return { files: new ResourceFiles({ ...options, store }), opener: createResourceOpener({ ...options, store }) };
}

export interface ResourceOpenerOptions {
  readonly registry: ServerRegistry;
  readonly store: ResourceStore;
  /** Remembers which resources were opened. */
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
}

type Offer =
  | { readonly kind: 'resource'; readonly resource: Resource }
  | { readonly kind: 'template'; readonly template: ResourceTemplate };

/**
 * What the commands about resources do. The argument is a row of the tree, `{ server, uri }` or `{ server, uriTemplate }`;
 * without one it is chosen from a list.
 */
export interface ResourceOpener {
  /** Opens a resource in an editor. */
  open(argument: unknown): Promise<void>;
  /** Saves what was read as files. The argument can also be the URI of a document that shows a resource. */
  save(argument: unknown): Promise<void>;
}

interface ChosenResource {
  readonly host: HostServer;
  readonly uri: string;
}

export function createResourceOpener(options: ResourceOpenerOptions): ResourceOpener {
  const { registry, store, clock } = options;
  const recent = createRecentItems(options.storage, 'patchbay.recentResources');

  async function choose(argument: unknown, title: string): Promise<ChosenResource> {
    const resource = readContentTarget(argument, 'uri');
    const template = readContentTarget(argument, 'uriTemplate');
    const target = resource ?? template;
    if (target !== undefined) return settle(target, template !== undefined);
    const texts = { title, placeholder: 'Choose a resource or a template', noun: 'resources' } as const;
    const { host, item, name } = await pickContent({ ...texts, registry, choicesOf, recent, clock });
    return settle({ server: host.label, name }, item.kind === 'template');
  }

  async function settle({ server, name }: ContentTarget, isTemplate: boolean): Promise<ChosenResource> {
    const host = findServer(registry, server);
    recent.touch(contentKey(server, name));
    return { host, uri: isTemplate ? await expand(host, name, options) : name };
  }

  async function load({ host, uri }: ChosenResource): Promise<LoadedResource> {
    await ensureListed(host, 'resources', clock);
    // Reads that follow, by editors too, cannot ask.
    await host.server.preflight('resources', uri, { origin: 'person' });
    return withCallProgress({ title: `Reading ${uri}`, clock }, (signal) => store.load(host.label, uri, signal));
  }

  return {
    async open(argument) {
      const chosen = await choose(argument, 'Open Resource');
      const { host, uri } = chosen;
      const loaded = await load(chosen);
      const part = loaded.parts.length > 1 ? await pickPart(uri, loaded) : undefined;
      const target = Uri.from(toResourceUri(host.label, uri, nameOf(host, uri, loaded)));
      await commands.executeCommand('vscode.open', part === undefined ? target : Uri.joinPath(target, part.name));
      const shown = part ?? loaded.parts[0];
      if (shown !== undefined) offerToSave(shown);
    },
    async save(argument) {
      const shown = shownResource(argument);
      if (shown === undefined) {
        const chosen = await choose(argument, 'Save Resource');
        return saveParts(nameFromUri(chosen.uri), (await load(chosen)).parts);
      }
      const { parts } = await load({ host: findServer(registry, shown.server), uri: shown.uri });
      return saveParts(nameFromUri(shown.uri), parts, shown.part);
    },
  };
}

/** Asks for the variables of a template, with the server's completion. */
async function expand(
  host: HostServer,
  uriTemplate: string,
  { clock, logger }: ResourceOpenerOptions,
): Promise<string> {
  await ensureListed(host, 'resourceTemplates', clock);
  await host.server.preflight('resourceTemplates', uriTemplate, { origin: 'person' });
  const template = parseUriTemplate(uriTemplate);
  const listed = host.server.contents.resourceTemplates.find((candidate) => candidate.uriTemplate === uriTemplate);
  const reference = { type: 'ref/resource', uri: uriTemplate } as const;
  const complete: CompleteArgument = (field, value, settled, signal) =>
    host.server.complete(reference, { name: field.name, value }, settled, { signal });
  const values = await askArguments({
    title: listed === undefined ? uriTemplate : displayName(listed),
    fields: template.variables.map(({ name, isRequired }) => ({
      name,
      label: name,
      isRequired,
      description: `Part of ${uriTemplate}`,
    })),
    complete,
    clock,
    logger,
  });
  return template.expand(values);
}

async function pickPart(uri: string, { parts }: LoadedResource): Promise<ResourcePart> {
  const rows = parts.map((part) => ({
    label: escapeIcons(singleLine(part.name)),
    description: [escapeIcons(singleLine(part.mimeType ?? '', 60)), `${part.bytes.length.toLocaleString('en')} bytes`]
      .filter(Boolean)
      .join(' · '),
    detail: escapeIcons(singleLine(part.uri)),
    part,
  }));
  const picked = await window.showQuickPick(rows, {
    title: singleLine(uri, 100),
    placeHolder:
      parts.length < limits.shown.contents
        ? 'This resource has several contents. Choose one.'
        : `These are the first ${formatCount(parts.length)} contents of this resource. Choose one.`,
  });
  if (picked === undefined) throw new CancelledError();
  return picked.part;
}

/** The listed name, which is made for people; the type as it was read, which is the true one. */
function nameOf(
  { server }: HostServer,
  uri: string,
  { parts }: LoadedResource,
): { text: string; mimeType: string | undefined } {
  const listed = server.contents.resources.find((resource) => resource.uri === uri);
  const [only] = parts;
  // A folder's own name has no extension.
  const mimeType = parts.length === 1 ? (only?.mimeType ?? listed?.mimeType) : undefined;
  return { text: listed === undefined ? nameFromUri(uri) : displayName(listed), mimeType };
}

function choicesOf(host: HostServer): ContentChoice<Offer>[] {
  const { resources, resourceTemplates } = host.server.contents;
  const choice = (item: Offer, name: string, listed: Resource | ResourceTemplate): ContentChoice<Offer> => ({
    host,
    item,
    key: contentKey(host.label, name),
    icon: item.kind === 'resource' ? 'file' : 'symbol-snippet',
    label: displayName(listed),
    name,
    about: listed.description,
  });
  return [
    ...resources.map((resource) => choice({ kind: 'resource', resource }, resource.uri, resource)),
    ...resourceTemplates.map((template) => choice({ kind: 'template', template }, template.uriTemplate, template)),
  ];
}
