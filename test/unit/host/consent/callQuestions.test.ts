import { describe, expect, it } from 'vitest';
import type { AboutApp, CallAnswer } from '../../../../src/client/toolCalls/ports.ts';
import { createCallQuestions } from '../../../../src/host/consent/callQuestions.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { proposedCall } from '../../../fixtures/proposedCall.ts';

const never = (): Promise<never> => new Promise(() => {});

describe('a question above an app', () => {
  /** @param given the labels that are pressed, one for each question */
  async function askAbove(given: readonly (string | undefined)[], offered: readonly CallAnswer[] = ['tool']) {
    const left = [...given];
    const asked: AboutApp[] = [];
    const ask = async (question: AboutApp): Promise<string | undefined> => (asked.push(question), left.shift());
    const app = { uri: 'ui://weather/map', title: 'Map', ask };
    const questions = createCallQuestions(false);
    const answer = await questions.ask(proposedCall('pay', { caller: 'app', app }), offered);
    questions.dispose();
    return { answer, asked };
  }

  it('leads to another one for a yes that holds, which names the app, and what it would be for', async () => {
    const { answer, asked } = await askAbove(['Always Allow This Tool…', 'Always Allow This Tool']);
    expect([answer, asked.length]).toEqual(['tool', 2]);
    expect(asked.map(({ safe, actions }) => [safe, ...actions])).toEqual([
      ['Don’t Call', 'Call', 'Always Allow This Tool…'],
      ['Don’t Call', 'Call', 'Always Allow This Tool'],
    ]);
    expect(asked[1]?.message).toMatch(/^Let the app “Map” call the tool “pay”.* without a question from now on\?$/);
    expect(asked[1]?.detail.join(' ')).toMatch(/for this app only, with any arguments.*the Approvals view/);
  });

  it.each([
    [['Call'], 'once'],
    [[undefined], undefined],
    [['Always Allow This Tool…', 'Call'], 'once'],
    [['Always Allow This Tool…', undefined], undefined],
  ] as const)('gives nothing that holds for %j', async (given, expected) => {
    expect((await askAbove(given)).answer).toBe(expected);
  });

  it('has no such button for a tool whose definition a yes cannot be bound to', async () => {
    expect((await askAbove(['Call'], [])).asked[0]?.actions).toEqual(['Call']);
  });
});

it('is put in the form that the person has called from, and nowhere else', async () => {
  const questions = createCallQuestions(false);
  const offers: unknown[] = [];
  const askInForm = async (_call: unknown, offered: readonly CallAnswer[]) => (offers.push(offered), 'tool' as const);
  expect(await questions.ask(proposedCall('pay', { caller: 'form', askInForm }), ['tool'])).toBe('tool');
  expect([offers, editor.questions]).toEqual([[['tool']], []]);
  questions.dispose();
});

describe('a question about a call that is cancelled', () => {
  it('holds up no other, where it went on as a notification that is hidden now', async () => {
    editor.answers.push('Show Arguments', never);
    const abort = new AbortController();
    const questions = createCallQuestions(false);
    const answer = expect(questions.ask(proposedCall('pay', { signal: abort.signal }), [])).rejects.toThrow('gone');
    await expect.poll(() => editor.questions.length).toBe(2);
    abort.abort(new Error('gone'));
    await answer;
    questions.dispose();
  });
});
