import { describe, expect, it } from 'vitest';
import type { AboutApp } from '../../../../src/client/toolCalls/ports.ts';
import { createAppQuestions } from '../../../../src/host/apps/appRequests.ts';

const about = (message: string): AboutApp => ({ message, detail: [], safe: 'No', actions: ['Yes'] });

describe('the questions of a document', () => {
  it('are cancelled where it ends, which is no answer of the person, and told once', async () => {
    const seen: (string | undefined)[] = [];
    const questions = createAppQuestions(() => seen.push(questions.current?.message));
    const open = Promise.allSettled([questions.ask(about('one')), questions.ask(about('two'))]);
    questions.end();
    expect((await open).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(seen).toEqual(['one', 'one', undefined]);
  });

  it('have ids that those of the next document do not have', async () => {
    const before = createAppQuestions(() => {});
    before.ask(about('before')).catch(() => {});
    const id = before.current?.id ?? 0;
    before.end();
    const after = createAppQuestions(() => {});
    const open = after.ask(about('after'));
    after.answer(id, 'Yes');
    expect(after.current?.message).toBe('after');
    after.answer(after.current?.id ?? 0, 'Yes');
    expect(await open).toBe('Yes');
  });
});
