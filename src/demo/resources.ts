import { Buffer } from 'node:buffer';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { UnknownRecord } from '../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import type { ResourceContents } from '../protocol/mcp/content.ts';
import type { Resource, ResourceTemplate } from '../protocol/mcp/resources.ts';
import { type Completable, createCompletions } from './completion.ts';
import { type NoteStore, notePrefix, noteUri } from './notes.ts';
import { paginate } from './pagination.ts';
import { invalidParams, type RpcServer } from './rpcServer.ts';
import { createLeafletPdf, createLogoPng } from './sampleFiles.ts';
import { readWeatherApp, weatherAppUri } from './weatherApp.ts';
import { citiesOf, countries, isPlace, reportWeather } from './weather.ts';

/** The resource that changes by itself. */
const clockUri = 'demo://clock';

/** Milliseconds between two changes of {@link clockUri}. */
const tickMs = 2000;

export interface ResourceCatalog {
  list(): readonly Resource[];
  readonly templates: readonly Completable<ResourceTemplate>[];
  /** @returns the contents, or `undefined` if there is no such resource */
  read(uri: string): readonly ResourceContents[] | undefined;
}

export interface ResourceDependencies {
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  readonly notes: NoteStore;
}

/** Answers all `resources/…` requests and sends notifications about changes. Dispose it to stop the timer of the clock. */
export function registerResources(rpc: RpcServer, { catalog, clock, notes }: ResourceDependencies): Disposable {
  const subscribed = new Set<string>();
  let tick: Disposable | undefined;

  const notifyUpdated = (uri: string): void => {
    if (subscribed.has(uri)) rpc.notify('notifications/resources/updated', { uri });
  };
  const scheduleTick = (): void => {
    tick = clock.after(tickMs, () => {
      notifyUpdated(clockUri);
      scheduleTick();
    });
  };
  const updateTick = (): void => {
    if (subscribed.has(clockUri) === (tick !== undefined)) return;
    tick?.dispose();
    tick = undefined;
    if (subscribed.has(clockUri)) scheduleTick();
  };

  const templates = catalog.templates.map(({ definition }) => definition);
  rpc.handle('resources/list', (params) => paginate('resources', catalog.list(), params));
  rpc.handle('resources/templates/list', (params) => paginate('resourceTemplates', templates, params));
  rpc.handle('resources/read', (params) => ({ contents: readOrThrow(catalog, readUri(params)) }));
  rpc.handle('resources/subscribe', (params) => {
    const uri = readUri(params);
    readOrThrow(catalog, uri);
    subscribed.add(uri);
    updateTick();
    return {};
  });
  rpc.handle('resources/unsubscribe', (params) => {
    subscribed.delete(readUri(params));
    updateTick();
    return {};
  });
  notes.onDidChange(({ name, kind }) => {
    if (kind === 'replaced') notifyUpdated(noteUri(name));
    else rpc.notify('notifications/resources/list_changed');
  });
  return { dispose: () => tick?.dispose() };
}

function readUri(params: UnknownRecord): string {
  const uri = params['uri'];
  if (typeof uri !== 'string') throw invalidParams('uri must be a string.');
  return uri;
}

function readOrThrow(catalog: ResourceCatalog, uri: string): readonly ResourceContents[] {
  const contents = catalog.read(uri);
  if (contents === undefined) throw new JsonRpcError(ErrorCodes.resourceNotFound, 'Resource not found', { uri });
  return contents;
}

interface FixedResource {
  readonly definition: Resource;
  readonly read: () => readonly ResourceContents[];
}

const weatherPrefix = 'demo://weather/';

/** @param clock read by the resource {@link clockUri} */
export function createResourceCatalog(notes: NoteStore, clock: Clock): ResourceCatalog {
  const fixed = [createReadme(), createLogo(), createClockResource(clock), createFolder(), createLeaflet()];

  return {
    templates: [createNoteTemplate(notes), createWeatherTemplate()],
    list: () => [...fixed.map(({ definition }) => definition), ...notes.names.map(describeNote)],
    read(uri) {
      const entry = fixed.find(({ definition }) => definition.uri === uri);
      if (entry !== undefined) return entry.read();
      if (uri === weatherAppUri) return readWeatherApp();
      if (uri.startsWith(notePrefix)) return readNote(uri, notes);
      if (uri.startsWith(weatherPrefix)) return readWeather(uri);
      const part = folderParts.find((candidate) => candidate.uri === uri);
      return part && [part];
    },
  };
}

