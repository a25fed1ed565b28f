import type { AppCallView, AppMemory, AppView } from '../../src/shared/appMessages.ts';
import type { PanelPage } from './panelPage.ts';

export const appMemory: AppMemory = { server: 'weather', tool: 'weather_app', occurrence: 0 };

/** An app that is shown. */
export const appView: AppView = {
  server: 'weather',
  tool: 'weather_app',
  title: 'Weather App',
  state: { kind: 'shown' },
  reach: { places: [], permissions: [] },
  notices: [],
  blocked: [],
  muted: [],
  isKeptFromCode: false,
  logged: [],
  isInvented: false,
  call: undefined,
  question: undefined,
  hasBorder: false,
  isFilling: false,
  isWide: false,
};

/** An app that wants to reach something. */
export const askingView: AppView = {
  ...appView,
  state: { kind: 'asking', isChanged: false, isCode: false, id: 7 },
  reach: { places: ['Send to and get from https://api.weather.example'], permissions: ['Write to your clipboard'] },
  notices: ['"*" is not an origin.'],
};

/** The call of an app, longer than a line. */
export const shownCall: AppCallView = {
  args: JSON.stringify({ city: 'Bern', comment: 'long '.repeat(40) }),
  result: 'Rain.\n\n```json\n{ "city": "Bern" }\n```\n',
};

export type Sent = Readonly<Record<string, unknown>>;

/** The messages of one type that the page has sent. */
export const ofType = ({ sent }: PanelPage, wanted: string): readonly Sent[] =>
  (sent as readonly Sent[]).filter(({ type }) => type === wanted);

export const postApp = (panel: PanelPage, view: AppView): Promise<void> =>
  panel.post({ type: 'app', view, memory: appMemory });

/** Shows an app, and gives the page its document. */
export async function loadApp(panel: PanelPage, params: object): Promise<void> {
  await panel.load();
  await postApp(panel, appView);
  const message = { jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params };
  await panel.post({ type: 'message', message });
}
