import { isThisComputer } from '../../base/hostKind.ts';
import { formatCount } from '../../base/truncate.ts';
import { costOf } from '../../client/sampling/samplingRecord.ts';
import type { ModelInfo, ModelPrice, TokenUsage } from '../../models/modelGateway.ts';
import type { SamplingRequest } from '../../protocol/mcp/sampling.ts';
import { formatCost } from '../../shared/auditView.ts';

/** Where a request to the model goes, and its price: "api.example.com, $3.00 in, $15.00 out per million tokens". */
export function describeModel({ vendor, destination = vendor, maxInputTokens, price }: ModelInfo): string {
  const hasPrice = price !== undefined && !isFree(price);
  const parts = [
    destination,
    hasPrice ? `${formatCost(price.input)} in, ${formatCost(price.output)} out per million tokens` : '',
    maxInputTokens > 0 ? `${formatCount(maxInputTokens)} input tokens` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/**
 * What a request takes at most, and what that costs: "about 1,234 tokens, up to 500 more for the answer; at most $0.0021".
 * @param most the tokens of the request, which are estimated, and the maximum of its answer
 */
export function describeCost(
  model: Pick<ModelInfo, 'price' | 'destination'>,
  most: { readonly inputTokens: number; readonly outputTokens: number },
): string {
  const { inputTokens, outputTokens } = most;
  const tokens = `about ${formatCount(inputTokens)} tokens, up to ${formatCount(outputTokens)} more for the answer`;
  return `${tokens}; ${describePrice(model, costOf(model, most))}`;
}

function describePrice(
  { price, destination }: Pick<ModelInfo, 'price' | 'destination'>,
  cost: number | undefined,
): string {
  if (price === undefined || cost === undefined) return 'price unknown';
  if (!isFree(price)) return `at most ${formatCost(cost)}`;
  return isOnThisComputer(destination) ? 'free on this computer' : 'free';
}

/**
 * What an answer took: "1,203 tokens in, 55 out, $0.0004".
 * @param counted as the provider counted it; what it did not count comes from `estimated`
 */
export function describeUsage(
  model: Pick<ModelInfo, 'price'> | undefined,
  counted: TokenUsage,
  estimated: { readonly inputTokens: number; readonly outputTokens: number },
): string {
  const inputTokens = counted.inputTokens ?? estimated.inputTokens;
  const outputTokens = counted.outputTokens ?? estimated.outputTokens;
  const isEstimated = counted.inputTokens === undefined || counted.outputTokens === undefined;
  const cost = costOf(model, { inputTokens, outputTokens });
  const price = cost === undefined ? '' : `, ${cost === 0 ? 'free' : formatCost(cost)}`;
  const tokens = `${formatCount(inputTokens)} tokens in, ${formatCount(outputTokens)} out${price}`;
  return isEstimated ? `about ${tokens}` : tokens;
}

/** What the model is known not to take of the request, as a sentence; `undefined` if nothing is. */
export function whatModelRefuses({ abilities = {} }: ModelInfo, request: SamplingRequest): string | undefined {
  const types = new Set(request.messages.flatMap(({ content }) => content.map(({ type }) => type)));
  const usesTools = (request.tools?.length ?? 0) > 0 || types.has('tool_use') || types.has('tool_result');
  const refused = [
    ...(abilities.image === false && types.has('image') ? ['images'] : []),
    ...(abilities.audio === false && types.has('audio') ? ['sound'] : []),
    ...(abilities.tools === false && usesTools ? ['tools'] : []),
  ];
  return refused.length === 0 ? undefined : `This model does not take ${refused.join(' or ')}, which this request has.`;
}

function isFree({ input, output }: ModelPrice): boolean {
  return input === 0 && output === 0;
}

/** @param destination a host name and port */
function isOnThisComputer(destination: string | undefined): boolean {
  const address = `http://${destination ?? ''}`;
  return URL.canParse(address) && isThisComputer(new URL(address).hostname);
}