const readme = `# Patchbay demo server

A small MCP server inside the extension. It needs no network and touches no file.

| Try | To see |
|---|---|
| tool \`add\` | structured content |
| tool \`slow_count\` | progress and cancelling |
| tool \`summarize\` | a request for a language model, and your consent |
| tool \`list_roots\` | the folders you lend |
| tool \`add_note\` | a list of resources that changes |
| tool \`weather_app\` | an app of the server, in a tab |
| tool \`unlock\` | lists of tools and prompts that change |
| prompt \`plan_trip\` | completion that depends on an earlier argument |
| resource \`demo://clock\` | live updates |
`;

/** The size of the resource `demo://readme` in bytes. */
export function readmeSize(): number {
  return Buffer.byteLength(readme);
}

function createReadme(): FixedResource {
  const uri = 'demo://readme';
  const mimeType = 'text/markdown';
  return {
    definition: {
      uri,
      mimeType,
      name: 'readme',
      title: 'Read Me',
      description: 'What this server offers.',
      size: readmeSize(),
      annotations: { audience: ['user'], priority: 1, lastModified: '2026-07-28T09:00:00Z' },
    },
    read: () => [{ uri, mimeType, text: readme }],
  };
}

function createLogo(): FixedResource {
  const uri = 'demo://logo';
  const mimeType = 'image/png';
  return {
    definition: {
      uri,
      mimeType,
      name: 'logo',
      title: 'Logo',
      description: 'A picture, drawn by the server.',
      icons: [{ src: `data:image/png;base64,${createLogoPng(32)}`, mimeType, sizes: ['32x32'] }],
    },
    read: () => [{ uri, mimeType, blob: createLogoPng(128) }],
  };
}

function createClockResource(clock: Clock): FixedResource {
  const uri = clockUri;
  const mimeType = 'text/plain';
  return {
    definition: {
      uri,
      mimeType,
      name: 'clock',
      title: 'Clock',
      description: 'Changes every two seconds while subscribed.',
    },
    read: () => [{ uri, mimeType, text: `${new Date(clock.now()).toISOString()}\n` }],
  };
}

const folderParts: readonly ResourceContents[] = [
  { uri: 'demo://folder/hello.txt', mimeType: 'text/plain', text: 'Hello from the first file.\n' },
  { uri: 'demo://folder/data.json', mimeType: 'application/json', text: '{ "file": 2 }\n' },
];

function createFolder(): FixedResource {
  return {
    definition: { uri: 'demo://folder', name: 'folder', title: 'Folder', description: 'One resource with two parts.' },
    read: () => folderParts,
  };
}

function createLeaflet(): FixedResource {
  const uri = 'demo://leaflet';
  const mimeType = 'application/pdf';
  const blob = createLeafletPdf();
  return {
    definition: {
      uri,
      mimeType,
      name: 'leaflet',
      title: 'Leaflet',
      description: 'A PDF, to be saved.',
      size: Buffer.from(blob, 'base64').length,
    },
    read: () => [{ uri, mimeType, blob }],
  };
}

function describeNote(name: string): Resource {
  return { uri: noteUri(name), name, description: `The note "${name}".`, mimeType: 'text/markdown' };
}

function readNote(uri: string, notes: NoteStore): readonly ResourceContents[] | undefined {
  const name = decode(uri.slice(notePrefix.length));
  const text = name === undefined ? undefined : notes.get(name);
  return text === undefined ? undefined : [{ uri, mimeType: 'text/markdown', text }];
}

function createNoteTemplate(notes: NoteStore): Completable<ResourceTemplate> {
  return {
    definition: {
      uriTemplate: `${notePrefix}{name}`,
      name: 'note',
      title: 'A Note',
      description: 'One note, by its name.',
      mimeType: 'text/markdown',
    },
    completions: createCompletions({ name: () => notes.names }),
  };
}

function createWeatherTemplate(): Completable<ResourceTemplate> {
  return {
    definition: {
      uriTemplate: `${weatherPrefix}{country}/{city}`,
      name: 'weather',
      title: 'Weather of a City',
      description: 'Invented weather. Which cities are offered depends on the country.',
      mimeType: 'application/json',
      annotations: { audience: ['assistant'], priority: 0.3 },
    },
    completions: createCompletions({ country: () => countries, city: ({ country }) => citiesOf(country) }),
  };
}

function readWeather(uri: string): readonly ResourceContents[] | undefined {
  const [country, city, ...rest] = uri.slice(weatherPrefix.length).split('/').map(decode);
  if (country === undefined || city === undefined || rest.length > 0 || !isPlace(country, city)) return undefined;
  return [{ uri, mimeType: 'application/json', text: `${JSON.stringify(reportWeather(city), undefined, 2)}\n` }];
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    // Not valid percent-encoding, so there is no such resource.
    return undefined;
  }
}
