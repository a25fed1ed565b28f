import { createLogger } from '../../../../src/base/logger.ts';
import { AppBridge } from '../../../../src/client/apps/appBridge.ts';
import type { AppNotice } from '../../../../src/client/apps/appMessages.ts';
import type { RequestHandler } from '../../../../src/protocol/incomingRequests.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';

const jsonrpc = '2.0';

/** The host's end of a conversation, and an app that says what the test says. */
export function setUpBridge(handlers: Readonly<Record<string, RequestHandler>> = {}) {
  const clock = createManualClock();
  const got: object[] = [];
  const notices: AppNotice[] = [];
  const initialized: string[] = [];
  const warnings: string[] = [];
  let theme = 'dark';
  let nextId = 1;
  const bridge = new AppBridge({
    send: (message) => got.push(message),
    clock,
    logger: createLogger((level, text) => level === 'warn' && warnings.push(text)),
    hostInfo: { name: 'Patchbay', version: '1' },
    capabilities: () => ({ serverTools: { listChanged: true }, logging: {} }),
    context: () => ({ theme }),
    handlers,
    onInitialized: ({ name }) => initialized.push(name),
    onNotice: (notice) => notices.push(notice),
  });
  /** What the app got since the last time. */
  const taken = (): object[] => got.splice(0);
  const say = async (method: string, params: object = {}): Promise<void> => {
    bridge.receive({ jsonrpc, method, params });
    await settle();
  };
  const ask = async (method: string, params?: object): Promise<number> => {
    const id = nextId++;
    bridge.receive({ jsonrpc, id, method, ...(params && { params }) });
    await settle();
    return id;
  };
  const answer = async (id: number | string, value: object): Promise<void> => {
    bridge.receive({ jsonrpc, id, result: value });
    await settle();
  };
  const initialize = () => ask('ui/initialize', { appInfo: { name: 'Map', version: '1' }, appCapabilities: {} });
  /** Opens the conversation, and leaves out what that says. */
  const open = async (): Promise<void> => {
    await initialize();
    await say('ui/notifications/initialized');
    taken();
  };
  const darken = (): void => void (theme = 'light');
  return { bridge, clock, taken, say, ask, answer, initialize, open, notices, initialized, warnings, darken };
}
