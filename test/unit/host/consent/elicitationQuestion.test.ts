import { describe, expect, it, vi } from 'vitest';
import type { FormReview, UrlReview } from '../../../../src/client/elicitation/ports.ts';
import { checkElicitationUrl } from '../../../../src/client/elicitation/checkedUrl.ts';
import { createElicitationQueue } from '../../../../src/host/consent/elicitationQuestion.ts';
import { readFlatForm } from '../../../../src/schema/flatForm.ts';
import { createOpenQuestions } from '../../../../src/host/consent/openQuestions.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { createLocalValidator } from '../../../fixtures/schemaChecker.ts';
import type { ElicitationToPanel } from '../../../../src/shared/elicitationMessages.ts';
import { createQuestionPanel } from './questionPanel.ts';

const form: FormReview = {
  kind: 'form',
  server: 'demo',
  cause: undefined,
  message: 'How many?',
  schema: readFlatForm({ properties: { count: { type: 'integer', minimum: 1 } }, required: ['count'] }),
};
const visit: UrlReview = {
  kind: 'visit',
  server: 'demo',
  cause: undefined,
  message: 'Go there',
  address: checkElicitationUrl('https://example.com/'),
  isRequired: false,
  wasVisited: false,
  isAnnounced: true,
  canCancel: true,
};

/** The extension's side of the panel; the test takes the place of the page and the browser. */
function setUp() {
  const questions = createOpenQuestions();
  const changes: string[] = [];
  questions.onDidChange((server) => changes.push(server));
  const { panel, seen, openPanel, say } = createQuestionPanel<ElicitationToPanel>();
  let opening = Promise.resolve(true);
  const validator = createLocalValidator();
  const queue = createElicitationQueue({ questions, validator, openAddress: () => opening, openPanel });
  /** Opens a question, and its page. */
  const ask = (review: FormReview | UrlReview) => {
    const session = queue.open(review);
    say({ type: 'ready' });
    return session;
  };
  const close = (): void => panel().close.fire();
  return { queue, questions, changes, say, ask, close, seen, open: (next: Promise<boolean>) => void (opening = next) };
}

