import { workspace } from 'vscode';

const yes: readonly unknown[] = [true, 'trust', 'approve', 'allow'];
const no: readonly unknown[] = [false, 'deny', 'decline'];

/**
 * The answer a test run gives instead of a person: `patchbay.testing.trust`, `patchbay.testing.consent`, or
 * `patchbay.testing.toolCalls`, which goes before `consent` for calls of tools. Ask only when VS Code runs extension tests.
 * @returns `undefined` where a person is to be asked
 */
export function testingAnswer(question: 'trust' | 'consent' | 'toolCalls'): boolean | undefined {
  const value = workspace.getConfiguration('patchbay.testing').get<unknown>(question);
  if (yes.includes(value)) return true;
  return no.includes(value) ? false : undefined;
}
