import { beforeEach, describe, expect, it } from 'vitest';
import { askAboutCalls } from '../../../../src/host/testing/askAboutCalls.ts';
import { readSavedCallTests } from '../../../../src/workshop/savedCalls/savedCallTests.ts';
import { unhurried } from '../../../fixtures/unhurried.ts';
import { editor, type Question } from '../../../fixtures/vscode.ts';

beforeEach(unhurried);

function testsOf(...calls: readonly object[]) {
  const named = calls.map((call, index) => ({ name: `n${index}`, server: 's', tool: 'read', ...call }));
  return readSavedCallTests(JSON.stringify({ calls: named })).tests;
}

const buttonsOf = (question: Question | undefined) => question?.buttons;

describe('the question about saved calls', () => {
  it('has all that is sent, with the answers that are given', async () => {
    editor.answer = 'Call Them';
    const answers = { elicitation: [{ match: 'sure', action: 'accept', content: { ok: true } }] };
    expect(await askAboutCalls('unseen', testsOf({ arguments: { path: '/home' }, answers }))).toBe(true);
    const [question] = editor.questions;
    expect(buttonsOf(question)).toEqual(['Skip Them', 'Call Them']);
    expect(question?.detail).toContain(
      'read of s (“n0”): {"path":"/home"}, and answers to what it asks: [{"match":"sure","action":"accept","content":{"ok":true}}]',
    );
  });

  it.each([
    [
      'more calls than it has room for',
      [...Array.from({ length: 12 }, () => ({})), { tool: 'wipe', arguments: { at: '/last' } }],
    ],
    ['long arguments', [{ arguments: { note: 'x'.repeat(300), at: '/last' } }]],
    ['a long name of a tool', [{ tool: `read${' '.repeat(300)}`, arguments: { at: '/last' } }]],
    ['long answers', [{ arguments: { at: '/last' }, answers: { sampling: [{ text: 'y'.repeat(300) }] } }]],
  ])('calls nothing of %s before a document has shown them', async (_, calls) => {
    const tests = testsOf(...calls);
    editor.answers = ['Call Them'];
    expect(await askAboutCalls('unseen', tests)).toBe(false);
    expect(editor.questions.map(buttonsOf)).toEqual([['Show Them']]);
    editor.answers = ['Show Them', 'Skip Them'];
    expect(await askAboutCalls('unseen', tests)).toBe(false);
    expect(editor.documents.at(-1)).toContain('"at": "/last"');
    editor.answers = ['Show Them', 'Call Them'];
    expect(await askAboutCalls('destructive', tests)).toBe(true);
    expect(buttonsOf(editor.questions.at(-1))).toEqual(['Skip Them', 'Call Them']);
  });

  it('takes no yes to what is too long to be read', async () => {
    editor.answer = 'Call Them';
    const tests = testsOf(...Array.from({ length: 9 }, () => ({ arguments: { note: 'x'.repeat(100_000) } })));
    expect(await askAboutCalls('unseen', tests)).toBe(false);
    expect(editor.questions.map(buttonsOf)).toEqual([['Skip Them']]);
    expect(editor.questions[0]?.detail).toContain('Run fewer of them at once.');
  });
});
