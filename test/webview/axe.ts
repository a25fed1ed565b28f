import { source } from 'axe-core';
import { expect } from 'vitest';
import type { PanelPage } from './panelPage.ts';

interface Axe {
  run(options: object): Promise<{
    readonly passes: readonly unknown[];
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  }>;
}

/** What axe objects to on a page: rule and element. */
export async function findAxeProblems({ page }: Pick<PanelPage, 'page'>): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  // The whole report is much larger than what is used of it.
  const { passes, problems } = await page.evaluate(async () => {
    const report = await (globalThis as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'] });
    const found = report.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
    return { passes: report.passes.length, problems: found };
  });
  expect(passes).toBeGreaterThan(10);
  return problems;
}
