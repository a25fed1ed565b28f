import { limits } from '../../base/limits.ts';
import { textOf } from '../../client/sampling/samplingRecord.ts';
import type { ModelAnswer, ModelInfo } from '../../models/modelGateway.ts';
import type { ReviewAnswer } from '../../shared/consentMessages.ts';
import { ContentBudget, toContentView } from '../results/contentView.ts';
import { describeUsage } from './modelFacts.ts';
import { editableText } from './samplingView.ts';

/** What is known of the run that led to an answer. */
export interface AnsweredRun {
  readonly model: ModelInfo | undefined;
  /** Of the request, estimated. */
  readonly inputTokens: number;
  readonly estimateTokens: (text: string) => number;
}

/** Lays out an answer for its review. @param id of the question */
export function toAnswerView(id: number, { result, usage }: ModelAnswer, run: AnsweredRun): ReviewAnswer {
  const { model, inputTokens, estimateTokens } = run;
  const budget = new ContentBudget(limits.shown.review);
  const extra = result.content.filter((block) => block.type !== 'text');
  const content = budget.blocks(extra).map((block) => toContentView(block, budget));
  const estimated = { inputTokens, outputTokens: usage.outputTokens ?? estimateTokens(textOf([result])) };
  return {
    type: 'reviewAnswer',
    id,
    text: editableText(result.content),
    model: result.model,
    stopReason: result.stopReason,
    extra: extra.length === 0 ? undefined : { role: result.role, content },
    usage: describeUsage(model, usage, estimated),
    isCut: budget.isCut,
  };
}
