import { describe, expect, it } from 'vitest';
import { checkElicitationUrl } from '../../src/client/elicitation/checkedUrl.ts';
import { type ResultDocument, toResultView } from '../../src/host/results/resultDocument.ts';
import type { TextStyle } from '../../src/shared/resultMessages.ts';
import { appMemory, appView, askingView, shownCall } from './appSamples.ts';
import { auditRows } from './auditSamples.ts';
import { expectSound, namelessIn } from './looks.ts';
import {
  dataDocument,
  failedDocument,
  fullReview,
  formReview,
  promptDocument,
  richDocument,
  review,
  reviewWithTools,
  startRows,
  textReview,
  toolDocument,
  toolOutcome,
  visitReview,
} from './samples.ts';
import { listedCalls, toolArguments, toolHistory, toolView } from './toolSamples.ts';
import { createConsentQueue, createElicitationQueue, usePanels } from './setUp.ts';

const panels = usePanels();

it('finds controls without a name', async () => {
  const panel = await panels.open('form');
  await panel.load();
  await panel.page.setContent(
    '<button></button><input type="date"><img src="data:,"><button>a</button><input title="b">',
  );
  expect(namelessIn(await panel.page.locator('body').ariaSnapshot())).toHaveLength(3);
});

describe('in each look', () => {
  it('draws the page of an app', async () => {
    const panel = await panels.open('app');
    await panel.load();
    await panel.post({
      type: 'app',
      view: { ...appView, isInvented: true, notices: ['x'], blocked: ['y'], call: shownCall },
      memory: appMemory,
    });
    await panel.page.getByText('reaches nothing').waitFor();
    await expectSound(panel, 'app-shown');
    await panel.page.getByText('Call and result as text').click();
    await panel.page.getByText('1 blocked').click();
    await panel.page.getByText('Blocked by its policy').waitFor();
    await expectSound(panel, 'app-shown');
    await panel.post({ type: 'app', view: askingView, memory: appMemory });
    await panel.readyButton('Allow This').waitFor();
    await expectSound(panel, 'app-asking');
  });

  it('draws the review of servers to start', async () => {
    const panel = await panels.open('startReview');
    await panel.load();
    await panel.post({ type: 'show', turn: 1, rows: startRows });
    await panel.readyButton('Start 1 Server').waitFor();
    await expectSound(panel, 'start-review');
    for (const summary of await panel.page.locator('summary').all()) await summary.click();
    await expectSound(panel, 'start-review-details');
  });

  it('draws every step of consent', { timeout: 60_000 }, async () => {
    const panel = await panels.open('consent');
    const { page } = panel;
    const queue = createConsentQueue(panel);
    const session = queue.open(textReview);
    const second = queue.open(reviewWithTools);
    const third = queue.open(fullReview);
    queue.open({ ...review, models: [], suggestedModel: undefined });
    const decided = session.askRequest();
    await page.getByRole('button', { name: 'Approve', disabled: false }).waitFor();
    await expectSound(panel, 'consent-request');
    await page.getByRole('button', { name: 'Allow Without Asking…' }).click();
    await page.getByRole('button', { name: 'Approve and Make the Rule', disabled: false }).waitFor();
    await expectSound(panel, 'consent-rule');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Approve', disabled: false }).click();
    expect((await decided).kind).toBe('approve');
    session.showAnswer('Studio B has a patch bay with 48 points in two rows, ');
    await page.getByText('48 points in two rows, ').waitFor();
    await expectSound(panel, 'consent-running');
    const text =
      'Studio B has a patch bay with 48 points in two rows, sources above destinations, each pair half-normalled (manual of 1987).';
    void session.askAnswer({
      result: { role: 'assistant', content: [{ type: 'text', text }], model: 'gpt-4o', stopReason: 'endTurn' },
      usage: { inputTokens: 1_203, outputTokens: 55 },
    });
    await page.getByRole('button', { name: 'Send to Server', disabled: false }).waitFor();
    await expectSound(panel, 'consent-review');
    session.dispose();
    await page.getByText('offered to the model').waitFor();
    await page.getByText('weather', { exact: true }).first().click();
    await expectSound(panel, 'consent-tools');
    second.dispose();
    await page.getByRole('button', { name: 'Mask All' }).waitFor();
    await expectSound(panel, 'consent-full');
    await page.getByRole('button', { name: 'Mask All' }).click();
    await page.getByText('3 messages of earlier rounds').click();
    await expectSound(panel, 'consent-masked');
    third.dispose();
    await page.getByRole('button', { name: 'Add Model…' }).waitFor();
    await expectSound(panel, 'consent-no-model');
  });

  it('draws every kind of question', { timeout: 60_000 }, async () => {
    const panel = await panels.open('elicitation');
    const { page } = panel;
    const queue = createElicitationQueue(panel);
    const form = queue.open(formReview);
    const warned = queue.open({ ...visitReview, address: checkElicitationUrl('https://pаypal.com/verify') });
    const required = queue.open({ ...visitReview, isRequired: true });
    await panel.readyButton('Send').waitFor();
    await expectSound(panel, 'form');
    await panel.readyButton('Send').click();
    await page.getByText('Correct 3 fields first.').waitFor();
    await expectSound(panel, 'form-problems');
    form.dispose();
    await page.getByRole('button', { name: 'Open in Browser', disabled: false }).waitFor();
    await expectSound(panel, 'visit');
    warned.dispose();
    await page.getByRole('button', { name: 'Open in Browser', disabled: false }).click();
    await page.getByRole('button', { name: 'I Am Done, Try Again', disabled: false }).waitFor();
    await expectSound(panel, 'visit-opened');
    required.dispose();
    queue.open({ ...visitReview, isRequired: true, wasVisited: true, isAnnounced: false });
    await page.getByText('Waiting for you').waitFor();
    await expectSound(panel, 'visit-again');
  });

  it('draws the audit log', async () => {
    const panel = await panels.open('audit');
    const { page } = panel;
    await panel.load();
    await panel.post({ type: 'records', isFirst: true, isLast: true, records: [] });
    await page.locator('.empty').getByText('Nothing yet.').waitFor();
    await expectSound(panel, 'audit-empty');
    await panel.post({ type: 'records', isFirst: true, isLast: true, records: auditRows(Date.now()) });
    for (const toggle of await page.locator('.toggle').all()) await toggle.click();
    for (const summary of await page.locator('summary').all()) await summary.click();
    await expectSound(panel, 'audit');
    await page.getByLabel('Search').fill('nothing has this');
    await page.getByRole('button', { name: 'Show All Records' }).waitFor();
    await expectSound(panel, 'audit-filtered');
  });

  it('draws the history of all calls', async () => {
    const panel = await panels.open('calls');
    const { page } = panel;
    await panel.load();
    await panel.post({ type: 'calls', calls: [], isKept: false });
    await page.locator('.empty').getByText('No calls yet.').waitFor();
    await expectSound(panel, 'calls-empty');
    await panel.post({ type: 'calls', calls: listedCalls(Date.now()), isKept: true });
    await page.locator('.records .toggle').nth(1).focus();
    await expectSound(panel, 'calls');
    await page
      .getByRole('button', { name: /^More for/ })
      .nth(1)
      .click();
    await expectSound(panel, 'calls-menu');
    await page.keyboard.press('Escape');
    await page.getByLabel('Search').fill('nothing has this');
    await page.getByRole('button', { name: 'Show All Calls' }).waitFor();
    await expectSound(panel, 'calls-filtered');
  });

  it('draws the tab of a tool', async () => {
    const panel = await panels.open('tool');
    const { page } = panel;
    await panel.load();
    await panel.post({ type: 'tool', view: toolView });
    await panel.post({ type: 'arguments', args: {} });
    await panel.post({ type: 'history', history: { entries: [], more: 0, isKept: true } });
    await page.getByRole('heading', { level: 1, name: toolView.title }).waitFor();
    await expectSound(panel, 'tool-empty');
    await panel.post({ type: 'arguments', args: toolArguments });
    await panel.post({ type: 'problems', problems: [{ path: ['stops', '0', 'days'], message: 'must be at most 7' }] });
    await panel.post({ type: 'outcome', outcome: toolOutcome });
    await panel.post({ type: 'history', history: toolHistory });
    await panel.post({ type: 'saved', calls: [{ name: 'Lisbon in spring', description: undefined }] });
    await page.getByRole('heading', { name: '1 problem in the arguments' }).waitFor();
    await expectSound(panel, 'tool-form');
    await page
      .locator('.history li')
      .last()
      .getByRole('button', { name: /^More for/ })
      .click();
    await expectSound(panel, 'tool-history');
    await page.keyboard.press('Escape');
    await panel.post({ type: 'call', call: { kind: 'running', progress: { message: 'Asking the sky', percent: 40 } } });
    await panel.post({
      type: 'outcome',
      outcome: { kind: 'error', at: 0, title: 'The call failed', message: 'No sky.' },
    });
    await page.getByText('Asking the sky').waitFor();
    await expectSound(panel, 'tool-running');
  });

  it.each<[string, ResultDocument, TextStyle?]>([
    ['prompt', promptDocument],
    ['prompt as Markdown', promptDocument, 'markdown'],
    ['tool', toolDocument],
    ['failed', failedDocument],
    ['rich', richDocument],
    ['data', dataDocument],
  ])('draws the result of a %s', async (kind, document, textStyle) => {
    const panel = await panels.open('result');
    await panel.load();
    await panel.post({ type: 'show', view: toResultView(document), textStyle });
    await panel.page.getByRole('heading', { level: 1, name: document.title }).waitFor();
    await expectSound(panel, `result-${kind}`.replaceAll(' ', '-'));
  });
});
