import { createServer } from 'node:net';
import type { Frame } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { demoWorkspace } from './driver/newWorkspace.ts';
import { press } from './driver/samplingWindow.ts';
import { startTestModel, type TestModel } from './driver/testModel.ts';
import { useWindow, window } from './driver/useWindow.ts';

const text = 'A patch bay connects any source to any destination.';
const key = 'sk-a-key-of-this-test-0123456789';
const wrongKey = 'sk-a-wrong-key-of-this-test-0123456789';
/** Where programs that run models usually listen. */
const usualPorts = [11434, 1234, 8080, 8000];

describe('a person in an editor without a language model', () => {
  /** Takes requests without a key. */
  let model: TestModel;
  /** Takes no request without {@link key}. */
  let locked: TestModel;

  afterAll(async () => {
    await model?.stop();
    await locked?.stop();
  });
  useWindow(
    async () => {
      model = await startTestModel({ models: ['small-model', 'large-model'] });
      locked = await startTestModel({ key, models: ['locked-model'] });
      return { workspace: demoWorkspace };
    },
    () => window.startServer('demo'),
  );

  /** Has the demo server ask for a model. */
  async function requestModel(): Promise<Frame> {
    const form = await window.chooseTool('Summarize With a Model');
    await form.getByRole('textbox', { name: 'text' }).fill(text);
    await form.getByRole('combobox', { name: 'style' }).selectOption('haiku');
    await window.page.keyboard.press('Control+Enter');
    return window.webviews.frame('h1:has-text("wants to use a language model")');
  }

  /** Sends the answer that is shown. @returns the panel with what the server made of it */
  async function send(panel: Frame, answer: string): Promise<Frame> {
    await expect.poll(() => panel.getByRole('textbox', { name: 'Answer' }).inputValue()).toBe(answer);
    await press(panel, 'Send to Server');
    return window.webviews.frame(`main:has-text("${answer}")`);
  }

  /** Answers the questions for the address and the key. What follows is the list of models. */
  async function enterAddress(address: string, enteredKey = ''): Promise<void> {
    await window.quickInput.pick('Another OpenAI-Compatible Address…');
    await window.quickInput.answer('Add Model: Address', address);
    await window.quickInput.answer('Add Model: Key', enteredKey);
  }

  const title = (step: string) => window.quickInput.widget.locator('.quick-input-title', { hasText: step });

  async function escape(): Promise<void> {
    await window.quickInput.cancel();
    await window.quickInput.widget.waitFor({ state: 'hidden' });
  }

  it('goes back and forth, and leaves: nothing was sent or kept', async () => {
    await window.runCommand('MCP Patchbay: Add Model…');
    await window.quickInput.row('Anthropic').waitFor();
    await window.screenshot('add-model-provider');
    await enterAddress(model.address);
    await window.quickInput.row('large-model').waitFor();
    await window.screenshot('add-model-list');
    await window.quickInput.pick('large-model');
    await window.quickInput.row('Save Without Test').waitFor();
    await window.screenshot('add-model-test');
    for (const step of ['Add Model: Model', 'Add Model: Key', 'Add Model: Address']) {
      await window.quickInput.back();
      await title(step).waitFor();
    }
    expect(await window.quickInput.field.inputValue()).toBe(model.address);
    await window.screenshot('add-model-address');
    await escape();
    expect(model.asked).toEqual([]);
    expect(await window.userSettings()).not.toContain('patchbay.models');
    await window.runCommand('MCP Patchbay: Manage Models…');
    await window.quickInput.row('Add Model…').waitFor();
    expect(await window.quickInput.rows.count()).toBe(1);
    await escape();
  });

  it('is told that a request has no model, adds one there, and finds the request as it was edited', async () => {
    const panel = await requestModel();
    await panel.getByText('No language model is available.').waitFor();
    expect(await panel.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await panel.getByRole('textbox', { name: /message 1/i }).fill('Say something short.');
    await window.screenshot('no-model');
    await press(panel, 'Add Model…');
    await enterAddress(model.address);
    await window.quickInput.pick('small-model');
    await window.quickInput.pick('Save Without Test');
    const models = panel.getByRole('combobox', { name: 'Model' });
    await models.waitFor();
    expect(await models.locator('option').allInnerTexts()).toEqual([`small-model (${model.host})`]);
    await window.screenshot('model-added-in-panel');
    model.answerNext({ pieces: ['Three lines, ', 'one answer.'] });
    await press(panel, 'Approve');
    await panel.getByText('11 tokens in, 7 out, free.').waitFor();
    const result = await send(panel, 'Three lines, one answer.');
    await result.getByText('Answered by small-model').waitFor();
    expect(model.asked.map(({ body }) => body)).toEqual([
      expect.objectContaining({
        model: 'small-model',
        messages: [
          { role: 'system', content: 'You summarize texts. Answer with the summary alone.' },
          { role: 'user', content: 'Say something short.' },
        ],
      }),
    ]);
    expect(model.asked[0]?.headers.authorization).toBe(undefined);
  });

  it('adds another one by command, and sees what a test of it took', async () => {
    await window.runCommand('MCP Patchbay: Add Model…');
    await enterAddress(model.address);
    await window.quickInput.pick('large-model');
    model.answerNext({ pieces: ['ready'] });
    await window.quickInput.pick('Test');
    const save = window.quickInput.row('Save');
    await save.waitFor();
    expect(await save.innerText()).toMatch(/Answered “ready” in \d+\.\d s; 11 \+ 7 tokens; no cost/);
    await window.screenshot('add-model-tested');
    await window.quickInput.pick('Save');
    await window.notifications.show();
    await window.notifications
      .item(/“large-model” can now answer requests of servers, after you approve each/)
      .waitFor();
    await window.notifications.clear();
    await window.runCommand('MCP Patchbay: Manage Models…');
    for (const name of ['small-model', 'large-model'])
      expect(await window.quickInput.row(name).innerText()).toContain(
        `${name}, at ${model.host}, no cost, without a key`,
      );
    await window.screenshot('manage-models');
    await escape();
  });

  it('is told what is wrong with an address, before and after it is asked', async () => {
    const stopped = await startTestModel();
    await stopped.stop();
    await window.runCommand('MCP Patchbay: Add Model…');
    await window.quickInput.pick('Another OpenAI-Compatible Address…');
    await window.quickInput.type('ftp://127.0.0.1');
    await window.quickInput.widget.getByText('The address must start with "https://" or "http://"').waitFor();
    await window.quickInput.answer('Add Model: Address', stopped.address);
    await window.quickInput.answer('Add Model: Key', '');
    const typed = window.quickInput.row('Enter the Name of the Model…');
    await typed.waitFor();
    expect(await typed.innerText()).toContain('cannot be reached (ECONNREFUSED): start it, or check its address.');
    await window.screenshot('add-model-unreachable');
    await window.quickInput.pick('Enter the Name of the Model…');
    await window.quickInput.answer('Add Model: Model', 'no-model');
    await window.quickInput.pick('Test');
    const again = window.quickInput.row('Try Again');
    await again.waitFor();
    expect(await again.innerText()).toContain('cannot be reached (ECONNREFUSED): start it, or check its address.');
    await window.quickInput.pick('Cancel');
    expect(await window.userSettings()).not.toContain('no-model');
  });

  it('is asked for a key where one is wanted; it is kept, but not in the settings', async () => {
    await window.runCommand('MCP Patchbay: Add Model…');
    await enterAddress(locked.address);
    const enter = window.quickInput.row('Enter the Key…');
    await enter.waitFor();
    expect(await enter.innerText()).toContain('wants a key: add one.');
    await window.screenshot('add-model-key-wanted');
    await window.quickInput.pick('Enter the Key…');
    await window.quickInput.answer('Add Model: Key', wrongKey);
    await window.quickInput.widget.getByText('does not accept the key').waitFor();
    await window.quickInput.pick('Enter the Key…');
    expect(await window.quickInput.field.getAttribute('type')).toBe('password');
    await window.quickInput.answer('Add Model: Key', key);
    await window.quickInput.pick('locked-model');
    await window.quickInput.pick('Test');
    await window.quickInput.row('Answered “ready”').waitFor();
    await window.quickInput.pick('Save');
    await expect.poll(() => window.userSettings()).toContain('"locked-model"');
    for (const secret of [key, wrongKey]) expect(await window.userSettings()).not.toContain(secret);
    await window.runCommand('MCP Patchbay: Manage Models…');
    expect(await window.quickInput.row('locked-model').innerText()).toContain('with a key');
    await window.quickInput.pick('locked-model');
    await window.quickInput.pick('Test');
    await window.quickInput.row('Answered “ready”').waitFor();
    await escape();
    expect(locked.asked).toHaveLength(2);
  });

  it('is told of a rate limit and of a connection that was cut, and approves again', async () => {
    const panel = await requestModel();
    await panel.getByRole('combobox', { name: 'Model' }).selectOption({ index: 0 });
    const failure = panel.getByRole('alert').filter({ hasText: 'The model did not answer.' });
    const body = { error: { message: 'Slow down, please.' } };
    model.answerNext({ status: 429, headers: { 'retry-after': '17' }, body });
    await press(panel, 'Approve');
    await failure.filter({ hasText: 'Try again in 17 seconds. It says: “Slow down, please.”' }).waitFor();
    await window.screenshot('rate-limit');
    model.answerNext({ pieces: ['Half of an'], fault: 'cut' });
    await press(panel, 'Approve');
    await failure.filter({ hasText: 'ended in the middle of the answer' }).waitFor();
    model.answerNext({ pieces: ['A whole answer.'] });
    await press(panel, 'Approve');
    await send(panel, 'A whole answer.');
  });

  it('has its models in a view, where one key removes one without a question, and the undo brings its key back', async () => {
    const { sidebar, page } = window;
    await sidebar.collapseView('Servers');
    await window.runCommand('Patchbay: Focus on Models View');
    for (const name of ['small-model', 'large-model', 'locked-model']) await sidebar.item(name).waitFor();
    await sidebar.item('locked-model').hover();
    await window.screenshotInThemes('models-view', async (theme) => {
      await window.setTheme(theme);
      await sidebar.item('locked-model').hover();
    });
    await window.runCommand('Patchbay: Focus on Models View');
    await page.keyboard.press('End');
    await page.keyboard.press('Delete');
    await sidebar.item('locked-model').waitFor({ state: 'detached' });
    await expect.poll(() => window.userSettings()).not.toContain('"locked-model"');
    await window.notifications.press('Removed the model “locked-model”.', 'Undo');
    await sidebar.item('locked-model').waitFor();
    await window.notifications.clear();
    await sidebar.inlineAction('locked-model', 'Test Model');
    await window.quickInput.row('Answered “ready”').waitFor();
    expect(locked.asked).toHaveLength(3);
    await escape();
  });

  it('finds the models of this computer after a yes, and asks nothing before', async () => {
    const port = await findFree(usualPorts);
    const local = await startTestModel({ models: ['local-model'] }, port);
    try {
      await window.runCommand('MCP Patchbay: Add Model…');
      await window.quickInput.row('Look for Models on This Computer').waitFor();
      await window.quickInput.pick('Look for Models on This Computer');
      const found = window.quickInput.row(local.host);
      await found.waitFor();
      expect(await found.innerText()).toContain('local-model');
      await window.screenshot('add-model-local');
      await window.quickInput.pick(local.host);
      await window.quickInput.pick('local-model');
      await window.quickInput.pick('Save Without Test');
      await expect.poll(() => window.userSettings()).toContain(`"baseUrl": "${local.address}"`);
      expect(local.asked).toEqual([]);
    } finally {
      await local.stop();
    }
  });
});

/** @returns the first of these ports of 127.0.0.1 on which nothing listens */
async function findFree(ports: readonly number[]): Promise<number> {
  for (const port of ports) if (await isFree(port)) return port;
  throw new Error(`Programs listen on all of the ports ${ports.join(', ')}: end one of them.`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
