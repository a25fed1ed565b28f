import { describe, expect, it } from 'vitest';
import type { AppQuestionView } from '../../src/shared/appMessages.ts';
import { appView, loadApp, ofType, postApp, type Sent } from './appSamples.ts';
import type { PanelPage } from './panelPage.ts';
import { usePanels } from './setUp.ts';

const panels = usePanels();

const question: AppQuestionView = {
  id: 1,
  message: 'Call the tool “pay” of “demo”?',
  detail: ['The app “Map” of “demo” wants to call it.'],
  body: `{ "to": "a\u202eb" }\n${'long\n'.repeat(500)}`,
  safe: 'Don’t Call',
  actions: ['Call'],
};

const answers = (panel: PanelPage): readonly Sent[] => ofType(panel, 'answer');
const post = (panel: PanelPage, shown: AppQuestionView | undefined): Promise<void> =>
  postApp(panel, { ...appView, question: shown });

async function openQuestion(): Promise<PanelPage> {
  const panel = await panels.open('app', { stopClock: true });
  await loadApp(panel, { html: '<!doctype html><title>x</title>The app', allow: '' });
  await post(panel, question);
  return panel;
}

describe('the question above an app', () => {
  it('takes no click in its first second, nor in the second after it has moved', async () => {
    const panel = await openQuestion();
    const { page } = panel;
    const call = page.getByRole('button', { name: 'Call', exact: true });
    const place = await call.boundingBox();
    const press = (): Promise<void> => page.mouse.click((place?.x ?? 0) + 5, (place?.y ?? 0) + 5);
    for (const ms of [0, 150, 450, 300]) {
      await page.clock.runFor(ms);
      await press();
    }
    expect(await call.isDisabled()).toBe(true);
    await page.clock.runFor(100);
    expect(await call.isEnabled()).toBe(true);
    // Another question at once, at the same place.
    await post(panel, { ...question, id: 2 });
    expect(await call.isDisabled()).toBe(true);
    await panel.untilEnabled();
    expect(await call.isEnabled()).toBe(true);
    await page.setViewportSize({ width: 500, height: 900 });
    await expect.poll(() => call.isDisabled()).toBe(true);
    expect(answers(panel)).toEqual([]);
    await panel.untilEnabled();
    await call.click();
    await expect.poll(() => answers(panel)).toEqual([{ type: 'answer', id: 2, choice: 'Call' }]);
  });

  it('takes no click when something above it has moved it since', async () => {
    const panel = await openQuestion();
    const { page } = panel;
    const call = page.getByRole('button', { name: 'Call', exact: true });
    await panel.untilEnabled();
    expect(await call.isEnabled()).toBe(true);
    // At once, before the browser tells of a change.
    await call.evaluate((button: HTMLButtonElement) => {
      document.querySelector<HTMLElement>('.strip')?.style.setProperty('padding-top', '40px');
      button.click();
    });
    await expect.poll(() => call.isDisabled()).toBe(true);
    expect(answers(panel)).toEqual([]);
    await panel.untilEnabled();
    await call.click();
    await expect.poll(() => answers(panel)).toEqual([{ type: 'answer', id: 1, choice: 'Call' }]);
  });

  it('waits again when its tab has moved, which its page cannot see', async () => {
    const panel = await openQuestion();
    const call = panel.page.getByRole('button', { name: 'Call', exact: true });
    await panel.untilEnabled();
    await panel.post({ type: 'moved' });
    await expect.poll(() => call.isDisabled()).toBe(true);
    await panel.untilEnabled();
    expect(await call.isEnabled()).toBe(true);
  });

  it('takes no key within a second after the focus came from the app', async () => {
    const panel = await openQuestion();
    const { page } = panel;
    await panel.untilEnabled();
    await page.evaluate(() => document.querySelector('iframe')?.focus());
    await panel.press('Shift+Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Call');
    await panel.press('Enter');
    await panel.press('Space');
    expect(answers(panel)).toEqual([]);
    await panel.untilEnabled();
    await panel.press('Enter');
    await expect.poll(() => answers(panel)).toEqual([{ type: 'answer', id: 1, choice: 'Call' }]);
  });

  it('takes no click where a click beside it came just before it moved', async () => {
    const panel = await openQuestion();
    const { page } = panel;
    const call = page.getByRole('button', { name: 'Call', exact: true });
    await panel.untilEnabled();
    await page.locator('.slot').dispatchEvent('click');
    await page.locator('.strip').evaluate((strip) => (strip.style.paddingTop = '40px'));
    await expect.poll(() => call.isDisabled()).toBe(true);
    await call.dispatchEvent('click');
    expect(answers(panel)).toEqual([]);
  });

  it('shows all of it, marks what is hidden, takes no focus, and no press in the app meanwhile', async () => {
    const panel = await openQuestion();
    const { page } = panel;
    const shown = page.getByRole('alertdialog', { name: question.message });
    await shown.getByText('U+202E').waitFor();
    const height = page.viewportSize()?.height ?? 0;
    expect((await shown.boundingBox())?.height ?? height).toBeLessThan(height / 2);
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    expect(await page.locator('iframe').evaluate((frame) => getComputedStyle(frame).pointerEvents)).toBe('none');
    expect(await shown.getByRole('button').allInnerTexts()).toEqual(['Don’t Call', 'Call']);
    await post(panel, undefined);
    await shown.waitFor({ state: 'hidden' });
    expect(await page.locator('iframe').evaluate((frame) => getComputedStyle(frame).pointerEvents)).toBe('auto');
  });

  it('is answered by keyboard: the safe button comes first, and Escape is a no', async () => {
    const panel = await openQuestion();
    await panel.untilEnabled();
    await panel.press('Escape', 'Enter');
    expect(answers(panel)).toEqual([]);
    await panel.tabTo('Don’t Call');
    await panel.press('Escape');
    await expect.poll(() => answers(panel)).toEqual([{ type: 'answer', id: 1 }]);
    await post(panel, undefined);
    // The keyboard goes on from the strip.
    await expect
      .poll(() => panel.page.evaluate(() => document.activeElement?.closest('.strip') instanceof Element))
      .toBe(true);
  });
});
