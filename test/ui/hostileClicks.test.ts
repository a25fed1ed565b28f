import { describe, expect, it } from 'vitest';
import { fixtureServer, folderWith } from './driver/newWorkspace.ts';
import { apps, useWindow, window } from './driver/useWindow.ts';

describe('an app that wants clicks', () => {
  /** The middle of the button that would call. */
  let place = { x: 0, y: 0 };

  useWindow(
    () => ({ workspace: folderWith({ clicks: fixtureServer('clickAppServer.mjs') }) }),
    async () => {
      await apps.start('clicks');
      await apps.call('click');
      await apps.document('click', 'div:has-text("Nothing")');
      await window.page.getByRole('tab', { name: /App: click/ }).click();
      await apps.act('click', 'Show in Tab');
      const shown = await apps.document('click', 'div:has-text("Nothing")');
      await shown.locator('div').click({ position: { x: 20, y: 300 } });
      const question = await apps.question('click');
      const box = await question.getByRole('button', { name: 'Call', exact: true }).boundingBox();
      place = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
      await apps.answer('click', 'Don’t Call');
    },
  );

  const said = async (): Promise<string> =>
    (await (await apps.document('click', 'div')).locator('div').textContent()) ?? '';

  /** Both clicks may have been on the app, which asks one question after the other. */
  async function answerAll(): Promise<void> {
    const page = await apps.page('click');
    const call = page.getByRole('button', { name: 'Call', exact: true });
    while (await call.isVisible()) {
      const id = await call.elementHandle();
      await page.getByRole('button', { name: 'Call', exact: true, disabled: false }).click();
      await id?.waitForElementState('hidden');
    }
  }

  it.each([0, 150, 300, 600, 900])('gets no call by clicks at the place of the button, %i ms apart', async (delay) => {
    const { mouse } = window.page;
    const shown = await apps.document('click', 'div');
    await shown.locator('div').evaluate((pad) => (pad.textContent = 'Nothing'));
    await mouse.click(place.x, place.y);
    await window.page.waitForTimeout(delay);
    await mouse.click(place.x, place.y);
    const question = await apps.question('click');
    expect(await window.dialogs.dialog.count()).toBe(0);
    expect(await question.getByRole('button').allInnerTexts()).toEqual([
      'Don’t Call',
      'Call',
      'Always Allow This Tool…',
    ]);
    expect(await said()).toBe('Nothing');
    // A third no in a row would mute the server.
    await answerAll();
    await expect.poll(said).toBe('CALLED');
  });

  it('gets a no where its tab is closed with the question open, and is opened again by its tool', async () => {
    const { mouse } = window.page;
    const page = await apps.page('click');
    const question = page.getByRole('alertdialog');
    // The first click may be on the cover over the app. A person looks before the next one.
    do await mouse.click(place.x, place.y);
    while (
      !(await question.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      ))
    );
    const tab = window.page.getByRole('tab', { name: /App: click/ });
    await tab.click({ button: 'middle' });
    await tab.waitFor({ state: 'hidden' });
    await apps.call('click');
    await (await apps.document('click', 'div:has-text("Nothing")')).locator('div').waitFor();
  });

  it('presses no key for the person: what it reports as F1 leads to its strip', async () => {
    await apps.call('keys');
    const shown = await apps.document('keys', '#box');
    const page = await apps.page('keys');
    await apps.typeInto('keys', shown.locator('#box'));
    await window.page.keyboard.press('Enter');
    await expect.poll(() => shown.title()).toBe('reported');
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('whose');
    expect(await window.quickInput.widget.count()).toBe(0);
    await window.page.keyboard.press('F1');
    await window.quickInput.field.waitFor();
    await window.quickInput.cancel();
  });
});
