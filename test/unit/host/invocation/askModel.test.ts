import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import { createModelAsker, type ModelAskerOptions } from '../../../../src/host/invocation/askModel.ts';
import type { ModelSubject } from '../../../../src/host/invocation/modelQuestion.ts';
import { ModelError, type ModelGateway } from '../../../../src/models/modelGateway.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { approve, createSamplingHost, type SamplingScript } from '../../../fixtures/samplingHost.ts';
import { editor, TabInputText, type Uri, window } from '../../../fixtures/vscode.ts';

/** The text of the answer. */
const textOf = (): string | undefined =>
  editor.providers.get('patchbay-answer')?.provideTextDocumentContent({ query: '1' });

beforeEach(() => {
  editor.answer = 'Why?';
  editor.settings['sampling.maxTokens'] = 1_000;
  const showTextDocument = async ({ uri }: { readonly uri: Uri }) =>
    void editor.tabs.push({ input: new TabInputText(uri) });
  Object.assign(window, { showTextDocument });
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

/** Asks a model that has begun, and writes what a test lets it write. */
async function askSlowly() {
  const { model, begun, generate } = slowModel();
  const set = setUp({ generate });
  const asked = set.asker.askModel(subject);
  await begun;
  return { ...set, model, asked };
}

describe('asking a model', () => {
  it('asks for a question, shows it with the content, and opens the answer as a document', async () => {
    const { asker, reviews } = setUp();
    await asker.askModel(subject);
    expect(editor.questions).toMatchObject([
      { options: { title: 'Ask a Model About add/it', value: 'Explain this.' } },
    ]);
    expect(reviews).toMatchObject([
      {
        server: 'demo',
        cause: 'result of the tool add',
        request: { messages: [{ content: [{ text: 'Why?' }, { text: '3' }] }], maxTokens: 1_000 },
      },
    ]);
    expect(editor.tabs).toMatchObject([
      { input: { uri: { scheme: 'patchbay-answer', path: '/patchbay~/Answer about add_it.md' } } },
    ]);
    expect(textOf()).toBe('answer\n\n---\n\n_Model: `Model One` · 10 tokens sent, 6 received._\n');
  });

  it('puts what apps of the server say of what they show before the question [model-context/provide-future-turns]', async () => {
    const said = { role: 'user', content: [{ type: 'text', text: 'The map shows Bern.' }] } as const;
    const { asker, generated, reviews } = setUp({}, (server) => (server === 'demo' ? [said] : []));
    await asker.askModel({ ...subject, needsQuestion: false });
    expect(editor.questions).toEqual([]);
    const content = subject.messages.flatMap((message) => message.content);
    expect(generated[0]?.messages.flatMap((message) => message.content)).toEqual([...said.content, ...content]);
    expect(JSON.stringify(reviews[0]?.request)).toContain('The map shows Bern.');
  });

  it('sends nothing without a question, or without a yes', async () => {
    const { asker, generated } = setUp({ request: () => ({ kind: 'decline' }) });
    await expect(asker.askModel(subject)).rejects.toBeInstanceOf(CancelledError);
    editor.answer = undefined;
    await expect(asker.askModel(subject)).rejects.toBeInstanceOf(CancelledError);
    expect(generated).toEqual([]);
    expect(editor.tabs).toEqual([]);
  });

  it('opens the document before the model has written, and shows what it writes', async () => {
    const { model, asked, clock } = await askSlowly();
    await settle();
    expect(editor.tabs).toHaveLength(1);
    expect(textOf()).toBe('_`Model One` is writing…_\n');
    model.say('one');
    model.say(' two');
    await clock.advance(100);
    expect(textOf()).toBe('one two');
    await clock.advance(400);
    expect(editor.progress).toEqual(['Asking a model about add/it']);
    model.end();
    await asked;
    expect(textOf()).toContain('7 tokens sent, 8 received');
  });

  it('stops the model from its notification, and keeps what it wrote', async () => {
    const { model, asked, clock, audit } = await askSlowly();
    await clock.advance(400);
    model.say('half');
    editor.cancel();
    await asked;
    expect(model.isStopped).toBe(true);
    expect(textOf()).toMatch(/^half\n\n---\n\n_You stopped the model\. Model: `Model One`/);
    expect(audit).toMatchObject([{ outcome: 'approved, stopped' }]);
  });

  it('stops the model when the document is closed, but not when it moves', async () => {
    const { model, asked, clock } = await askSlowly();
    await settle();
    editor.fire('onDidChangeTabs', { closed: editor.tabs });
    model.say('more');
    await clock.advance(100);
    expect(textOf()).toBe('more');
    editor.closeTabs(() => true);
    await asked;
    expect(model.isStopped).toBe(true);
    expect(textOf()).toBe('more');
  });

  it('stops the model when the extension ends', async () => {
    const { model, asked, asker } = await askSlowly();
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
        seen.push(textOf());
        return approve()(review);
      },
    });
    await asker.askModel(subject);
    expect(seen[1]).toBe('_The model did not answer: The connection ended._\n');
    expect(shown).toEqual(['failed: The connection ended.']);
    expect(editor.tabs).toHaveLength(1);
    expect(textOf()).toMatch(/^done\n/);
  });

  it('opens what the person wrote themselves', async () => {
    const { asker } = setUp({ request: () => ({ kind: 'answer', text: 'mine' }) });
    await asker.askModel(subject);
    await vi.waitFor(() => expect(editor.tabs).toHaveLength(1));
    expect(textOf()).toBe('mine\n\n---\n\n_Written by you._\n');
  });
});
