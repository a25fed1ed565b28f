import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { Mutes } from '../../../../src/client/mutes.ts';
import { emptyContents } from '../../../../src/client/contents.ts';
import { AppAnswers } from '../../../../src/host/apps/appAnswers.ts';
import { TrafficLog } from '../../../../src/client/trace/trafficLog.ts';
import { AppFeature } from '../../../../src/host/apps/appFeature.ts';
import type { AppPorts } from '../../../../src/host/apps/appPorts.ts';
import type { AppMemory, AppView } from '../../../../src/shared/appMessages.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { commands, editor, Uri, type WebviewPanel } from '../../../fixtures/vscode.ts';
import { sampleState } from '../sampleState.ts';

const uri = 'ui://weather/map';
const target = { server: 'weather', tool: 'map', occurrence: 0 };
const call = { identity: 'one', args: { city: 'Bern' } };
const moveOut = 'workbench.action.moveEditorToNewWindow';
const [toFirst, toRight] = ['workbench.action.moveEditorToFirstGroup', 'workbench.action.moveEditorToRightGroup'];
const surroundings = {
  theme: 'dark',
  variables: {},
  fonts: '',
  width: 500,
  height: 400,
  room: 350,
  hasTouch: false,
  hasHover: true,
  timeZone: 'UTC',
};

interface Shown {
  readonly view: AppView;
  readonly memory: AppMemory;
}

/** A server that runs, and has a tool with an app. */
function setUp(
  title = 'Map',
  mutes = new Mutes({ record: () => {} }, createNullLogger),
  answers = new AppAnswers(sampleState()),
) {
  const tool = { name: 'map', title, inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: uri } } };
  const server = {
    label: 'weather',
    identity: 'one',
    state: { kind: 'running' },
    contents: { ...emptyContents, tools: [tool] },
    listState: () => ({ isLoading: false }),
    preflight: async () => {},
    onDidChangeContents: () => ({ dispose: () => {} }),
    readResource: async () => ({ contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: '<p>The app' }] }),
  };
  const host = { label: 'weather', server };
  const ignored = () => ({ dispose: () => {} });
  const registry = { servers: [host], get: () => host, onDidChangeState: ignored, onDidChangeServers: ignored };
  const ports = {
    registry,
    storage: sampleState(),
    clock: createManualClock(),
    logger: createNullLogger(),
    extensionUri: Uri.file('/extension'),
    hostInfo: { name: 'Patchbay', version: '1' },
    audit: { record: () => {} },
    serverLogger: createNullLogger,
    knownSecrets: { plans: new Map(), current: { redact: (text: string) => text } },
    historyFolder: '/history',
    answers,
    mutes,
  } as unknown as AppPorts;
  return new AppFeature(ports, '', new TrafficLog(createManualClock()));
}

/** What the page of an app says. */
async function say(panel: WebviewPanel | undefined, ...messages: readonly object[]): Promise<void> {
  for (const message of messages) panel?.said.fire(message);
  await settle();
}

const ofApp = (method: string, rest: object = {}) => ({
  type: 'message',
  text: JSON.stringify({ jsonrpc: '2.0', method, ...rest }),
});
const ready = ofApp('ui/notifications/sandbox-proxy-ready');

/** Opens the app beside its tool. @param modes that it says it can be shown in */
async function openApp(apps: AppFeature, modes: readonly string[]): Promise<WebviewPanel | undefined> {
  apps.show(target, 'Map', call, Promise.resolve('kept'));
  await settle();
  const panel = editor.panels.at(-1);
  const capabilities = { appInfo: { name: 'Map', version: '1' }, appCapabilities: { availableDisplayModes: modes } };
  await expect.poll(() => (panel?.said.fire(ready), viewOf(panel)?.view.state.kind)).toBe('shown');
  await say(panel, { type: 'surroundings', surroundings }, ready);
  await say(panel, ofApp('ui/initialize', { id: 1, params: capabilities }), ofApp('ui/notifications/initialized'));
  return panel;
}

const viewOf = (panel: WebviewPanel | undefined): Shown | undefined =>
  panel?.posted.findLast((message): message is Shown => (message as { readonly type: string }).type === 'app');

/** Chooses a row of *App Actions…*. */
async function choose(apps: AppFeature, label: string): Promise<void> {
  editor.answers.push(label);
  await apps.chooseAction();
  await settle();
}

const [beside, window] = ['$(split-horizontal) Show Beside', '$(multiple-windows) Show in New Window'];

beforeEach(() => {
  editor.settings['apps.enabled'] = true;
  editor.defaults['apps.enabled'] = true;
  Object.assign(commands, { getCommands: async () => [moveOut] });
});

