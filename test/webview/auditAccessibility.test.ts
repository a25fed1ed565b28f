import { describe, expect, it } from 'vitest';
import { auditRows } from './auditSamples.ts';
import { findAxeProblems } from './axe.ts';
import { usePanels } from './setUp.ts';
import { type ThemeName, themes } from './themes.ts';

const panels = usePanels();

describe.each(Object.keys(themes) as ThemeName[])('the audit panel in %s', (theme) => {
  it('has nothing that axe objects to: empty, with records, with all open, with nothing left', async () => {
    const panel = await panels.open('audit', { theme, width: 1_000 });
    const { page } = panel;
    await panel.load();
    await panel.post({ type: 'records', isFirst: true, isLast: true, records: [] });
    await page.locator('.empty').getByText('Nothing yet.').waitFor();
    expect(await findAxeProblems(panel)).toEqual([]);
    await panel.post({ type: 'records', isFirst: true, isLast: true, records: auditRows(Date.now()) });
    await page.locator('.records tbody').nth(4).waitFor();
    expect(await findAxeProblems(panel)).toEqual([]);
    for (const toggle of await page.locator('.toggle').all()) await toggle.click();
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await findAxeProblems(panel)).toEqual([]);
    await page.getByLabel('Search').fill('nothing has this');
    await page.getByRole('button', { name: 'Show All Records' }).waitFor();
    expect(await findAxeProblems(panel)).toEqual([]);
    await panel.dispose();
  });
});
