import { source } from 'axe-core';
import { expect } from 'vitest';
import type { PanelPage } from './panelPage.ts';

/** The parts of axe's report that are used. */
interface Report {
  readonly passes: readonly unknown[];
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** What axe objects to on a page: rule and element. */
export async function findAxeProblems({ page }: Pick<PanelPage, 'page'>): Promise<readonly string[]> {
  await page.evaluate(source);
  const report = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<Report> } }).axe.run());
  expect(report.passes.length).toBeGreaterThan(10);
  return report.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
