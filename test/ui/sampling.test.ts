import type { Frame, Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { modelWords, press, sampling, textRequest, useSamplingWindow } from './driver/samplingWindow.ts';
import { window } from './driver/useWindow.ts';

const declined = '"code":-1';

// Made here, so that no scanner of this repository finds a key in it.
const secrets = {
  ofEnvFile: ['quartz', 'vale', '7714'].join('-'),
  key: `ghp_${'a1B2'.repeat(9)}`,
  path: '/home/elsewhere/ledger.txt',
};
const withSecrets = `Log in with ${secrets.ofEnvFile}, or with ${secrets.key}. The rest is in ${secrets.path}.`;

describe('a server that asks for a model, in a window without a model of VS Code', () => {
  useSamplingWindow({ '.env': `SERVICE_TOKEN=${secrets.ofEnvFile}\n` });

  const messageOf = (panel: Frame): Locator => panel.getByRole('textbox', { name: /^Message 1 of 1/ });

  it('is answered by a model of no account, once a person has seen both the request and the answer', async () => {
    const answer = sampling.ask(textRequest('How are you?'));
    const panel = await sampling.question('asker');
    expect(await messageOf(panel).inputValue()).toBe('How are you?');
    expect(await panel.getByLabel('Model', { exact: true }).locator('option').allInnerTexts()).toEqual([
      expect.stringContaining('Local Model'),
    ]);
    expect(sampling.sent).toEqual([]);
    await press(panel, 'Approve');
    const reviewed = panel.getByRole('textbox', { name: 'Answer' });
    await reviewed.waitFor();
    expect(await reviewed.inputValue()).toBe(modelWords);
    await window.screenshot('sampling-answer');
    await press(panel, 'Send to Server');
    expect(JSON.parse(await answer)).toMatchObject({ result: { role: 'assistant', content: { text: modelWords } } });
    expect(sampling.sent).toMatchObject([{ messages: [{ role: 'user', content: 'How are you?' }] }]);
    await sampling.noQuestion();
  });

  it('gets a refusal when the person declines: the model gets nothing', async () => {
    const before = sampling.sent.length;
    const answer = sampling.ask(textRequest('And now?'));
    await press(await sampling.question('asker'), 'Decline');
    expect(await answer).toContain(declined);
    expect(sampling.sent).toHaveLength(before);
  });

  it('gets a refusal when the person withholds the answer', async () => {
    const before = sampling.sent.length;
    const answer = sampling.ask(textRequest('What is in my notes?'));
    const panel = await sampling.question('asker');
    await press(panel, 'Approve');
    await panel.getByRole('heading', { name: 'Review the answer' }).waitFor();
    await press(panel, 'Withhold');
    const received = await answer;
    expect(received).toContain(declined);
    expect(received).not.toContain(modelWords);
    expect(sampling.sent).toHaveLength(before + 1);
  });

  it('cannot send secrets that nobody sees: they are marked, and one click masks them', async () => {
    const answer = sampling.ask(textRequest(withSecrets));
    const panel = await sampling.question('asker');
    const rows = panel.locator('.mark');
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringContaining('SERVICE_TOKEN of .env'),
      expect.stringMatching(/GitHub/i),
      expect.stringContaining('a path outside the workspace'),
    ]);
    await panel.getByText('3 places may be secret and are not masked').waitFor();
    await window.screenshotInThemes('sampling-marks');
    await press(panel, 'Mask All');
    await panel.getByRole('button', { name: 'Unmask All' }).waitFor();
    const shown = await messageOf(panel).inputValue();
    for (const secret of Object.values(secrets)) expect(shown).not.toContain(secret);
    await window.screenshot('sampling-masked');
    await press(panel, 'Approve');
    await press(panel, 'Send to Server');
    expect(await answer).toContain(modelWords);
    expect(sampling.lastSent.match(/\[masked: /g)).toHaveLength(3);
    for (const secret of Object.values(secrets)) expect(sampling.lastSent).not.toContain(secret);
  });

  it('runs a tool for the model over three rounds, each of which is shown with what is new in it', async () => {
    const before = sampling.sent.length;
    const call = (id: string, operation: string, numbers: readonly number[]) => {
      return { toolCalls: [{ id, name: 'calculator', input: { operation, numbers } }] };
    };
    await window.startServer('demo');
    const { outcome } = await window.callTool({ server: 'demo', tool: 'add_up_prices', args: {} });

    sampling.model.answerNext(call('one', 'multiply', [4, 1.1]));
    const panel = await sampling.question('demo');
    await panel.getByText('1 tool offered to the model').waitFor();
    expect(await panel.locator('.round').count()).toBe(0);
    await press(panel, 'Approve');
    await panel.getByText('It wants to call a tool.').waitFor();
    await window.screenshot('sampling-tool-call');
    await press(panel, 'Send to Server');

    for (const round of [2, 3]) {
      const next = await window.webviews.frame(`.round:has-text("Round ${round} of a conversation: 2 new messages")`);
      const shown = next.locator('.messages > li:visible');
      expect(await shown.locator('.new').allInnerTexts()).toEqual(['New', 'New']);
      expect(await shown.last().innerText()).toContain(round === 2 ? '4.4' : '13.4');
      await next.getByRole('button', { name: 'Approve', disabled: false }).waitFor();
      await window.screenshot(`sampling-round-${round}`);
      sampling.model.answerNext(
        round === 2 ? call('two', 'add', [3.2, 5.8, 4.4]) : { pieces: ['All of it costs 13.40.'] },
      );
      await press(next, 'Approve');
      await press(next, 'Send to Server');
    }
    expect(JSON.stringify(await outcome)).toContain('All of it costs 13.40.');
    const rounds = sampling.sent.slice(before);
    expect(rounds.map(({ messages }) => messages.map(({ role }) => role).join(' '))).toEqual([
      'system user',
      'system user assistant tool',
      'system user assistant tool assistant tool',
    ]);
    expect(rounds.map(({ tools }) => JSON.stringify(tools))).toEqual(
      rounds.map(() => expect.stringContaining('"calculator"') as string),
    );
    sampling.model.answerNext({ pieces: [modelWords] });
    await window.sidebar.collapse('demo');
  });

  it('waits its turn while another server asks, and each question says whose it is', async () => {
    const first = sampling.ask(textRequest('From the first.'), 'asker');
    const panel = await sampling.question('asker');
    const other = sampling.ask(textRequest('From the second.'), 'second');
    await panel.getByText('1 more request waiting').waitFor();
    await window.screenshot('sampling-waiting');
    await press(panel, 'Approve');
    await press(panel, 'Send to Server');
    expect(await first).toContain(modelWords);
    const next = await sampling.question('second');
    expect(await messageOf(next).inputValue()).toBe('From the second.');
    expect(await next.getByText('more request waiting').count()).toBe(0);
    await press(next, 'Decline');
    expect(await other).toContain(declined);
    await sampling.noQuestion();
  });

  it('takes its question back: the panel goes to the next one, and closes after the last', async () => {
    const before = sampling.sent.length;
    const first = sampling.ask(textRequest('Never mind.'), 'asker');
    await sampling.question('asker');
    const other = sampling.ask(textRequest('Nor this.'), 'second');
    await window.webviews.frame('text="1 more request waiting"');
    await sampling.takeBack('asker');
    expect(await first).toContain('cancelled');
    const next = await sampling.question('second');
    expect(await messageOf(next).inputValue()).toBe('Nor this.');
    await sampling.takeBack('second');
    expect(await other).toContain('cancelled');
    await sampling.noQuestion();
    expect(sampling.sent).toHaveLength(before);
  });

  it('is answered by keyboard alone: masks, a rule, the answer', async () => {
    const before = sampling.sent.length;
    const { keyboard } = window.page;
    const answer = sampling.ask(textRequest(withSecrets));
    const panel = await sampling.question('asker');
    // Keys that were meant for something else: nothing in the panel has the focus.
    await keyboard.press('Control+Enter');
    await keyboard.press('Escape');
    await tabTo(panel, panel.getByRole('button', { name: 'Mask All' }));
    await keyboard.press('Space');
    await panel.getByRole('button', { name: 'Unmask All' }).waitFor();
    await tabTo(panel, panel.getByRole('button', { name: 'Allow Without Asking…' }));
    await keyboard.press('Enter');
    await tabTo(panel, panel.getByLabel('Show me each answer before the server gets it'));
    await keyboard.press('Space');
    await panel.getByText('You see neither these requests nor their answers beforehand.').waitFor();
    await panel.getByRole('button', { name: 'Approve and Make the Rule', disabled: false }).waitFor();
    expect(sampling.sent).toHaveLength(before);
    await keyboard.press('Control+Enter');
    await panel.getByRole('button', { name: 'Send to Server', disabled: false }).waitFor();
    await keyboard.press('Control+Enter');
    expect(await answer).toContain(modelWords);
    expect(sampling.lastSent).not.toContain(secrets.key);
    // The rule is there.
    expect(await sampling.ask(textRequest('Short.'))).toContain(modelWords);
    expect(sampling.sent).toHaveLength(before + 2);
    await window.runCommand('MCP Patchbay: Stop All Rules for Models');
  });

  it('cannot get a key that was pressed before the person could see the question', async () => {
    const before = sampling.sent.length;
    const first = sampling.ask(textRequest('The first.'), 'asker');
    const panel = await sampling.question('asker');
    const other = sampling.ask(textRequest('The next.'), 'second');
    await panel.getByText('1 more request waiting').waitFor();
    await pressAtOnce(panel);
    await press(panel, 'Decline');
    expect(await first).toContain(declined);
    const next = await sampling.question('second');
    await next.locator('body[data-pressed]').waitFor();
    await next.getByRole('button', { name: 'Approve', disabled: false }).waitFor();
    expect(sampling.sent).toHaveLength(before);
    // The same key, once the person has had time to read.
    await window.page.keyboard.press('Control+Enter');
    await press(next, 'Send to Server');
    expect(await other).toContain(modelWords);
  });

  /** Moves the focus to a control as a person does without a mouse. */
  async function tabTo(panel: Frame, control: Locator): Promise<void> {
    for (let presses = 0; presses < 60; presses += 1) {
      if (await control.evaluate((element) => element === document.activeElement)) return;
      await window.page.keyboard.press('Tab');
    }
    throw new Error(`60 times Tab did not reach it: ${await panel.locator(':focus').innerText()}`);
  }
});

/** Presses all keys and buttons that decide in the moment in which the page shows the question of "second". */
function pressAtOnce(panel: Frame): Promise<void> {
  return panel.evaluate(() => {
    const observer = new MutationObserver(() => {
      const field = document.querySelector('main textarea');
      if (document.querySelector('h1')?.textContent?.startsWith('second') !== true || field === null) return;
      observer.disconnect();
      (field as HTMLTextAreaElement).focus();
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }));
      for (const button of document.querySelectorAll('button'))
        if (['Approve', 'Decline'].includes(button.innerText.trim())) button.click();
      document.body.dataset['pressed'] = 'true';
    });
    observer.observe(document.body, { subtree: true, childList: true });
  });
}
