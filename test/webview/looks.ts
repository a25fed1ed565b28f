import { expect } from 'vitest';
import { cases } from '../fixtures/cases.ts';
import { findAxeProblems } from './axe.ts';
import type { PageLook, PanelPage } from './panelPage.ts';
import { type ThemeName, themes } from './themes.ts';

/** What axe asks that depends on colours, and on sizes. */
const colourRules = ['color-contrast', 'link-in-text-block'];
const sizeRules = ['scrollable-region-focusable', 'target-size'];

type Look = PageLook & { readonly name: string; readonly rules: readonly string[] };

/** The themes, by default those that are not in the tests of windows, then windows of other sizes. */
const looks: readonly Look[] = [
  ...cases<readonly ThemeName[]>(['light-modern', 'hc-black'], Object.keys(themes) as ThemeName[]).map((theme) => ({
    name: theme,
    theme,
    rules: colourRules,
  })),
  { name: 'narrow', width: 300, height: 800, rules: sizeRules },
  // A window of 700 pixels at 200 %.
  { name: 'zoomed', theme: 'light-modern', width: 350, height: 400, rules: sizeRules },
  ...cases<readonly Look[]>([], [{ name: 'wide', theme: 'light-modern', width: 1600, height: 1000, rules: sizeRules }]),
];

/**
 * In each look the page does not scroll sideways, a checked box can be told from the page, and axe objects to nothing. Each
 * control has a name, and the page keeps to the content security policy.
 * @param state names the pictures
 */
export async function expectSound(panel: PanelPage, state: string): Promise<void> {
  const { page, problems } = panel;
  expect(namelessIn(await page.locator('body').ariaSnapshot())).toEqual([]);
  expect(await findAxeProblems(panel)).toEqual([]);
  const enabled = await page.locator('button:enabled').count();
  for (const { name, rules, ...look } of looks) {
    await panel.setLook(look);
    // Buttons of a question wait after they have moved, and may have waited when they were counted.
    await page.waitForFunction((count) => document.querySelectorAll('button:enabled').length >= count, enabled);
    const { overflow, background, accents } = await page.evaluate(() => ({
      overflow: document.documentElement.scrollWidth - window.innerWidth,
      background: getComputedStyle(document.body).backgroundColor,
      accents: Array.from(
        document.querySelectorAll('input[type=checkbox]'),
        (box) => getComputedStyle(box).accentColor,
      ),
    }));
    expect(overflow, name).toBeLessThanOrEqual(0);
    expect(accents, name).not.toContain(background);
    expect(await findAxeProblems(panel, rules), name).toEqual([]);
    await panel.screenshot(`${state}-${name}`);
  }
  await panel.setLook({});
  await page.waitForFunction((count) => document.querySelectorAll('button:enabled').length >= count, enabled);
  expect(problems).toEqual([]);
}

const roles = 'button|textbox|checkbox|combobox|listbox|radio|spinbutton|searchbox|slider|switch|menuitem|img';

/** The lines of an accessibility snapshot that are controls or pictures without a name. */
export function namelessIn(snapshot: string): readonly string[] {
  return snapshot.split('\n').filter((line) => new RegExp(`^\\s*- '?(?:${roles})(?! ")`).test(line));
}
