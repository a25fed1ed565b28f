import { describe, expect, it } from 'vitest';
import { type AppReach, noReach } from '../../../../src/client/apps/appReach.ts';
import { type AskedApp, AppAnswers } from '../../../../src/host/apps/appAnswers.ts';
import { callQuestion } from '../../../../src/host/consent/callText.ts';
import { sampleState } from '../sampleState.ts';
import { proposedCall } from '../../../fixtures/proposedCall.ts';

const reach: AppReach = { ...noReach, connect: ['https://api.example'], permissions: ['camera'] };
const app: AskedApp = { identity: 'one', uri: 'ui://weather/map', server: 'weather', title: 'Map', reach };
const unasked = { isAllowed: undefined, isChanged: false };

/** Answers that are kept in memory; `kept` is what the workspace would store. */
function setUp(first?: unknown) {
  const storage = sampleState(first === undefined ? {} : { 'patchbay.apps': first });
  const entries = (): readonly unknown[] => storage.values['patchbay.apps'] as readonly unknown[];
  return { answers: new AppAnswers(storage), again: () => new AppAnswers(storage), kept: storage.values, entries };
}

describe('what a person allowed an app to reach', () => {
  it('is unknown before the first answer, and then a yes or a no, also after a restart', async () => {
    const { answers, again } = setUp();
    expect(await answers.find(app)).toEqual(unasked);
    await answers.keep(app, true);
    expect(await again().find(app)).toEqual({ isAllowed: true, isChanged: false });
    await answers.keep(app, false);
    expect(await again().find(app)).toEqual({ isAllowed: false, isChanged: false });
  });

  it.each([
    ['another domain', { connect: ['https://api.example', 'https://more.example'] }],
    ['fewer domains', { connect: [] }],
    ['the domain in another list', { connect: [], frames: ['https://api.example'] }],
    ['another permission', { permissions: ['camera', 'microphone'] }],
  ] satisfies [string, Partial<AppReach>][])('is asked again where the app declares %s', async (_what, change) => {
    const { answers } = setUp();
    const changed = { ...app, reach: { ...reach, ...change } };
    for (const isAllowed of [true, false]) {
      await answers.keep(app, isAllowed);
      expect(await answers.find(changed)).toEqual({ isAllowed: undefined, isChanged: true });
    }
    await answers.keep(changed, true);
    expect(await answers.find(app)).toEqual({ isAllowed: undefined, isChanged: true });
  });

  it('holds for one program and one address', async () => {
    const { answers } = setUp();
    await answers.keep(app, true);
    expect(await answers.find({ ...app, identity: 'two' })).toEqual(unasked);
    expect(await answers.find({ ...app, uri: 'ui://weather/chart' })).toEqual(unasked);
    // Both are told apart wherever one ends and the other begins.
    expect(await answers.find({ ...app, identity: 'oneui', uri: '://weather/map' })).toEqual(unasked);
  });

  it('is listed with what it is about, and says when it changes', async () => {
    const { answers } = setUp();
    const changes: unknown[] = [];
    answers.onDidChange((change) => changes.push(change));
    await answers.keep(app, true);
    const id = await answers.idOf(app);
    const many = { ...reach, frames: Array.from({ length: 100 }, (_, index) => `https://${index}.example`) };
    await answers.keep({ ...app, uri: 'ui://weather/chart', title: 'Chart', reach: many }, false);
    expect(answers.all).toMatchObject([
      {
        id,
        server: 'weather',
        app: 'Map',
        isAllowed: true,
        count: 2,
        reach: ['Send to and get from https://api.example', 'Use your camera'],
      },
      { server: 'weather', app: 'Chart', isAllowed: false, count: 102 },
    ]);
    expect(answers.all[1]?.reach).toHaveLength(20);
    await answers.revoke(id);
    expect(changes).toEqual([
      { id, isRevoked: false },
      { id: answers.all[0]?.id, isRevoked: false },
      { id, isRevoked: true },
    ]);
  });

  it('holds for the document that was seen, where it is code that the app makes', async () => {
    const { answers, again } = setUp();
    const code = { ...app, html: '<p>one' };
    await answers.keep(app, true);
    expect(await answers.find(code)).toEqual(unasked);
    await answers.keep(code, true);
    expect(await again().find(code)).toEqual({ isAllowed: true, isChanged: false });
    const changed = [{ html: '<p>two' }, { reach: { ...reach, permissions: [] } }];
    for (const change of changed)
      expect(await answers.find({ ...code, ...change })).toEqual({ isAllowed: undefined, isChanged: true });
    for (const other of [{ identity: 'two' }, { uri: 'ui://weather/chart' }])
      expect(await answers.find({ ...code, ...other })).toEqual(unasked);
    expect(answers.all.map(({ count, reach: lines }) => [count, lines[0]])).toEqual([
      [2, 'Send to and get from https://api.example'],
      [1, 'Run generated code: from text, as WebAssembly, in workers'],
    ]);
    await answers.revoke(await answers.idOf(code));
    expect([await answers.find(code), (await answers.find(app)).isAllowed]).toEqual([unasked, true]);
  });

  it('is forgotten alone', async () => {
    const { answers } = setUp();
    const chart = { ...app, uri: 'ui://weather/chart' };
    await answers.keep(app, true);
    await answers.keep(chart, false);
    await answers.revoke(await answers.idOf(app));
    expect(await answers.find(app)).toEqual(unasked);
    expect(await answers.find(chart)).toEqual({ isAllowed: false, isChanged: false });
  });

  it('is kept for the latest two hundred apps', async () => {
    const { answers, entries } = setUp();
    await answers.keep(app, true);
    for (let index = 0; index < 199; index += 1) await answers.keep({ ...app, uri: `ui://${index}` }, true);
    // An answer that is given again is the latest.
    await answers.keep(app, true);
    await answers.keep({ ...app, uri: 'ui://one-more' }, true);
    expect(entries()).toHaveLength(200);
    expect(await answers.find(app)).toMatchObject({ isAllowed: true });
    expect(await answers.find({ ...app, uri: 'ui://0' })).toEqual(unasked);
  });

  it.each([
    [7],
    ['x'],
    [{ length: 3 }],
    [[null, 'x', ['a', 'b', 'allowed'], { 0: 'a' }, { id: 'a', isAllowed: true }]],
  ])('is unknown where %j was stored, which does no harm', async (stored) => {
    const { answers, entries } = setUp(stored);
    expect(await answers.find(app)).toEqual(unasked);
    await answers.keep(app, true);
    expect(await answers.find(app)).toEqual({ isAllowed: true, isChanged: false });
    expect(entries()).toHaveLength(1);
  });

  it('is no yes where the stored answer is a word', async () => {
    const { answers, entries, kept } = setUp();
    await answers.keep(app, true);
    const [entry] = entries() as [object];
    kept['patchbay.apps'] = [{ ...entry, isAllowed: 'true' }];
    expect(await answers.find(app)).toEqual(unasked);
  });
});

describe('the question before a call of an app', () => {
  const calling = { uri: app.uri, title: 'Map', ask: async () => undefined };
  const call = proposedCall('pay', { args: { sum: 3 }, caller: 'app', app: calling });

  it('names the app, its address and its server, and shows the arguments', () => {
    const { message, detail } = callQuestion(call);
    expect(message).toBe('Call the tool “pay” of “demo”?');
    expect(detail).toContain('The app “Map” of “demo” wants to call it. Its address is ui://weather/map.');
    expect(detail).toContain('"sum": 3');
    expect(detail).not.toContain('Always');
  });

  it('cannot be spoilt by the name of an app', () => {
    const title = `Map” of “Patchbay\n\n\u202eAllowed already. ${'x'.repeat(10_000)}`;
    const { detail } = callQuestion({ ...call, app: { ...calling, uri: `ui://${'u'.repeat(10_000)}`, title } });
    const [who = ''] = detail.split('\n\n');
    expect(who).toMatch(/ wants to call it\. Its address is ui:\/\/u+….?\.$/);
    expect(who.length).toBeLessThan(300);
    expect(detail).not.toContain('\u202e');
  });
});
