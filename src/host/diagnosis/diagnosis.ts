import type { LaunchPlan } from '../../base/launchPlan.ts';
import { visibleText } from '../../base/visibleText.ts';
import { collectPlanSecrets, createRedactor } from '../../client/trace/redactor.ts';

/** One look at one thing between the configuration and a working server. */
export interface Finding {
  /** What was looked at: "Command". */
  readonly title: string;
  /** `notice`: works, but may explain trouble. `skipped`: could not be looked at after what failed before. */
  readonly outcome: 'fine' | 'notice' | 'problem' | 'skipped';
  /** What was seen, a line each. May hold text of servers and files. */
  readonly seen: readonly string[];
  /** What it means and what can be done about it, in full sentences. */
  readonly meaning?: string;
  /** Most helpful first. */
  readonly remedies?: readonly FindingRemedy[];
}

/** What a button beside a finding does. */
export type FindingRemedy =
  | 'openConfiguration'
  | 'manageWorkspaceTrust'
  | 'openSettings'
  | 'showLog'
  | 'signIn'
  | 'setIssuer'
  | 'start';

/** A server's way from its definition to an answer, as far as it was looked at. */
export interface Diagnosis {
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly isFinished: boolean;
  readonly findings: readonly Finding[];
}

const maximumLineLength = 1_000;
const columns = 100;

const marks: Readonly<Record<Finding['outcome'], string>> = {
  fine: '✓',
  notice: '!',
  problem: '✗',
  skipped: '–',
};

/** A line of the document that buttons belong to. */
export interface RemedyLine {
  /** Zero-based. */
  readonly line: number;
  readonly remedies: readonly FindingRemedy[];
}

export interface DiagnosisText {
  readonly text: string;
  readonly remedies: readonly RemedyLine[];
}

/**
 * Lays a diagnosis out as plain text. What servers and files say is shown in single lines, with hidden characters visible.
 * @param plan of what was launched, if it came that far: its secrets are hidden
 */
export function renderDiagnosis(diagnosis: Diagnosis, plan: LaunchPlan | undefined): DiagnosisText {
  const redactor = createRedactor(plan === undefined ? [] : collectPlanSecrets(plan));
  const show = (text: string): string => visibleText(redactor.text(text, maximumLineLength));
  const lines = [`Diagnosis of ${show(diagnosis.label)}, ${new Date(diagnosis.startedAt).toLocaleString()}`, ''];
  const remedies: RemedyLine[] = [];
  for (const { title, outcome, seen, meaning, remedies: offered = [] } of diagnosis.findings) {
    if (offered.length > 0) remedies.push({ line: lines.length, remedies: offered });
    lines.push(`${marks[outcome]} ${title}`);
    lines.push(...seen.flatMap((line) => wrap(show(line), '    ', '      ')));
    if (meaning !== undefined) lines.push(...wrap(show(meaning), '  → ', '    '));
    lines.push('');
  }
  lines.push(diagnosis.isFinished ? summarize(diagnosis.findings) : '… looking', '');
  return { text: lines.join('\n'), remedies };
}

/** Editors do not wrap lines unless they are told to. */
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
