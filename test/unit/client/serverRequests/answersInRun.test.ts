import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../../src/client/auditLog.ts';
import type { PreparedAnswers } from '../../../../src/client/serverRequests/answerInRun.ts';
import { AnswersInRun } from '../../../../src/client/serverRequests/answersInRun.ts';
import type { ElicitationContext } from '../../../../src/client/serverRequests/serverRequestHandlers.ts';

const form = { type: 'object', properties: {}, required: [], additionalProperties: false } as const;
const question = { mode: 'form', message: 'Which dish?', requestedSchema: form } as const;
const request = { messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }], maxTokens: 9 } as const;
const soup = { action: 'accept', content: { dish: 'secret soup' } } as const;
const poem = { role: 'assistant', content: [{ type: 'text', text: 'a poem' }], model: 'saved-call' } as const;
const byPerson = { action: 'cancel' } as const;
const byModel = { ...poem, model: 'a model' };

function setUp(answers: PreparedAnswers = { elicitation: () => soup, sampling: () => poem }) {
  const recorded: AuditEntry[] = [];
  const runs = new AnswersInRun({ record: (entry) => recorded.push(entry) });
  const { elicitation, sampling } = runs.before({ elicitation: async () => byPerson, sampling: async () => byModel });
  const contextOf = (server: string, cause: string | undefined): ElicitationContext => ({
    server,
    cause,
    signal: new AbortController().signal,
    completed: undefined,
  });
  return {
    recorded,
    begin: (server = 's', tool = 't') => runs.begin(server, tool, answers, '/f/.vscode/mcp-calls.json'),
    ask: (server = 's', cause: string | undefined = 'tool t') => elicitation(question, contextOf(server, cause)),
    sample: (server = 's', cause: string | undefined = 'tool t') => sampling(request, contextOf(server, cause)),
  };
}

describe('prepared answers', () => {
  it('are given while the call is on its way, and recorded as of the file, without values', async () => {
    const { begin, ask, sample, recorded } = setUp();
    expect(await ask()).toBe(byPerson);
    const run = begin();
    expect([await ask(), await sample()]).toEqual([soup, poem]);
    run.dispose();
    expect([await ask(), await sample()]).toEqual([byPerson, byModel]);
    expect(recorded.map(({ action, outcome, detail }) => [action, outcome, detail['by']])).toEqual([
      ['elicitation', 'accepted', 'file'],
      ['sampling', 'answered', 'file'],
    ]);
    expect(JSON.stringify(recorded)).not.toContain('secret soup');
  });

  it('are for a call that is alone on its way', async () => {
    const { begin, ask, sample } = setUp();
    begin();
    for (const [server, cause] of [
      ['other', 'tool t'],
      ['s', 'tool other'],
      ['s', 'tool t, tool t'],
      ['s', 'tool t, prompt p'],
      ['s', ''],
    ] as const)
      expect([await ask(server, cause), await sample(server, cause)]).toEqual([byPerson, byModel]);
    begin();
    expect(await ask()).toBe(byPerson);
  });

  it('leave to the person what the file does not answer', async () => {
    const { begin, ask, sample, recorded } = setUp({ elicitation: () => undefined, sampling: () => undefined });
    begin();
    expect([await ask(), await sample(), recorded]).toEqual([byPerson, byModel, []]);
  });
});
