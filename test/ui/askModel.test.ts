import type { Frame, Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoWorkspace } from './driver/newWorkspace.ts';
import { press } from './driver/samplingWindow.ts';
import { model, useModelWindow } from './driver/testModel.ts';
import { window } from './driver/useWindow.ts';

const ownQuestion = 'h1:has-text("provides content that you send to a language model")';

/** What a test lets happen when it wants to. */
function createGate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open: () => open() };
}

describe('a person who asks a model', () => {
  useModelWindow(
    () => ({ workspace: demoWorkspace, companion: { models: false } }),
    () => window.startServer('demo'),
  );

  /** A line of the document with a text. */
  const line = (text: string): Locator => window.page.locator('.view-line').filter({ hasText: text }).first();

  const lastBody = (): string => JSON.stringify(model.asked.at(-1)?.body);

  /** Types the question. @returns the panel with all that would be sent */
  async function askQuestion(title: string, question: string): Promise<Frame> {
    const { quickInput } = window;
    await quickInput.widget.locator('.quick-input-title', { hasText: `Ask a Model About ${title}` }).waitFor();
    expect(await quickInput.field.inputValue()).toBe('Explain this.');
    await quickInput.type(question);
    await quickInput.accept();
    return window.webviews.frame(ownQuestion);
  }

  /** Asks about the result of the tool that has just been called. */
  async function askAboutSum(question: string): Promise<Frame> {
    const result = await window.webviews.frame('h1:has-text("Add Two Numbers")');
    await press(result, 'Ask a Model…');
    return askQuestion('Add Two Numbers', question);
  }

  async function showSum(): Promise<void> {
    await window.page.getByRole('tab', { name: 'Add Two Numbers', exact: true }).click();
  }

  async function closeTab(): Promise<void> {
    await window.page
      .locator('.tab.active')
      .getByRole('button', { name: /^Close/ })
      .click();
  }

  it('asks about a result: the panel says so, and closes; the answer grows in a document', async () => {
    const form = await window.chooseTool('Add Two Numbers');
    await form.getByRole('textbox', { name: 'First number' }).fill('4');
    await form.getByRole('textbox', { name: 'Second number' }).fill('5');
    await window.page.keyboard.press('Control+Enter');
    const panel = await askAboutSum('What is this sum good for?');
    await panel.getByText('Because you asked about result of the tool add.').waitFor();
    for (const name of ['Allow Without Asking…', 'Write the Answer Myself…'])
      expect(await panel.getByRole('button', { name }).count()).toBe(0);
    await window.screenshot('ask-model');
    const [more, end] = [createGate(), createGate()];
    const gates = [Promise.resolve(), more.passed, end.passed];
    model.answerNext({ pieces: ['# A sum\n\nThe first half', ' and the second one.'], gates });
    await press(panel, 'Approve');
    await window.webviews.waitUntilGone(ownQuestion);
    await window.page.getByRole('tab', { name: 'Answer about Add Two Numbers.md' }).waitFor();
    await line('The first half').waitFor();
    expect(await line('second one').count()).toBe(0);
    more.open();
    await line('The first half and the second one.').waitFor();
    await window.screenshot('answer-grows');
    expect(await line('Model:').count()).toBe(0);
    end.open();
    await line('_Model: `Test Model` · 11 tokens sent, 7 received · $0.0001._').waitFor();
    await window.screenshot('answer');
    for (const sent of ['What is this sum good for?', '9']) expect(lastBody()).toContain(sent);
  });

  it('closes the document while the model writes: it stops', async () => {
    await showSum();
    model.answerNext({ pieces: ['Once upon a time'], fault: 'silent' });
    await press(await askAboutSum('Tell me a story.'), 'Approve');
    await line('Once upon a time').waitFor();
    await closeTab();
    await model.asked.at(-1)?.closed;
    await line('Once upon a time').waitFor({ state: 'detached' });
  });

  it('cancels in the notification: the model stops, and what it wrote stays', async () => {
    await showSum();
    model.answerNext({ pieces: ['Twice upon a time'], fault: 'silent' });
    await press(await askAboutSum('Tell me another.'), 'Approve');
    await line('Twice upon a time').waitFor();
    await window.notifications.press(/Asking a model about Add Two Numbers/, 'Cancel');
    await model.asked.at(-1)?.closed;
    await line('You stopped the model. Model: `Test Model`').waitFor();
    await line('Twice upon a time').waitFor();
    await window.screenshot('answer-stopped');
    await window.notifications.clear();
  });

  it('asks about a resource of the sidebar, and sees its image before it is sent', async () => {
    await window.sidebar.collapse('Tools');
    await window.sidebar.expand('Resources');
    await window.sidebar.contextAction('Logo', 'Ask a Model About Resource…');
    const panel = await askQuestion('Logo', 'What is this?');
    await panel.getByText('Because you asked about resource demo://logo.').waitFor();
    const image = panel.locator('img');
    await image.waitFor();
    expect(await image.getAttribute('src')).toMatch(/^data:image\/png;base64,/);
    await window.screenshot('ask-model-image');
    model.answerNext({ pieces: ['It is a logo.'] });
    await press(panel, 'Approve');
    await line('It is a logo.').waitFor();
    expect(lastBody()).toContain('data:image/png;base64,');
  });

  it('sends the messages of a prompt of the sidebar, which need no question', async () => {
    await window.sidebar.expand('Prompts');
    await window.sidebar.contextAction('Explain MCP', 'Ask a Model With Prompt…');
    const panel = await window.webviews.frame(ownQuestion);
    await panel.getByText('Because you asked about prompt no_arguments.').waitFor();
    model.answerNext({ pieces: ['MCP is a protocol.'] });
    await press(panel, 'Approve');
    await line('MCP is a protocol.').waitFor();
  });

  it('sees the panel for an own question also where a rule lets the server through', async () => {
    const call = { server: 'demo', tool: 'summarize', args: { text: 'A text.' } };
    const { outcome } = await window.callTool(call);
    const panel = await window.webviews.frame('h1:has-text("wants to use a language model")');
    // Only now: a panel that opens takes the focus, which closes the palette.
    await window.allowAlways(call.server, call.tool);
    await press(panel, 'Allow Without Asking…');
    await panel.getByRole('checkbox', { name: /Show me each answer/ }).uncheck();
    model.answerNext({ pieces: ['A summary.'] });
    await press(panel, 'Approve and Make the Rule');
    await press(panel, 'Send to Server');
    await outcome;
    expect(JSON.stringify(await window.companion.callTool(call))).toContain('A summary.');
    const before = model.asked.length;
    await showSum();
    const own = await askAboutSum('And now?');
    await press(own, 'Decline');
    await window.webviews.waitUntilGone(ownQuestion);
    expect(model.asked).toHaveLength(before);
  });
});
