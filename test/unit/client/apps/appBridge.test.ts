import { describe, expect, it } from 'vitest';
import { settle } from '../../../fixtures/manualClock.ts';
import { setUpBridge } from './scriptedApp.ts';

const jsonrpc = '2.0';
const result = { content: [{ type: 'text', text: 'Sunny' }], isError: false } as const;
const input = 'ui/notifications/tool-input';
const output = 'ui/notifications/tool-result';
const part = 'ui/notifications/tool-input-partial';
const changed = 'ui/notifications/host-context-changed';

describe('opening the conversation with an app', () => {
  it('answers with the revision, the host and what it does for apps [lifecycle/initialize-capabilities]', async () => {
    const { bridge, taken, initialize } = setUpBridge();
    const id = await initialize();
    const answer = {
      protocolVersion: '2026-01-26',
      hostInfo: { name: 'Patchbay', version: '1' },
      hostCapabilities: { serverTools: { listChanged: true }, logging: {} },
      hostContext: { theme: 'dark' },
    };
    expect(taken()).toEqual([{ jsonrpc, id, result: answer }]);
    expect(bridge.identity).toEqual({ name: 'Map', version: '1', displayModes: undefined, hasTools: false });
  });

  it('gives the context as it is when the app asks, not as it was before [context/initialize-hostcontext]', async () => {
    const { taken, initialize, darken } = setUpBridge();
    darken();
    await initialize();
    expect(taken()).toMatchObject([{ result: { hostContext: { theme: 'light' } } }]);
  });

  it('sends nothing of its own before the app says that it is ready', async () => {
    const { bridge, taken, initialize, say, initialized } = setUpBridge();
    const sendAll = async (): Promise<void> => {
      bridge.setInput({ city: 'Bern' });
      bridge.setEnd({ kind: 'result', result });
      bridge.changeContext({ theme: 'light' });
      for (const kind of ['tools', 'resources', 'prompts'] as const) bridge.listChanged(kind);
      await bridge.teardown('Closed.');
    };
    await sendAll();
    expect(taken()).toEqual([]);
    await initialize();
    expect(taken()).toHaveLength(1);
    await sendAll();
    expect([taken(), initialized]).toEqual([[], []]);
    await say('ui/notifications/initialized');
    expect(taken()).toMatchObject([
      { method: input },
      { method: output },
      { method: changed, params: { theme: 'light' } },
    ]);
    expect(initialized).toEqual(['Map']);
  });

  it('takes no app for ready that has not initialized', async () => {
    const { bridge, taken, say, initialized } = setUpBridge();
    bridge.setInput({});
    await say('ui/notifications/initialized');
    expect([taken(), initialized, bridge.identity]).toEqual([[], [], undefined]);
  });

  it('gives a document that was loaded again its input and result again', async () => {
    const { bridge, taken, open, initialize, say, initialized } = setUpBridge();
    await open();
    bridge.setInput({ city: 'Bern' });
    bridge.setEnd({ kind: 'result', result });
    expect(taken()).toHaveLength(2);
    await initialize();
    bridge.listChanged('tools');
    expect(taken()).toMatchObject([{ result: { protocolVersion: '2026-01-26' } }]);
    await say('ui/notifications/initialized');
    expect(taken()).toEqual([
      { jsonrpc, method: input, params: { arguments: { city: 'Bern' } } },
      { jsonrpc, method: output, params: result },
    ]);
    expect(initialized).toEqual(['Map', 'Map']);
  });
});

describe('the call that an app is about', () => {
  it('is told by its arguments, once [lifecycle/tool-input]', async () => {
    const { bridge, taken, open } = setUpBridge();
    await open();
    bridge.setInput({ city: 'Bern', days: [1, 2] });
    expect(taken()).toEqual([{ jsonrpc, method: input, params: { arguments: { city: 'Bern', days: [1, 2] } } }]);
    bridge.setInput({ city: 'Bern', days: [1, 2] });
    expect(taken()).toEqual([]);
  });

  it('is told by its result, after the arguments and once [lifecycle/tool-result]', async () => {
    const { bridge, taken, open } = setUpBridge();
    await open();
    bridge.setEnd({ kind: 'result', result });
    expect(taken()).toEqual([]);
    bridge.setInput({ city: 'Bern' });
    expect(taken()).toMatchObject([{ method: input }, { method: output, params: result }]);
    bridge.setEnd({ kind: 'result', result });
    expect(taken()).toEqual([]);
  });

  it('keeps all of the result that the server sent for the app [lifecycle/tool-result]', async () => {
    const { bridge, taken, open } = setUpBridge();
    await open();
    const hologram = { type: 'hologram', beams: 3 };
    const rest = { structuredContent: { degrees: 21 }, isError: true, _meta: { 'example/private': 1 } };
    bridge.setInput({});
    bridge.setEnd({ kind: 'result', result: { ...rest, content: [{ type: 'unknown', original: hologram }] } });
    expect(taken().at(-1)).toEqual({ jsonrpc, method: output, params: { ...rest, content: [hologram] } });
  });

  it('may be told in parts as it is written, each once [lifecycle/tool-input-partial]', async () => {
    const { bridge, taken, initialize, say } = setUpBridge();
    bridge.addPartialInput({});
    await initialize();
    taken();
    await say('ui/notifications/initialized');
    bridge.addPartialInput({ city: 'Be' });
    expect(taken()).toEqual([
      { jsonrpc, method: part, params: { arguments: {} } },
      { jsonrpc, method: part, params: { arguments: { city: 'Be' } } },
    ]);
  });

  it('is told by no part once the arguments are there [lifecycle/tool-input-partial-stop]', async () => {
    const { bridge, taken, open } = setUpBridge();
    await open();
    bridge.addPartialInput({ city: 'Be' });
    bridge.setInput({ city: 'Bern' });
    bridge.addPartialInput({ city: 'Bern, S' });
    bridge.setInput({ city: 'Bern, Switzerland' });
    bridge.setEnd({ kind: 'result', result });
    bridge.addPartialInput({});
    expect(taken()).toMatchObject([{ method: part }, { method: input }, { method: output }]);
  });

  it('is told that it was cancelled, with the reason and without a result [lifecycle/tool-cancelled]', async () => {
    const { bridge, taken, open } = setUpBridge();
    await open();
    bridge.setInput({});
    taken();
    bridge.setEnd({ kind: 'cancelled', reason: 'You cancelled it.' });
    bridge.setEnd({ kind: 'result', result });
    expect(taken()).toEqual([
      { jsonrpc, method: 'ui/notifications/tool-cancelled', params: { reason: 'You cancelled it.' } },
    ]);
  });
});

