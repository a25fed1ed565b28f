import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cases } from '../fixtures/cases.ts';
import { readTools } from '../formCorpus/checkTool.ts';
import { examplesOf } from '../formCorpus/examples.ts';
import { openForm } from './formPage.ts';
import { expectSound } from './looks.ts';
import { usePanels } from './setUp.ts';

const panels = usePanels();
const folder = join(import.meta.dirname, '../fixtures/toolSchemas');
const files = readdirSync(folder);
const toolsOf = (file: string): ReturnType<typeof readTools> =>
  readTools(file, readFileSync(join(folder, file), 'utf8'));

/** Examples of each tool that are shown in the browser. The engine sees all of them, of every file, in its own tests. */
const examplesPerTool = 4;

describe('the form of each real tool', () => {
  it.each(files.filter((_, index) => cases(index % 4 === 0, true)))(
    'shows examples, and its controls give them back: %s',
    async (file) => {
      const panel = await panels.open('form');
      const form = await openForm(panel);
      for (const { name, inputSchema } of toolsOf(file)) {
        for (const example of examplesOf(inputSchema).slice(0, examplesPerTool)) {
          const passed = await form.passThrough(inputSchema, example);
          expect(passed, name).toMatchObject({ changes: 0, inputProblems: [] });
          expect(JSON.stringify(passed.value), name).toBe(JSON.stringify(example));
        }
      }
    },
  );
});

/** The tools whose schemas are longest: they have most kinds of field. */
const largest = files
  .flatMap(toolsOf)
  .map((tool) => ({ ...tool, size: JSON.stringify(tool.inputSchema).length }))
  .toSorted((one, other) => other.size - one.size)
  .slice(0, 40)
  .filter((_, index) => index % cases(20, 8) === 0);

it.each(largest)('the form of a large real tool is sound in each look: $name', async ({ name, inputSchema }) => {
  const panel = await panels.open('form');
  const form = await openForm(panel);
  await form.mount(inputSchema, examplesOf(inputSchema)[0] ?? {}, true);
  await expectSound(panel, `form-${name}`);
});
