import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { setUpBridge } from './scriptedApp.ts';

const jsonrpc = '2.0';

/** An app that is asked to end. @param isWaiting whether a request of its own is open */
async function setUpEnd(isWaiting = false) {
  const partners = setUpBridge({ 'tools/call': () => new Promise(() => {}) });
  await partners.open();
  if (isWaiting) await partners.ask('tools/call', { name: 'slow' });
  let hasEnded = false;
  let hasAnswered: boolean | undefined;
  const ended = partners.bridge.teardown('The tab was closed.').then((answered) => {
    hasEnded = true;
    hasAnswered = answered;
  });
  const [asked] = partners.taken();
  const { id } = asked as { readonly id: number };
  return { ...partners, asked, id, ended, hasEnded: () => hasEnded, hasAnswered: () => hasAnswered };
}

describe('the end of an app', () => {
  it('is asked for with the reason, in a request [lifecycle/teardown-notify]', async () => {
    const { asked } = await setUpEnd();
    const params = { reason: 'The tab was closed.' };
    expect(asked).toEqual({ jsonrpc, id: expect.any(Number), method: 'ui/resource-teardown', params });
  });

  it('waits for an answer that comes late, and for nothing after it [lifecycle/teardown-await]', async () => {
    const { clock, answer, id, ended, hasEnded, hasAnswered } = await setUpEnd();
    await clock.advance(999);
    expect(hasEnded()).toBe(false);
    await answer(id, {});
    await ended;
    expect([hasEnded(), hasAnswered()]).toEqual([true, true]);
  });

  it.each([
    ['says nothing', false],
    ['waits for an answer to its own request', true],
  ])('waits no longer than a second for an app that %s [lifecycle/teardown-await]', async (_, isWaiting) => {
    const { clock, ended, hasAnswered } = await setUpEnd(isWaiting);
    await clock.advance(1_000);
    await ended;
    expect(hasAnswered()).toBe(false);
  });

  it('takes an error for an answer, as many apps have no handler', async () => {
    const { bridge, id, ended, hasAnswered } = await setUpEnd();
    bridge.receive({ jsonrpc, id, error: { code: -32601, message: 'Method not found' } });
    await ended;
    expect(hasAnswered()).toBe(true);
  });

  it('is not brought about by answers to what nobody asked', async () => {
    const { bridge, taken, answer, id, hasEnded, clock, ended } = await setUpEnd();
    for (const forged of [id + 1, id - 1, `0${id}`, '', -1]) await answer(forged, {});
    bridge.receive({ jsonrpc, id: id + 7, error: { code: -1, message: 'forged' } });
    bridge.receive({ jsonrpc, id: null, result: {} });
    await settle();
    expect([hasEnded(), taken()]).toEqual([false, []]);
    await clock.advance(1_000);
    await ended;
  });

  it('comes at once where the bridge is closed meanwhile, and nothing is answered or said after that', async () => {
    const { bridge, taken, ask, ended } = await setUpEnd();
    bridge.dispose();
    await ended;
    await ask('ping');
    bridge.setInput({});
    bridge.listChanged('tools');
    expect(taken()).toEqual([]);
  });

  it('ends what the app still waits for, and drops its answer', async () => {
    let signal: AbortSignal | undefined;
    const { bridge, taken, ask, open } = setUpBridge({
      'tools/call': (_params, context) => {
        ({ signal } = context);
        return new Promise(() => {});
      },
    });
    await open();
    await ask('tools/call', { name: 'slow' });
    expect(signal?.aborted).toBe(false);
    bridge.dispose();
    await settle();
    expect(signal?.reason).toBeInstanceOf(CancelledError);
    expect(taken()).toEqual([]);
  });
});

describe('the tools of an app itself', () => {
  it('are asked for, at most fifty, each with a schema', async () => {
    const { bridge, taken, answer, open } = setUpBridge();
    await open();
    const listed = bridge.listTools();
    const [asked] = taken();
    expect(asked).toMatchObject({ method: 'tools/list' });
    const tools = Array.from({ length: 60 }, (_, index) => ({ name: `zoom${index}` }));
    await answer((asked as { readonly id: number }).id, { tools: [{ title: 'nameless' }, ...tools] });
    const read = await listed;
    expect(read).toHaveLength(50);
    expect(read[0]).toMatchObject({ name: 'zoom0', inputSchema: { type: 'object' } });
  });

  it('are called with their arguments, and what they answer is checked', async () => {
    const { bridge, taken, answer, open } = setUpBridge();
    await open();
    const called = bridge.callTool('zoom', { level: 3 });
    const [asked] = taken();
    expect(asked).toMatchObject({ method: 'tools/call', params: { name: 'zoom', arguments: { level: 3 } } });
    await answer((asked as { readonly id: number }).id, { content: [{ type: 'text', text: 'Done' }, 7] });
    const odd = { type: 'unknown', original: { value: 7 } };
    expect(await called).toEqual({ content: [{ type: 'text', text: 'Done' }, odd], isError: false });
  });

  it('fail with the error of the app, and with what is no result', async () => {
    const { bridge, taken, answer, open } = setUpBridge();
    await open();
    const refused = expect(bridge.callTool('zoom', {})).rejects.toMatchObject({ code: -32000, message: 'Too deep' });
    const [first] = taken() as { readonly id: number }[];
    bridge.receive({ jsonrpc, id: first?.id, error: { code: -32000, message: 'Too deep' } });
    await refused;
    const broken = expect(bridge.listTools()).rejects.toMatchObject({ code: 'invalidMessage' });
    const [second] = taken() as { readonly id: number }[];
    await answer(second?.id ?? -1, { tools: 'none' });
    await broken;
  });
});

it('asks an app for its own tools only once it is initialized', async () => {
  const { bridge, initialize, taken } = setUpBridge();
  await initialize();
  taken();
  await expect(bridge.listTools()).rejects.toMatchObject({ code: 'notRunning' });
  await expect(bridge.callTool('any', {})).rejects.toMatchObject({ code: 'notRunning' });
  expect(taken()).toEqual([]);
});
