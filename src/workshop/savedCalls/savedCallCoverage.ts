import { shownName } from '../../base/visibleText.ts';
import { type CheckResult, idPart } from '../checks/checkResult.ts';
import type { SavedCallTest } from './savedCallTests.ts';

const shownTools = 50;

/** Which of the tools of a server have a saved call. @param tools the names that the server lists */
export function coverageOf(server: string, tools: readonly string[], tests: readonly SavedCallTest[]): CheckResult {
  const called = new Set(tests.flatMap((test) => (test.server === server ? [test.tool] : [])));
  const listed = [...new Set(tools)];
  const without = listed.filter((tool) => !called.has(tool));
  const names = without.slice(0, shownTools).map((tool) => `“${shownName(tool)}”`);
  const more = without.length > names.length ? ` and ${without.length - names.length} more` : '';
  const base = {
    id: coverageId(server),
    title: 'Tools with a saved call',
    subject: { kind: 'server' },
    references: [],
  } as const;
  if (listed.length === 0) return { ...base, verdict: 'nothingToCheck', message: 'The server lists no tools.' };
  const count = `${listed.length - without.length} of ${listed.length} tools have a saved call.`;
  if (without.length === 0) return { ...base, verdict: 'passed', message: count };
  return { ...base, verdict: 'warning', message: `${count} Without one: ${names.join(', ')}${more}.` };
}

export function coverageId(server: string): string {
  return `saved-coverage/${idPart(server)}`;
}