describe('the tab of an app', () => {
  it('gets the page for the app once the one before is there, and no message in between', async () => {
    const answers = new AppAnswers(sampleState());
    const ids = vi.spyOn(answers, 'idOf');
    const apps = setUp('Map', undefined, answers);
    apps.show(target, 'Map', call, Promise.resolve('kept'));
    const panel = editor.panels.at(-1);
    const first = panel?.webview.html ?? '';
    const seen = (): unknown[] => [panel?.webview.html === first, panel?.posted.length];
    // The app is read once it has the ids of both answers about it: one was looked for before.
    await vi.waitUntil(() => ids.mock.calls.length === 3);
    await Promise.all(ids.mock.results.map(({ value }) => value as Promise<string>));
    await settle();
    expect(seen()).toEqual([true, 0]);
    await say(panel, ready);
    expect(seen()).toEqual([false, 0]);
    const second = panel?.webview.html;
    await say(panel, ready);
    expect(viewOf(panel)?.view.state.kind).toBe('shown');
    await say(panel, ready);
    expect(panel?.webview.html).toBe(second);
    apps.dispose();
  });

  it('says what of it is muted, until that ends', async () => {
    const mutes = new Mutes({ record: () => {} }, createNullLogger);
    const apps = setUp('Map', mutes);
    const panel = await openApp(apps, ['inline']);
    for (let count = 0; count < 3; count += 1)
      for (const server of ['weather', 'other']) mutes.recordDecision(server, 'calls', false);
    expect(viewOf(panel)?.view.muted).toEqual(['Tool calls']);
    mutes.unmute('weather');
    expect(viewOf(panel)?.view.muted).toEqual([]);
    apps.dispose();
  });

  it('says to the app how high it can be: beside its tool at most, and exactly where it fills its tab', async () => {
    const apps = setUp();
    const panel = await openApp(apps, ['inline', 'fullscreen']);
    const told = (): string => JSON.stringify(panel?.posted ?? []);
    expect(told()).toContain('"displayMode":"inline","containerDimensions":{"width":500,"maxHeight":350}');
    await say(panel, { type: 'widen' });
    expect(told()).toContain('"containerDimensions":{"width":500,"height":400}');
    apps.dispose();
  });

  it('comes back beside its tool, with its call, where its window is closed, and only then', async () => {
    const apps = setUp('App:\nMap');
    const own = await openApp(apps, ['inline', 'pip']);
    await choose(apps, window);
    expect(editor.executed).toContainEqual([moveOut]);
    if (own !== undefined) own.title = '? App: Map';
    own?.dispose();
    await settle();
    const [, back, ...others] = editor.panels;
    expect([back?.title, back?.viewColumn, others]).toEqual(['App: App: Map', 2, []]);
    await expect.poll(() => (back?.said.fire(ready), viewOf(back)?.view.state.kind)).toBe('shown');
    expect(viewOf(back)?.memory).toMatchObject({ ...target, call: 'kept' });
    expect(viewOf(back)?.view.call?.args).toContain('Bern');
    back?.dispose();
    await settle();
    expect(editor.panels).toHaveLength(2);
    apps.dispose();
  });

  it('stays closed where it was dragged out of its window before', async () => {
    const apps = setUp();
    const panel = await openApp(apps, ['inline', 'pip']);
    await choose(apps, window);
    // VS Code loads the page again.
    if (panel !== undefined) panel.viewColumn = 3;
    await say(panel, ready, ready);
    expect(viewOf(panel)?.view.isWide).toBe(true);
    if (panel !== undefined) panel.viewColumn = 1;
    await say(panel, ready);
    expect(viewOf(panel)?.view.isWide).toBe(false);
    panel?.dispose();
    await settle();
    expect(editor.panels).toHaveLength(1);
    apps.dispose();
  });

  it.each([
    ['inline', false, false],
    ['fullscreen', true, true],
  ])(
    'of an app that is shown %s alone can be made wider, and beside again, as often as asked',
    async (mode, ...filling) => {
      const apps = setUp();
      const panel = await openApp(apps, [mode]);
      // Not by showing it elsewhere, which would leave a preview.
      const moved = (): unknown => editor.executed.at(-1)?.[0];
      const places = (): unknown => [moved(), viewOf(panel)?.view.isWide, viewOf(panel)?.view.isFilling];
      const [whenWide, whenBeside] = filling;
      await say(panel, { type: 'widen' });
      expect(places()).toEqual([toFirst, true, whenWide]);
      await choose(apps, beside);
      expect(places()).toEqual([toRight, false, whenBeside]);
      await choose(apps, beside);
      expect(places()).toEqual([toRight, false, whenBeside]);
      await say(panel, { type: 'widen' });
      expect(places()).toEqual([toFirst, true, whenWide]);
      await say(panel, { type: 'widen' });
      expect(places()).toEqual([toRight, false, whenBeside]);
      // Where the person has groups one below the other.
      editor.settings['openSideBySideDirection'] = 'down';
      await say(panel, { type: 'widen' });
      await choose(apps, beside);
      expect(places()).toEqual(['workbench.action.moveEditorToBelowGroup', false, whenBeside]);
      apps.dispose();
    },
  );
});
