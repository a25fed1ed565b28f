import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RequestHandlerContext } from '../../../../src/protocol/incomingRequests.ts';
import {
  type AppModelContext,
  type AppRequestPorts,
  createPersonRequests,
} from '../../../../src/host/apps/appRequests.ts';

/** What the person presses, in this order; then nothing. */
const { presses, asked, opened, copied } = vi.hoisted(() => ({
  presses: [] as (string | undefined)[],
  asked: [] as string[],
  opened: [] as string[],
  copied: [] as string[],
}));

vi.mock('vscode', () => ({
  Uri: {},
  env: {
    clipboard: { writeText: async (words: string) => void copied.push(words) },
    openExternal: async (href: string) => opened.push(href) > 0,
  },
  commands: { getCommands: async () => [] },
  window: {
    setStatusBarMessage: () => {},
    showTextDocument: async () => {},
  },
  workspace: { openTextDocument: async () => ({}) },
}));

function setUp(others: Partial<AppRequestPorts> = {}) {
  const contexts: AppModelContext[] = [];
  const requests = createPersonRequests({
    server: { label: 'weather', readResource: () => Promise.reject(new Error('Not expected')) },
    title: 'Weather',
    ask: async ({ message, detail, body }) => {
      asked.push([message, ...detail, body].join(' '));
      return presses.shift();
    },
    sampling: () => Promise.reject(new Error('Not expected')),
    mutes: { isMuted: () => false, recordDecision: () => {} },
    setContext: (context) => contexts.push(context),
    setMode: async (mode) => (mode === 'pip' ? 'inline' : mode),
    ...others,
  });
  const request = (method: string, params: object): Promise<object> => {
    const { handlers } = requests;
    const handler = handlers[method];
    if (handler === undefined) throw new Error(`No handler for ${method}.`);
    return handler({ ...params }, { signal: new AbortController().signal } as RequestHandlerContext);
  };
  return { ...requests, request, contexts };
}

const text = (words: string) => ({ type: 'text', text: words });

beforeEach(() => {
  for (const list of [presses, asked, opened, copied]) list.length = 0;
});

describe('what an app asks of a person', () => {
  it('opens a link only after a yes to its whole address [links/open-external]', async () => {
    const { request } = setUp();
    presses.push(undefined, 'Open in Browser');
    const url = 'https://example.com/a?b=c';
    expect(await request('ui/open-link', { url })).toEqual({ isError: true });
    expect(opened).toEqual([]);
    expect(await request('ui/open-link', { url })).toEqual({});
    expect(opened).toEqual([url]);
    expect(asked[0]).toContain(url);
  });

  it('opens no link that is no page', async () => {
    const { request } = setUp();
    await expect(request('ui/open-link', { url: 'command:workbench.action.quit' })).rejects.toMatchObject({
      code: -32_000,
    });
    await expect(request('ui/open-link', { url: 7 })).rejects.toMatchObject({ code: -32_602 });
    expect([asked, opened]).toEqual([[], []]);
  });

  it('shows a message before it goes anywhere, as one block or a list [messages/consent] [messages/add-to-conversation]', async () => {
    const { request } = setUp();
    presses.push('Copy', undefined);
    expect(await request('ui/message', { role: 'user', content: text('What now?') })).toEqual({});
    expect(copied).toEqual(['What now?\n']);
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
    const decisions: boolean[] = [];
    const { request } = setUp({
      mutes: { isMuted: () => false, recordDecision: (_server, isApproved) => void decisions.push(isApproved) },
      sampling: async (_wanted, { server, cause, definition, onDecision }) => {
        asking.push([server, cause, definition]);
        onDecision?.(true);
        return { role: 'assistant', model: 'm', content: [{ type: 'text', text: 'Fine.' }] };
      },
    });
    const messages = [{ role: 'user', content: text('How is it?') }];
    const answer = await request('sampling/createMessage', { messages, maxTokens: 5 });
    expect(answer).toMatchObject({ model: 'm', content: { text: 'Fine.' } });
    // Without a definition, no rule covers it.
    expect([asking, decisions]).toEqual([[['weather', 'app Weather', undefined]], [true]]);
  });

  it('gets no model while its server is muted', async () => {
    const { request } = setUp({ mutes: { isMuted: () => true, recordDecision: () => {} } });
    const messages = [{ role: 'user', content: text('How is it?') }];
    await expect(request('sampling/createMessage', { messages, maxTokens: 5 })).rejects.toMatchObject({ code: -1 });
  });
});
