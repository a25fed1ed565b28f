import type { ElicitRequest, ElicitResult } from '../../protocol/mcp/elicitation.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import { type AuditLog, auditPreview } from '../auditLog.ts';

/** What a file answers in place of the person, for one call. `undefined`: it has no answer to this request. */
export interface PreparedAnswers {
  elicitation(request: ElicitRequest): ElicitResult | undefined;
  sampling(request: SamplingRequest): SamplingResult | undefined;
}

/** One call that is tested. */
export interface AnsweringRun {
  readonly server: string;
  readonly cause: string;
  readonly answers: PreparedAnswers;
  /** Where the answers are written, for the audit log. */
  readonly source: string;
}

/** @returns `undefined` where the run has no answer: then nothing is recorded */
export function answerElicitation(
  run: AnsweringRun,
  request: ElicitRequest,
  audit: AuditLog,
): ElicitResult | undefined {
  const answer = run.answers.elicitation(request);
  if (answer === undefined) return undefined;
  const { action, content } = answer;
  const outcome = { accept: 'accepted', decline: 'declined', cancel: 'cancelled' }[action];
  // The names of the fields that were sent, never their values.
  const sent = content && { sent: auditPreview(Object.keys(content).join(', ')) };
  record(audit, run, 'elicitation', outcome, { message: auditPreview(request.message), ...sent });
  return answer;
}

/** @returns `undefined` where the run has no answer: then nothing is recorded */
export function answerSampling(
  run: AnsweringRun,
  request: SamplingRequest,
  audit: AuditLog,
): SamplingResult | undefined {
  const answer = run.answers.sampling(request);
  if (answer !== undefined) record(audit, run, 'sampling', 'answered', {});
  return answer;
}

function record(
  audit: AuditLog,
  { server, cause, source }: AnsweringRun,
  action: 'elicitation' | 'sampling',
  outcome: string,
  facts: object,
): void {
  const detail = { cause, by: 'file', file: auditPreview(source), ...facts };
  audit.record({ server, action, outcome, detail });
}
