import { appMimeType } from '../protocol/mcp/apps.ts';
import type { ResourceContents } from '../protocol/mcp/content.ts';
import { type DemoTool, defineTool, onlyAnswers, structuredResult } from './tool.ts';
import { citiesOf, countries, weatherResult, weatherSchema } from './weather.ts';

/** The address of the demo's app (SEP-1865). It is in no list: its tool leads to it. */
const weatherAppUri = 'ui://patchbay-demo/weather';

/** The tool whose results the app shows, and one for the app alone, which no model is offered. */
export const weatherAppTools: readonly DemoTool[] = [
  defineTool({
    name: 'weather_app',
    title: 'Weather App',
    description: 'Shows the invented weather of a city in an app.',
    input: { city: { type: 'string', description: 'Any city', minLength: 1, maxLength: 100, default: 'Lisbon' } },
    outputSchema: weatherSchema,
    annotations: onlyAnswers,
    _meta: { ui: { resourceUri: weatherAppUri } },
    run: ({ city }) => weatherResult(city),
  }),
  defineTool({
    name: 'weather_places',
    title: 'Weather Places',
    description: 'Cities that the weather app suggests.',
    input: {},
    annotations: onlyAnswers,
    _meta: { ui: { visibility: ['app'] } },
    run() {
      const places = countries.flatMap((country) => citiesOf(country).slice(0, 1));
      return structuredResult(places.join(', '), { places });
    },
  }),
];

/** All of the protocol that an app needs, without a library. */
const script = String.raw`
const waiting = new Map();
let last = 0;
const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const notify = (method, params = {}) => post({ method, params });
const request = (method, params = {}) => new Promise((resolve, reject) => {
  last += 1;
  waiting.set(last, { resolve, reject });
  post({ id: last, method, params });
});
const shown = document.getElementById('shown');
const said = document.getElementById('said');
const say = (text) => { said.textContent = text; };
let report;
let mode = 'inline';

function applyContext(context = {}) {
  if (context.displayMode) {
    mode = context.displayMode;
    document.getElementById('mode').textContent = mode === 'fullscreen' ? 'Show Beside' : 'Fill the Tab';
  }
  if (context.theme) document.documentElement.style.colorScheme = context.theme;
  for (const [name, value] of Object.entries(context.styles?.variables ?? {}))
    document.documentElement.style.setProperty(name, value);
}

function cell(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function show(next) {
  if (!next?.city) return;
  report = next;
  const rows = next.forecast.map((day) => {
    const row = document.createElement('tr');
    row.append(cell('th', day.day), cell('td', day.conditions), cell('td', day.lowCelsius + ' to ' + day.highCelsius + ' °C'));
    return row;
  });
  const table = document.createElement('table');
  table.append(...rows);
  shown.replaceChildren(cell('h1', next.city), cell('p', next.conditions + ', ' + next.temperatureCelsius + ' °C'), table);
  request('ui/update-model-context', { content: [{ type: 'text', text: 'The person looks at the weather of ' + next.city + '.' }] }).catch(() => {});
}

const handlers = {
  'ui/notifications/tool-input': ({ arguments: given }) => { if (!report) shown.replaceChildren(cell('p', 'Asking for ' + (given?.city ?? 'a city') + ' …')); },
  'ui/notifications/tool-result': (result) => show(result.structuredContent),
  'ui/notifications/tool-cancelled': ({ reason }) => say('The call ended without a result: ' + reason),
  'ui/notifications/host-context-changed': applyContext,
  'ui/resource-teardown': () => ({}),
  'tools/list': () => ({ tools: [{ name: 'shown_city', description: 'Which city the app shows.', inputSchema: { type: 'object', properties: {} }, annotations: { readOnlyHint: true } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: report ? report.city : 'none' }] }),
};

addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return;
  if (data.method === undefined) {
    const open = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) open?.reject(new Error(data.error.message));
    else open?.resolve(data.result);
    return;
  }
  const handler = handlers[data.method];
  const result = handler?.(data.params ?? {});
  if (data.id !== undefined)
    post(handler ? { id: data.id, result: result ?? {} } : { id: data.id, error: { code: -32601, message: 'Unknown method' } });
});

async function ask(city) {
  say('Asking …');
  try {
    const result = await request('tools/call', { name: 'weather_app', arguments: { city } });
    show(result.structuredContent);
    say('');
  } catch (error) {
    say('Not allowed: ' + error.message);
  }
}

document.getElementById('form').addEventListener('submit', (event) => { event.preventDefault(); });
document.getElementById('go').addEventListener('click', () => ask(document.getElementById('city').value));
document.getElementById('suggest').addEventListener('click', async () => {
  try {
    const { structuredContent } = await request('tools/call', { name: 'weather_places', arguments: {} });
    document.getElementById('city').value = structuredContent.places[0];
    say('Try ' + structuredContent.places.join(', ') + '.');
  } catch (error) {
    say('Not allowed: ' + error.message);
  }
});
document.getElementById('tell').addEventListener('click', async () => {
  const text = report ? 'What should I wear in ' + report.city + ' today?' : 'Which city?';
  const result = await request('ui/message', { role: 'user', content: [{ type: 'text', text }] });
  say(result.isError ? 'Not sent.' : 'It is yours to send.');
});
document.getElementById('mode').addEventListener('click', async () => {
  const wanted = mode === 'fullscreen' ? 'inline' : 'fullscreen';
  const { mode: shownAs } = await request('ui/request-display-mode', { mode: wanted });
  say('Shown ' + shownAs + '.');
});
new ResizeObserver(() => notify('ui/notifications/size-changed', { height: document.body.offsetHeight })).observe(document.body);

const { hostContext } = await request('ui/initialize', {
  protocolVersion: '2026-01-26',
  appInfo: { name: 'Weather App', version: '1.0.0' },
  appCapabilities: { tools: {}, availableDisplayModes: ['inline', 'fullscreen', 'pip'] },
});
applyContext(hostContext);
notify('ui/notifications/initialized');
`;

const document = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Weather App</title>
<style>
body { margin: 0; padding: 16px; font: var(--font-text-md-size, 13px)/1.45 var(--font-sans, sans-serif); color: var(--color-text-primary, inherit); background: var(--color-background-primary, transparent); }
h1 { margin: 0; font-size: var(--font-heading-2xl-size, 24px); }
p { margin: 4px 0 12px; }
th { text-align: start; font-weight: var(--font-weight-medium, 500); }
th, td { padding: 4px 16px 4px 0; border-bottom: 1px solid var(--color-border-secondary, currentColor); }
form { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 16px; }
input, button { padding: 4px 10px; font: inherit; color: inherit; background: var(--color-background-secondary, transparent); border: 1px solid var(--color-border-primary, currentColor); border-radius: var(--border-radius-md, 4px); }
:focus-visible { outline: 2px solid var(--color-ring-primary, currentColor); outline-offset: 1px; }
#said { min-height: 1.5em; color: var(--color-text-secondary, inherit); }
</style>
</head>
<body>
<div id="shown"><p>Call the tool to see the weather.</p></div>
<form id="form">
<label>City <input id="city" value="Porto"></label>
<button id="go" type="button">Show</button>
<button id="suggest" type="button">Suggest</button>
<button id="tell" type="button">Ask in Chat</button>
<button id="mode" type="button">Fill the Tab</button>
</form>
<p id="said" role="status"></p>
<script type="module">${script}</script>
</body>
</html>
`;

export const weatherApp: ResourceContents = {
  uri: weatherAppUri,
  mimeType: appMimeType,
  text: document,
  _meta: { ui: { prefersBorder: false } },
};
