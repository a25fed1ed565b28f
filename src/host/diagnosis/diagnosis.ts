import type { LaunchPlan } from '../../base/launchPlan.ts';
import { visibleText } from '../../base/visibleText.ts';
import { secretsOfPlan } from '../../secrets/planSecrets.ts';
import { createRedactor } from '../../secrets/redactor.ts';
import type { Remedy } from '../platform/describeError.ts';

/** The result of one check between the configuration and a working server. */
export interface Finding {
  readonly title: string;
  /** `notice`: works, but may explain a problem. `skipped`: not checked after an earlier problem. */
  readonly outcome: 'fine' | 'notice' | 'problem' | 'skipped';
  /** The observations, one line each. May hold text of servers and files. */
  readonly seen: readonly string[];
  readonly meaning?: string;
  readonly remedies?: readonly FindingRemedy[];
}

export type FindingRemedy = Remedy | 'openSettings' | 'start';

/**
 * Runs one check. @returns what it has seen, or the finding of its error
 * @throws the reason of the signal
 */
export async function check(
  title: string,
  signal: AbortSignal,
  look: () => Promise<readonly string[]>,
  explain: (error: unknown) => Omit<Finding, 'title'>,
): Promise<Finding> {
  try {
    const seen = await look();
    signal.throwIfAborted();
    return { title, outcome: 'fine', seen };
  } catch (error) {
    signal.throwIfAborted();
    return { title, ...explain(error) };
  }
}

const maximumLineLength = 1_000;
const columns = 100;

const marks: Readonly<Record<Finding['outcome'], string>> = {
  fine: '✓',
  notice: '!',
  problem: '✗',
  skipped: '–',
};

/**
 * Renders a diagnosis as plain text. Texts of servers and files are single lines with visible hidden characters.
 * @param diagnosis `startedAt`: milliseconds since the epoch
 * @param plan the launch plan, if there is one yet: its secrets are hidden
 */
export function renderDiagnosis(
  diagnosis: { label: string; startedAt: number; isFinished: boolean; findings: readonly Finding[] },
  plan: LaunchPlan | undefined,
) {
  const redactor = createRedactor(plan === undefined ? [] : secretsOfPlan(diagnosis.label, plan));
  const show = (text: string): string => visibleText(redactor.text(text, maximumLineLength));
  const lines = [`Diagnosis of ${show(diagnosis.label)}, ${new Date(diagnosis.startedAt).toLocaleString()}`, ''];
  const remedies = new Map<number, readonly FindingRemedy[]>();
  for (const { title, outcome, seen, meaning, remedies: offered = [] } of diagnosis.findings) {
    remedies.set(lines.length, offered);
    lines.push(`${marks[outcome]} ${title}`);
    lines.push(...seen.flatMap((line) => wrap(show(line), '    ', '      ')));
    if (meaning !== undefined) lines.push(...wrap(show(meaning), '  → ', '    '));
    lines.push('');
  }
  lines.push(diagnosis.isFinished ? summarize(diagnosis.findings) : '… looking', '');
  return { text: lines.join('\n'), remedies };
}

export type DiagnosisText = ReturnType<typeof renderDiagnosis>;

/** Wraps lines, because editors do not by default. */
function wrap(text: string, first: string, further: string): readonly string[] {
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(' ')) {
    if (line.length + word.length > columns && line.trim() !== '') {
      lines.push(line.trimEnd());
      line = further;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()];
}

function summarize(findings: readonly Finding[]): string {
  const first = findings.find(({ outcome }) => outcome === 'problem');
  if (first !== undefined) return `The first problem is at “${first.title}”: begin there.`;
  const notices = findings.filter(({ outcome }) => outcome === 'notice');
  if (notices.length === 0) return 'No problem was found.';
  return `No problem was found. Worth a look: ${notices.map(({ title }) => title).join(', ')}.`;
}
