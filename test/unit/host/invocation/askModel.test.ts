import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import { createModelAsker, type ModelAskerOptions } from '../../../../src/host/invocation/askModel.ts';
import type { ModelSubject } from '../../../../src/host/invocation/modelQuestion.ts';
import { ModelError, type ModelGateway } from '../../../../src/models/modelGateway.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { approve, createSamplingHost, type SamplingScript } from '../../../fixtures/samplingHost.ts';

const editor = vi.hoisted(() => {
  class TabInputText {
    readonly uri: { readonly scheme: string; readonly path: string; readonly query: string };
    constructor(uri: TabInputText['uri']) {
      this.uri = uri;
    }
  }
  interface Tab {
    readonly input: unknown;
  }
  const state = {
    TabInputText,
    question: undefined as string | undefined,
    asked: [] as { title: string; value: string }[],
    notified: [] as string[],
    tabs: [] as Tab[],
    maxTokens: 1_000,
    /** Presses *Cancel* in the notification. */
    cancel: (): void => {},
    texts: new Map<string, string>(),
    changeTabs: (_change: { closed: readonly Tab[] }): void => {},
    close(): void {
      const closed = state.tabs;
      state.tabs = [];
      state.changeTabs({ closed });
    },
  };
  return state;
});
vi.mock('../../../../src/host/platform/textDocuments.ts', async (load) => ({
  ...(await load<object>()),
  createTextDocuments: ({ scheme }: { scheme: string }) => ({
    set(path: string, query: string, text: string) {
      editor.texts.set(query, text);
      return { scheme, path, query };
    },
    show: async (uri: ConstructorParameters<typeof editor.TabInputText>[0]) =>
      void editor.tabs.push({ input: new editor.TabInputText(uri) }),
    dispose() {},
  }),
}));
vi.mock('vscode', () => ({
  ProgressLocation: { Notification: 15 },
  TabInputText: editor.TabInputText,
  window: {
    showInputBox: async (box: { title: string; value: string }) => (editor.asked.push(box), editor.question),
    showErrorMessage: async () => undefined,
    withProgress(
      { title }: { title: string },
      run: (progress: object, token: { onCancellationRequested: (listener: () => void) => object }) => unknown,
    ) {
      editor.notified.push(title);
      return run(
        { report() {} },
        {
          onCancellationRequested(listener) {
            editor.cancel = listener;
            return { dispose() {} };
          },
        },
      );
    },
    tabGroups: {
      get all() {
        return [{ tabs: editor.tabs }];
      },
      onDidChangeTabs(listener: typeof editor.changeTabs) {
        editor.changeTabs = listener;
        return { dispose: () => (editor.changeTabs = () => {}) };
      },
    },
  },
  workspace: { getConfiguration: () => ({ inspect: () => ({ globalValue: editor.maxTokens }) }) },
}));

beforeEach(() => {
  Object.assign(editor, { question: 'Why?', asked: [], notified: [], tabs: [], maxTokens: 1_000 });
});

const subject: ModelSubject = {
  server: 'demo',
  title: 'add/it',
  about: 'result of the tool add',
  messages: [{ role: 'user', content: [{ type: 'text', text: '3' }] }],
  needsQuestion: true,
};

/** A model that writes what `say` is told, and ends when told, or when its signal aborts. */
function slowModel() {
  const model = { say: (_piece: string): void => {}, end: (): void => {}, isStopped: false };
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const generate: ModelGateway['generate'] = (id, _request, onText, signal) => {
    let text = '';
    model.say = (piece) => {
      text += piece;
      onText(piece);
    };
    begin();
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => {
        model.isStopped = true;
        reject(signal.reason);
      });
      model.end = () => {
        const result = { role: 'assistant', content: [{ type: 'text', text }], model: id } as const;
        resolve({ result, usage: { inputTokens: 7, outputTokens: 8 } });
      };
    });
  };
  return { model, begun, generate };
}

function setUp(script: SamplingScript = {}, appContext: ModelAskerOptions['appContext'] = () => []) {
  const clock = createManualClock();
  const host = createSamplingHost(script);
  const asker = createModelAsker({ ask: (...asked) => host.handler.ask(...asked), clock, appContext });
  return { ...host, clock, asker };
}

