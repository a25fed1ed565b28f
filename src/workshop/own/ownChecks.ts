import { limits } from '../../base/limits.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { readableText } from '../../base/visibleText.ts';
import { isStatelessRevision, latestHandshakeRevision } from '../../protocol/session/revision.ts';
import {
  type CheckReference,
  type CheckResult,
  type CheckSubject,
  isFound,
  type Verdict,
} from '../checks/checkResult.ts';
import rows from './ownChecks.json' with { type: 'json' };

export type OwnEra = 'handshake' | 'stateless';

interface OwnCheck {
  readonly id: string;
  readonly title: string;
  /** What is so where the check finds something. */
  readonly fault: string;
  readonly era: OwnEra | 'both';
  /** Below the specification of the revision. */
  readonly path: string;
  /** Without this capability there is nothing to check. */
  readonly capability?: string;
}

/** Patchbay's own checks, in the order in which they run. */
export const ownChecks = rows as readonly OwnCheck[];

export function ownChecksOf(era: OwnEra): readonly OwnCheck[] {
  return ownChecks.filter((check) => check.era === era || check.era === 'both');
}

/** What one check has found. */
export interface Finding {
  readonly verdict: Verdict;
  /** Full sentences. */
  readonly message?: string;
  readonly subject?: CheckSubject;
}

export const passed: Finding = { verdict: 'passed' };

export function failed(message: string, subject?: CheckSubject): Finding {
  return { verdict: 'failed', message, ...(subject && { subject }) };
}

export function warning(message: string, subject?: CheckSubject): Finding {
  return { verdict: 'warning', message, ...(subject && { subject }) };
}

export function note(message: string): Finding {
  return { verdict: 'note', message };
}

export function nothing(message: string): Finding {
  return { verdict: 'nothingToCheck', message };
}

/** The id of a check in an era: those of 2026-07-28 name it. */
export function idInEra(id: string, revision: string): string {
  return isStatelessRevision(revision) ? `${id}@${revision}` : id;
}

function ownReference({ path }: OwnCheck, revision: string): CheckReference {
  const page = isStatelessRevision(revision) ? revision : latestHandshakeRevision;
  return {
    title: `MCP ${page}, ${path.slice(1)}`,
    url: `https://modelcontextprotocol.io/specification/${page}${path}`,
    date: '2026-11-25',
  };
}

export function ownResult(check: OwnCheck, revision: string, finding: Finding, durationMs?: number): CheckResult {
  const { subject = { kind: 'server' }, verdict, message } = finding;
  return {
    id: idInEra(`own/${check.id}`, revision),
    title: isFound(verdict) ? check.fault : check.title,
    verdict,
    subject,
    ...(message !== undefined && { message: readableText(truncateWithEllipsis(message, limits.shown.tooltip)) }),
    references: [ownReference(check, revision)],
    ...(durationMs !== undefined && { durationMs }),
  };
}
