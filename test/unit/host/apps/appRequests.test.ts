import { beforeEach, describe, expect, it } from 'vitest';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { Mutes } from '../../../../src/client/mutes.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import type { RequestHandlerContext } from '../../../../src/protocol/incomingRequests.ts';
import {
  type AppModelContext,
  type AppRequestPorts,
  createAppQuestions,
  createPersonRequests,
} from '../../../../src/host/apps/appRequests.ts';
import { editor } from '../../../fixtures/vscode.ts';

/** What the person presses, in this order; then nothing. */
const presses: (string | undefined)[] = [];
const asked: string[] = [];

function setUp(others: Partial<AppRequestPorts> = {}) {
  const contexts: AppModelContext[] = [];
  const audit = { record: () => {} };
  const clock = createManualClock();
  const mutes = new Mutes(audit, createNullLogger);
  const progress: number[] = [];
  const requests = createPersonRequests({
    server: { label: 'weather', readResource: () => Promise.reject(new Error('Not expected')) },
    title: 'Weather',
    ask: async ({ message, detail, body }) => {
      asked.push([message, ...detail, body].join(' '));
      return presses.shift();
    },
    sampling: () => Promise.reject(new Error('Not expected')),
    mutes,
    audit,
    clock,
    setContext: (context) => contexts.push(context),
    setMode: async (mode) => (mode === 'pip' ? 'inline' : mode),
    ...others,
  });
  const request = (method: string, params: object, signal = new AbortController().signal): Promise<object> => {
    const { handlers } = requests;
    const handler = handlers[method];
    if (handler === undefined) throw new Error(`No handler for ${method}.`);
    return handler({ ...params }, {
      signal,
      reportProgress: (sent) => void progress.push(sent.progress),
      waitForPerson: () => ({ dispose: () => {} }),
    } satisfies RequestHandlerContext);
  };
  return { ...requests, request, contexts, mutes, clock, progress };
}

const text = (words: string) => ({ type: 'text', text: words });
const question = { messages: [{ role: 'user', content: text('How is it?') }], maxTokens: 5 };

beforeEach(() => {
  presses.length = 0;
  asked.length = 0;
});

