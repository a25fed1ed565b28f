import { Buffer } from 'node:buffer';
import { isString } from '../base/json.ts';
import { percentDecoded } from '../base/truncate.ts';
import { ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import type { ResourceContents } from '../protocol/mcp/content.ts';
import type { Resource, ResourceTemplate } from '../protocol/mcp/resources.ts';
import { notePrefix, noteUri } from './notes.ts';
import { createLeafletPdf, createLogoIcons, logoPng } from './sampleFiles.ts';
import { invalidParams, type Session } from './session.ts';
import { weatherApp } from './weatherApp.ts';
import { isPlace, placeCompletions, reportWeather } from './weather.ts';

/** For each argument, all its values; `chosen` has the arguments that the client has already chosen. */
export type Completions = Readonly<
  Record<string, (chosen: Readonly<Record<string, string>>, session: Session) => readonly string[]>
>;

/** The resource that changes by itself. */
const clockUri = 'demo://clock';

/** Milliseconds between two changes of {@link clockUri}. */
const tickMs = 2000;

const weatherPrefix = 'demo://weather/';

export const templates: readonly { readonly definition: ResourceTemplate; readonly completions: Completions }[] = [
  {
    definition: {
      uriTemplate: `${notePrefix}{name}`,
      name: 'note',
      title: 'A Note',
      description: 'One note, by its name.',
      mimeType: 'text/markdown',
    },
    completions: { name: (_chosen, { notes }) => [...notes.keys()] },
  },
  {
    definition: {
      uriTemplate: `${weatherPrefix}{country}/{city}`,
      name: 'weather',
      title: 'Weather of a City',
      description: 'Invented weather. Which cities are offered depends on the country.',
      mimeType: 'application/json',
      annotations: { audience: ['assistant'], priority: 0.3 },
    },
    completions: placeCompletions,
  },
];

/** What this server shows, as a table in Markdown. */
export const features = `| Try | To see |
|---|---|
| tool \`add\` | structured content |
| tool \`slow_count\` | progress and cancelling |
| tool \`summarize\` | a request for a language model, and your consent |
| tool \`add_up_prices\` | a language model that uses a tool of a server |
| tool \`order_lunch\` | a form |
| tool \`list_roots\` | the folders you lend |
| tool \`add_note\` | a list of resources that changes |
| tool \`weather_app\` | an app of the server, in a tab |
| tool \`unlock\` | lists of tools and prompts that change |
| prompt \`plan_trip\` | completion that depends on an earlier argument |
| resource \`demo://clock\` | live updates |
`;

const readme = `# Patchbay demo server

A small MCP server inside the extension. It needs no network and touches no file.

${features}`;

export const readmeSize = Buffer.byteLength(readme);

const folder: readonly ResourceContents[] = [
  { uri: 'demo://folder/hello.txt', mimeType: 'text/plain', text: 'Hello from the first file.\n' },
  { uri: 'demo://folder/data.json', mimeType: 'application/json', text: '{ "file": 2 }\n' },
];

interface DemoResource {
  readonly definition: Resource;
  /** The parts of its contents, without what the definition says. */
  readonly parts: (session: Session) => readonly Partial<ResourceContents>[];
}

function createResources(): readonly DemoResource[] {
  const leaflet = createLeafletPdf();
  return [
    {
      definition: {
        uri: 'demo://readme',
        mimeType: 'text/markdown',
        name: 'readme',
        title: 'Read Me',
        description: 'What this server offers.',
        size: readmeSize,
        annotations: { audience: ['user'], priority: 1, lastModified: '2026-07-28T09:00:00Z' },
      },
      parts: () => [{ text: readme }],
    },
    {
      definition: {
        uri: 'demo://logo',
        mimeType: 'image/png',
        name: 'logo',
        title: 'Logo',
        description: 'A picture, drawn by the server.',
        icons: createLogoIcons(),
      },
      parts: () => [{ blob: logoPng(128) }],
    },
    {
      definition: {
        uri: clockUri,
        mimeType: 'text/plain',
        name: 'clock',
        title: 'Clock',
        description: 'Changes every two seconds while subscribed.',
      },
      parts: ({ clock }) => [{ text: `${new Date(clock.now()).toISOString()}\n` }],
    },
    {
      definition: {
        uri: 'demo://folder',
        name: 'folder',
        title: 'Folder',
        description: 'One resource with two parts.',
      },
      parts: () => folder,
    },
    {
      definition: {
        uri: 'demo://leaflet',
        mimeType: 'application/pdf',
        name: 'leaflet',
        title: 'Leaflet',
        description: 'A PDF, to be saved.',
        size: Buffer.from(leaflet, 'base64').length,
      },
      parts: () => [{ blob: leaflet }],
    },
  ];
}

export function listResources({ notes }: Session): readonly { readonly definition: Resource }[] {
  const mimeType = 'text/markdown';
  const noted = [...notes.keys()].map((name) => ({
    definition: { uri: noteUri(name), name, description: `The note "${name}".`, mimeType },
  }));
  return [...createResources(), ...noted];
}

export function readResource(uri: unknown, session: Session): readonly ResourceContents[] {
  if (!isString(uri)) throw invalidParams('uri must be a string.');
  const contents = find(uri, session);
  if (contents === undefined) throw new JsonRpcError(ErrorCodes.resourceNotFound, 'Resource not found', { uri });
  return contents;
}

function find(uri: string, session: Session): readonly ResourceContents[] | undefined {
  const resource = createResources().find(({ definition }) => definition.uri === uri);
  if (resource !== undefined) {
    const { mimeType } = resource.definition;
    return resource.parts(session).map((part) => ({ uri, ...(mimeType !== undefined && { mimeType }), ...part }));
  }
  if (uri.startsWith(notePrefix)) {
    const text = session.notes.get(percentDecoded(uri.slice(notePrefix.length)));
    return text === undefined ? undefined : [{ uri, mimeType: 'text/markdown', text }];
  }
  if (uri.startsWith(weatherPrefix)) {
    const [country = '', city = '', ...rest] = uri.slice(weatherPrefix.length).split('/').map(percentDecoded);
    if (rest.length > 0 || !isPlace(country, city)) return undefined;
    return [{ uri, mimeType: 'application/json', text: `${JSON.stringify(reportWeather(city), undefined, 2)}\n` }];
  }
  const part = [weatherApp, ...folder].find((candidate) => candidate.uri === uri);
  return part && [part];
}

/** Tells of the changes of {@link clockUri}. */
export function tickClock(session: Session): void {
  const tick = (): void => {
    session.notifyUpdated(clockUri);
    tickClock(session);
  };
  session.clock.after(tickMs, tick, { isBackground: true });
}
