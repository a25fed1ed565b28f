import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTools } from '../formCorpus/checkTool.ts';
import { examplesOf } from '../formCorpus/examples.ts';
import { findAxeProblems } from './axe.ts';
import { openForm } from './formPage.ts';
import { usePanels } from './setUp.ts';
import { type ThemeName, themes } from './themes.ts';

const panels = usePanels();
const folder = join(import.meta.dirname, '../fixtures/toolSchemas');
const files = readdirSync(folder);
const toolsOf = (file: string): ReturnType<typeof readTools> =>
  readTools(file, readFileSync(join(folder, file), 'utf8'));

/** Examples of each tool that are shown in the browser. The engine sees more of them in its own tests. */
const examplesPerTool = 4;

describe('the form of each real tool', () => {
  it.each(files)('shows examples, and its controls give them back: %s', async (file) => {
    const panel = await panels.open('form');
    const form = await openForm(panel);
    for (const { name, inputSchema } of toolsOf(file)) {
      for (const example of examplesOf(inputSchema).slice(0, examplesPerTool)) {
        const passed = await form.passThrough(inputSchema, example);
        expect(passed, name).toMatchObject({ changes: 0, inputProblems: [] });
        expect(JSON.stringify(passed.value), name).toBe(JSON.stringify(example));
      }
    }
    expect(panel.problems).toEqual([]);
    await panel.dispose();
  });
});

/** The tools whose schemas are longest: they have most kinds of field. */
const largest = files
  .flatMap(toolsOf)
  .map((tool) => ({ ...tool, size: JSON.stringify(tool.inputSchema).length }))
  .toSorted((one, other) => other.size - one.size)
  .slice(0, 40)
  .filter((_, index) => index % 8 === 0);

describe.each(Object.keys(themes) as ThemeName[])('real tools in %s', (theme) => {
  it.each([820, 300])('are accessible, and do not scroll sideways, at a width of %d', async (width) => {
    const panel = await panels.open('form', { theme, width });
    const form = await openForm(panel);
    for (const { name, inputSchema } of largest) {
      await form.mount(inputSchema, examplesOf(inputSchema)[0] ?? {}, true);
      const overflow = await panel.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, name).toBeLessThanOrEqual(0);
      expect(await findAxeProblems(panel), name).toEqual([]);
    }
    await panel.screenshot(`form-tool-${theme}-${width}`);
    expect(panel.problems).toEqual([]);
    await panel.dispose();
  });
});