describe('what an app asks of a person', () => {
  it('opens a link only after a yes to its whole address [links/open-external]', async () => {
    const { request } = setUp();
    presses.push(undefined, 'Open in Browser');
    const url = 'https://example.com/a?b=c';
    expect(await request('ui/open-link', { url })).toEqual({ isError: true });
    expect(editor.opened).toEqual([]);
    expect(await request('ui/open-link', { url })).toEqual({});
    expect(editor.opened).toEqual([url]);
    expect(asked[0]).toContain(url);
  });

  it('opens no link that is no page', async () => {
    const { request } = setUp();
    await expect(request('ui/open-link', { url: 'command:workbench.action.quit' })).rejects.toMatchObject({
      code: -32_000,
    });
    await expect(request('ui/open-link', { url: 7 })).rejects.toMatchObject({ code: -32_602 });
    expect([asked, editor.opened]).toEqual([[], []]);
  });

  it('shows a message before it goes anywhere, as one block or a list [messages/consent] [messages/add-to-conversation]', async () => {
    const { request } = setUp();
    presses.push('Copy', undefined);
    expect(await request('ui/message', { role: 'user', content: text('What now?') })).toEqual({});
    expect(editor.copied).toEqual(['What now?\n']);
    expect(asked[0]).toContain('What now?');
    expect(await request('ui/message', { role: 'user', content: [text('And then?')] })).toEqual({ isError: true });
  });

  it('is refused without a question after three refusals in a row, also by clicks on its links', async () => {
    const requests = setUp();
    for (let count = 0; count < 3; count += 1) await requests.openLink('https://example.com/');
    await expect(requests.openLink('https://example.com/')).rejects.toMatchObject({ code: -32_000 });
    await expect(requests.request('ui/message', { content: text('Hello') })).rejects.toMatchObject({ code: -32_000 });
    expect(asked).toHaveLength(3);
  });

  it.each([
    ['an image in a message', 'ui/message', { type: 'image', data: 'aGk=', mimeType: 'image/png' }, 'the kind "image"'],
    ['audio for models', 'ui/update-model-context', { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }, '"audio"'],
    ['an unknown kind', 'ui/message', { type: 'hologram' }, 'an unknown kind'],
  ])('refuses %s, whole and without a question: it was not offered', async (_what, method, block, words) => {
    const { request, contexts } = setUp();
    const refused = { code: -32_000, message: expect.stringContaining(words) };
    await expect(request(method, { content: [text('Hello'), block] })).rejects.toMatchObject(refused);
    expect([asked, contexts]).toEqual([[], []]);
  });

  it('takes a question back with its request, which is no refusal of the person', async () => {
    const questions = createAppQuestions(() => {});
    const { request, mutes } = setUp({ ask: questions.ask });
    for (let count = 0; count < 4; count += 1) {
      const abort = new AbortController();
      const open = expect(request('ui/message', { content: text('Hello') }, abort.signal)).rejects.toThrow('gone');
      await expect.poll(() => questions.current?.body).toBe('Hello\n');
      abort.abort(new Error('gone'));
      await open;
      expect(questions.current).toBe(undefined);
    }
    expect(mutes.muted).toEqual([]);
  });

  it.each([
    [
      'is refused without a question after it has taken six back at once',
      0,
      [{ server: 'weather', what: 'questions' }],
    ],
    ['may take back those that were there for a while', 2_000, []],
  ])('%s', async (_what, wait, muted) => {
    const questions = createAppQuestions(() => {});
    const { request, mutes, clock } = setUp({ ask: questions.ask });
    for (let count = 0; count < 6; count += 1) {
      const abort = new AbortController();
      const open = expect(request('ui/message', { content: text('Hello') }, abort.signal)).rejects.toThrow('gone');
      await expect.poll(() => questions.current).toBeDefined();
      await clock.advance(wait);
      abort.abort(new Error('gone'));
      await open;
    }
    expect(mutes.muted).toEqual(muted);
  });

  it('asks one question at a time', async () => {
    const { request } = setUp();
    presses.push('Copy');
    const first = request('ui/message', { content: text('One') });
    await expect(request('ui/message', { content: text('Two') })).rejects.toThrow(
      'Another question of this app is open.',
    );
    expect(await first).toEqual({});
    expect(asked).toHaveLength(1);
  });

  it('keeps what it says for models, and the last only [model-context/last-wins]', async () => {
    const { request, contexts } = setUp();
    await request('ui/update-model-context', { content: [text('first')] });
    await request('ui/update-model-context', { structuredContent: { second: true } });
    expect(contexts.at(-1)).toEqual({ content: [], structuredContent: { second: true } });
    const long = [text('x'.repeat(300_000))];
    await expect(request('ui/update-model-context', { content: long })).rejects.toMatchObject({ code: -32_000 });
    expect(contexts).toHaveLength(2);
  });

  it('gets the mode that it is shown in, not the one it wanted [display/unavailable-returns-current]', async () => {
    const { request } = setUp();
    expect(await request('ui/request-display-mode', { mode: 'pip' })).toEqual({ mode: 'inline' });
    expect(await request('ui/request-display-mode', { mode: 'fullscreen' })).toEqual({ mode: 'fullscreen' });
    await expect(request('ui/request-display-mode', { mode: 'huge' })).rejects.toMatchObject({ code: -32_602 });
  });

  it('saves no file without a yes, and shows a name that is no path', async () => {
    const { request } = setUp();
    const resource = { uri: 'file:///../../etc/passwd', mimeType: 'text/plain', text: 'x' };
    expect(await request('ui/download-file', { contents: [{ type: 'resource', resource }] })).toEqual({
      isError: true,
    });
    expect(asked[0]).toMatch(/\bpasswd/);
    expect(asked[0]).not.toContain('..');
    await expect(request('ui/download-file', { contents: [text('x')] })).rejects.toMatchObject({ code: -32_000 });
  });

  it('asks a model as its server would, under its own name, and counts the answer', async () => {
    const asking: unknown[] = [];
    const { request, mutes } = setUp({
      sampling: async (_wanted, { server, cause, definition, onDecision }) => {
        asking.push([server, cause, definition]);
        onDecision?.(false);
        return { role: 'assistant', model: 'm', content: [{ type: 'text', text: 'Fine.' }] };
      },
    });
    expect(await request('sampling/createMessage', question)).toMatchObject({ model: 'm', content: { text: 'Fine.' } });
    // Without a definition, no rule covers it.
    expect(asking).toEqual([['weather', 'app Weather', undefined]]);
    presses.push(undefined, undefined);
    for (const url of ['https://example.com/', 'https://example.com/2'])
      expect(await request('ui/open-link', { url })).toEqual({ isError: true });
    expect(mutes.muted).toEqual([{ server: 'weather', what: 'questions' }]);
  });

  it('gets progress while a person thinks, and no model once its server is muted, also where the question is open', async () => {
    const asking: AbortSignal[] = [];
    const { request, mutes, clock, progress } = setUp({
      sampling: (_wanted, { signal }) => {
        asking.push(signal);
        return new Promise(() => {});
      },
    });
    const open = request('sampling/createMessage', question);
    await clock.advance(25_000);
    expect(progress).toEqual([1, 2]);
    for (let count = 0; count < 3; count += 1) mutes.recordDecision('weather', 'questions', false);
    await expect(open).rejects.toMatchObject({ code: -1 });
    expect(asking.map(({ aborted }) => aborted)).toEqual([true]);
    await expect(request('sampling/createMessage', question)).rejects.toMatchObject({ code: -1 });
    expect(asking).toHaveLength(1);
  });
});