describe('asking a model', () => {
  it('asks for a question, shows it with the content, and opens the answer as a document', async () => {
    const { asker, reviews } = setUp();
    await asker.askModel(subject);
    expect(editor.asked).toMatchObject([{ title: 'Ask a Model About add/it', value: 'Explain this.' }]);
    expect(reviews).toMatchObject([
      {
        server: 'demo',
        cause: 'result of the tool add',
        request: { messages: [{ content: [{ text: 'Why?' }, { text: '3' }] }], maxTokens: 1_000 },
      },
    ]);
    expect(editor.tabs).toMatchObject([
      { input: { uri: { scheme: 'patchbay-answer', path: 'Answer about add_it.md' } } },
    ]);
    expect(editor.texts.get('1')).toBe('answer\n\n---\n\n_Model: `Model One` · 10 tokens sent, 6 received._\n');
  });

  it('puts what apps of the server say of what they show before the question [model-context/provide-future-turns]', async () => {
    const said = { role: 'user', content: [{ type: 'text', text: 'The map shows Bern.' }] } as const;
    const { asker, generated, reviews } = setUp({}, (server) => (server === 'demo' ? [said] : []));
    await asker.askModel({ ...subject, needsQuestion: false });
    expect(editor.asked).toEqual([]);
    const content = subject.messages.flatMap((message) => message.content);
    expect(generated[0]?.messages.flatMap((message) => message.content)).toEqual([...said.content, ...content]);
    expect(JSON.stringify(reviews[0]?.request)).toContain('The map shows Bern.');
  });

  it('sends nothing without a question, or without a yes', async () => {
    const { asker, generated } = setUp({ request: () => ({ kind: 'decline' }) });
    await expect(asker.askModel(subject)).rejects.toBeInstanceOf(CancelledError);
    editor.question = undefined;
    await expect(asker.askModel(subject)).rejects.toBeInstanceOf(CancelledError);
    expect(generated).toEqual([]);
    expect(editor.tabs).toEqual([]);
  });

  it('opens the document before the model has written, and shows what it writes', async () => {
    const { model, begun, generate } = slowModel();
    const { asker, clock } = setUp({ generate });
    const asked = asker.askModel(subject);
    await begun;
    await settle();
    expect(editor.tabs).toHaveLength(1);
    expect(editor.texts.get('1')).toBe('_`Model One` is writing…_\n');
    model.say('one');
    model.say(' two');
    await clock.advance(100);
    expect(editor.texts.get('1')).toBe('one two');
    await clock.advance(400);
    expect(editor.notified).toEqual(['Asking a model about add/it']);
    model.end();
    await asked;
    expect(editor.texts.get('1')).toContain('7 tokens sent, 8 received');
  });

  it('stops the model from its notification, and keeps what it wrote', async () => {
    const { model, begun, generate } = slowModel();
    const { asker, clock, audit } = setUp({ generate });
    const asked = asker.askModel(subject);
    await begun;
    await clock.advance(400);
    model.say('half');
    editor.cancel();
    await asked;
    expect(model.isStopped).toBe(true);
    expect(editor.texts.get('1')).toMatch(/^half\n\n---\n\n_You stopped the model\. Model: `Model One`/);
    expect(audit).toMatchObject([{ outcome: 'approved, stopped' }]);
  });

  it('stops the model when the document is closed, but not when it moves', async () => {
    const { model, begun, generate } = slowModel();
    const { asker, clock } = setUp({ generate });
    const asked = asker.askModel(subject);
    await begun;
    await settle();
    editor.changeTabs({ closed: editor.tabs });
    model.say('more');
    await clock.advance(100);
    expect(editor.texts.get('1')).toBe('more');
    editor.close();
    await asked;
    expect(model.isStopped).toBe(true);
    expect(editor.texts.get('1')).toBe('more');
  });

  it('stops the model when the extension ends', async () => {
    const { model, begun, generate } = slowModel();
    const { asker } = setUp({ generate });
    const asked = asker.askModel(subject);
    await begun;
    asker.dispose();
    await asked;
    expect(model.isStopped).toBe(true);
  });

  it('says what failed in the document and in the panel, and writes the next try into the same document', async () => {
    let tries = 0;
    const generate: ModelGateway['generate'] = async (id) => {
      tries += 1;
      if (tries === 1) throw new ModelError('cutOff', 'The connection ended.');
      const result = { role: 'assistant', content: [{ type: 'text', text: 'done' }], model: id } as const;
      return { result, usage: { inputTokens: 1, outputTokens: 1 } };
    };
    const seen: unknown[] = [];
    const { asker, shown } = setUp({
      generate,
      request(review) {
        seen.push(editor.texts.get('1'));
        return approve()(review);
      },
    });
    await asker.askModel(subject);
    expect(seen[1]).toBe('_The model did not answer: The connection ended._\n');
    expect(shown).toEqual(['failed: The connection ended.']);
    expect(editor.tabs).toHaveLength(1);
    expect(editor.texts.get('1')).toMatch(/^done\n/);
  });

  it('opens what the person wrote themselves', async () => {
    const { asker } = setUp({ request: () => ({ kind: 'answer', text: 'mine' }) });
    await asker.askModel(subject);
    await vi.waitFor(() => expect(editor.tabs).toHaveLength(1));
    expect(editor.texts.get('1')).toBe('mine\n\n---\n\n_Written by you._\n');
  });
});