describe('ElicitationQueue', () => {
  it('gives back a form with a value that is not valid, and sends the next one [elicit-validated]', async () => {
    const { ask, say, seen } = setUp();
    const { decision } = ask(form);
    say({ type: 'send', id: 1, content: { count: 0 } });
    await vi.waitFor(() => expect(seen).toEqual(['show', 'checked']));
    say({ type: 'send', id: 1, content: {} });
    await vi.waitFor(() => expect(seen).toEqual(['show', 'checked', 'checked']));
    say({ type: 'check', id: 1, content: { count: 1 } });
    await vi.waitFor(() => expect(seen).toEqual(['show', 'checked', 'checked', 'checked']));
    say({ type: 'send', id: 1, content: { count: 7 } });
    expect(await decision).toEqual({ kind: 'accept', content: { count: 7 } });
  });

  it.each<[string, unknown]>([
    ['a field nobody asked for', { type: 'send', id: 1, content: { count: 1, other: 'x' } }],
    ['content that is none', { type: 'send', id: 1, content: [] }],
    ['an unknown word', { type: 'approve', id: 1 }],
    ['nothing', undefined],
  ])('takes %s as a no', async (_name, message) => {
    const { ask, say } = setUp();
    const { decision } = ask(form);
    say(message);
    say({ type: 'send', id: 1, content: { count: 1 } });
    expect(await decision).toEqual({ kind: 'cancel' });
  });

  it('takes no content for a visit, and does not end one that was not opened', async () => {
    const { ask, say } = setUp();
    const first = ask(visit);
    say({ type: 'finish', id: 1 });
    say({ type: 'send', id: 1, content: {} });
    expect(await first.decision).toEqual({ kind: 'cancel' });
  });

  it('tells who waits for an answer until there is one, and brings the question to the front', async () => {
    const { ask, questions, changes, say, seen } = setUp();
    expect(questions.reveal()).toBe(false);
    const { decision } = ask(visit);
    expect([questions.isAsking('demo'), questions.isAsking('other')]).toEqual([true, false]);
    expect(questions.reveal()).toBe(true);
    expect(seen).toEqual(['show', 'focused']);
    say({ type: 'open', id: 1 });
    await decision;
    // The page stays, but nothing waits for its answer.
    expect(questions.isAsking('demo')).toBe(false);
    expect(changes).toEqual(['demo', 'demo']);
    expect(seen).toEqual(['show', 'focused', 'opened']);
  });

  it('opens an address once, however often it is told to meanwhile', async () => {
    const { ask, say, open, seen } = setUp();
    let opened = (_isOpen: boolean): void => {};
    open(new Promise((resolve) => (opened = resolve)));
    ask(visit);
    say({ type: 'open', id: 1 });
    say({ type: 'open', id: 1 });
    opened(true);
    await settle();
    expect(seen).toEqual(['show', 'opened']);
  });

  it('says that a page was not opened when the browser failed', async () => {
    const { ask, questions, say, open, seen } = setUp();
    open(Promise.reject(new Error('no browser')));
    ask(visit);
    say({ type: 'open', id: 1 });
    await settle();
    expect(seen).toEqual(['show', 'opened']);
    expect(questions.isAsking('demo')).toBe(true);
  });

  it('keeps a visit until the person leaves it; what is asked meanwhile goes first [elicit-visit-patience]', async () => {
    const { queue, say, seen } = setUp();
    const first = queue.open(visit);
    let left: string | undefined;
    void first.left.then((how) => (left = how));
    say({ type: 'ready' });
    say({ type: 'open', id: 1 });
    await first.decision;
    first.dispose();
    const second = queue.open(form);
    say({ type: 'decline', id: 2 });
    await second.decision;
    expect(left).toBeUndefined();
    expect(seen).toEqual(['show', 'opened', 'revealed', 'show', 'done', 'revealed', 'show', 'opened']);
    say({ type: 'finish', id: 1 });
    expect(await first.left).toBe('done');
  });

  it('shows what already waits as soon as a person goes to a page', async () => {
    const { ask, queue, say, seen } = setUp();
    const first = queue.open(visit);
    const second = ask(form);
    say({ type: 'open', id: 1 });
    await first.decision;
    say({ type: 'decline', id: 2 });
    expect(await second.decision).toEqual({ kind: 'decline' });
    expect(seen.slice(-2)).toEqual(['show', 'opened']);
  });

  it.each([
    ['cancelled with its button', { type: 'cancel', id: 1 }, 'cancelled'],
    ['done with its button', { type: 'finish', id: 1 }, 'done'],
    ['done when its tab is closed', undefined, 'done'],
  ])('has a visit that was opened %s [elicit-visit-controls]', async (_name, message, how) => {
    const { ask, say, close } = setUp();
    const { decision, left } = ask(visit);
    say({ type: 'open', id: 1 });
    expect(await decision).toEqual({ kind: 'accept', content: undefined });
    if (message === undefined) close();
    else say(message);
    expect(await left).toBe(how);
  });

  it('does not ask for a page to be opened where the person has been [elicit-visit-controls]', async () => {
    const { ask, say, seen } = setUp();
    const { decision } = ask({ ...visit, isRequired: true, wasVisited: true });
    expect(seen).toEqual(['show', 'opened']);
    say({ type: 'finish', id: 1 });
    expect(await decision).toEqual({ kind: 'accept', content: undefined });
  });

  it('ends a visit nobody has agreed to when the server no longer needs it', async () => {
    const { queue } = setUp();
    const plain = queue.open(visit);
    plain.complete();
    expect(await plain.decision).toEqual({ kind: 'cancel' });
    const required = queue.open({ ...visit, isRequired: true });
    required.complete();
    expect(await required.decision).toEqual({ kind: 'accept', content: undefined });
  });

  it('cancels all that is open when it is disposed, and all that comes later', async () => {
    const { queue, questions, seen } = setUp();
    const sessions = [queue.open(form), queue.open(visit)];
    queue.dispose();
    sessions.push(queue.open(form));
    for (const { decision } of sessions) expect(await decision).toEqual({ kind: 'cancel' });
    expect(questions.isAsking('demo')).toBe(false);
    expect(seen).toEqual(['disposed']);
  });
});
