import { source } from 'axe-core';
import { expect } from 'vitest';
import type { PanelPage } from './panelPage.ts';

interface Axe {
  run(options: object): Promise<{
    readonly passes: readonly unknown[];
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  }>;
}

/** What axe objects to on a page: rule and element. @param rules by default all */
export async function findAxeProblems(
  { page }: Pick<PanelPage, 'page'>,
  rules?: readonly string[],
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  // The whole report is much larger than what is used of it.
  const { passes, problems } = await page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: Axe };
    const report = await axe.run({ resultTypes: ['violations'], ...(only !== undefined && { runOnly: only }) });
    const found = report.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
    return { passes: report.passes.length, problems: found };
  }, rules);
  if (rules === undefined) expect(passes).toBeGreaterThan(10);
  return problems;
}