it('an app that initializes a second time may use its ids again, and gets no answer to what it asked before', async () => {
  const answers: ((value: object) => void)[] = [];
  const signals: AbortSignal[] = [];
  const { bridge, taken, open } = setUpBridge({
    'tools/call': (_params, { signal }) => {
      signals.push(signal);
      return new Promise((resolve) => answers.push(resolve));
    },
  });
  await open();
  const call = { jsonrpc, id: 'a', method: 'tools/call', params: { name: 'slow' } };
  bridge.receive(call);
  await settle();
  await open();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  bridge.receive(call);
  await settle();
  answers[0]?.({ content: ['first'] });
  await settle();
  expect(taken()).toEqual([]);
  answers[1]?.({ content: ['second'] });
  await settle();
  expect(taken()).toEqual([{ jsonrpc, id: 'a', result: { content: ['second'] } }]);
});

describe('what changes around an app', () => {
  it('is told by what has changed alone [context/context-changed]', async () => {
    const { bridge, taken, open } = setUpBridge();
    await open();
    bridge.changeContext({ displayMode: 'fullscreen' });
    expect(taken()).toEqual([{ jsonrpc, method: changed, params: { displayMode: 'fullscreen' } }]);
  });

  it('is told together where it changed while the app was not ready yet [context/context-changed]', async () => {
    const { bridge, taken, initialize, say } = setUpBridge();
    bridge.changeContext({ locale: 'de' });
    await initialize();
    bridge.changeContext({ theme: 'light', displayMode: 'pip' });
    bridge.changeContext({ theme: 'dark' });
    taken();
    await say('ui/notifications/initialized');
    expect(taken()).toMatchObject([{ method: changed, params: { theme: 'dark', displayMode: 'pip' } }]);
  });

  it('has the lists of its server in it [capabilities/server-passthrough]', async () => {
    const { bridge, taken, open } = setUpBridge();
    await open();
    for (const kind of ['tools', 'resources', 'prompts'] as const) bridge.listChanged(kind);
    expect(taken()).toMatchObject([
      { method: 'notifications/tools/list_changed' },
      { method: 'notifications/resources/list_changed' },
      { method: 'notifications/prompts/list_changed' },
    ]);
  });
});

describe('what an app sends', () => {
  it('is answered where it is a ping, and with -32601 where nobody knows it', async () => {
    const { taken, ask, open } = setUpBridge();
    await open();
    const ids = [await ask('ping'), await ask('ui/fly', {}), await ask('tools/call', {}), await ask('toString')];
    const unknown = { code: -32601, message: expect.stringMatching(/^Method not found: /) };
    expect(taken()).toEqual([
      { jsonrpc, id: ids[0], result: {} },
      ...ids.slice(1).map((id) => ({ jsonrpc, id, error: unknown })),
    ]);
  });

  it('goes to the handler of its method, also too early, which the log says', async () => {
    const seen: unknown[] = [];
    const { taken, ask, open, warnings } = setUpBridge({
      'tools/list': (params) => Promise.resolve({ tools: [seen.push(params)] }),
    });
    await ask('tools/list', { early: true });
    expect(warnings).toEqual(['The app sent tools/list before it was initialized.']);
    await open();
    const id = await ask('tools/list');
    expect(seen).toEqual([{ early: true }, {}]);
    expect(warnings).toHaveLength(1);
    expect(taken()).toEqual([{ jsonrpc, id, result: { tools: [2] } }]);
  });

  it('reaches the host where it is a known notification, and is ignored otherwise', async () => {
    const { taken, say, open, notices } = setUpBridge();
    await open();
    await say('ui/notifications/size-changed', { height: 200 });
    await say('ui/notifications/request-teardown');
    await say('ui/notifications/tool-input', { arguments: {} });
    expect(notices).toEqual([{ kind: 'size', height: 200 }, { kind: 'wantsToEnd' }]);
    expect(taken()).toEqual([]);
  });

  it('does no harm where it is no message', async () => {
    const { bridge, taken, ask, open } = setUpBridge();
    await open();
    for (const value of [null, 7, 'x', [], {}, { jsonrpc }, { id: {}, method: 'ping' }, { method: 7 }])
      bridge.receive(value);
    await settle();
    const id = await ask('ping');
    expect(taken()).toEqual([{ jsonrpc, id, result: {} }]);
  });
});
