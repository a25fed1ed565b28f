import type { AppCallView, AppMemory, AppView } from '../../src/shared/appMessages.ts';

export const appMemory: AppMemory = { server: 'weather', tool: 'weather_app', occurrence: 0 };

/** An app that is shown. */
export const appView: AppView = {
  server: 'weather',
  tool: 'weather_app',
  title: 'Weather App',
  state: { kind: 'shown' },
  reach: [],
  notices: [],
  blocked: [],
  isInvented: false,
  call: undefined,
  question: undefined,
  hasBorder: false,
  isFilling: false,
};

/** An app that wants to reach something. */
export const askingView: AppView = {
  ...appView,
  state: { kind: 'asking', isChanged: false, id: 7 },
  reach: ['Send to and get from https://api.weather.example', 'Write to your clipboard'],
  notices: ['"*" is no origin.'],
};

/** The call of an app, longer than a line. */
export const shownCall: AppCallView = {
  args: JSON.stringify({ city: 'Bern', comment: 'long '.repeat(40) }),
  result: 'Rain.\n\n```json\n{ "city": "Bern" }\n```\n',
};
