import { formatCount, truncate, truncateWithEllipsis } from '../../base/truncate.ts';
import { costOf } from '../../client/sampling/samplingRecord.ts';
import type { ModelAnswer, ModelConnection, ModelPrice } from '../../models/modelGateway.ts';
import type { RemoteModel } from '../../models/remoteModels.ts';
import { singleLine } from '../platform/displayText.ts';
import { hostOf } from './modelEntries.ts';

/** Tokens that the answer to a test may have. */
export const testTokens = 16;

/** Characters of an answer or of an error that are shown. */
const shownCharacters = 120;

export function testIntent(baseUrl: string): string {
  return `One short question is sent to ${hostOf(baseUrl)}, for an answer of at most ${testTokens} tokens`;
}

export type ModelTest =
  | { readonly kind: 'answered'; readonly answer: ModelAnswer; readonly milliseconds: number }
  /** `message` is a full sentence. */
  | { readonly kind: 'failed'; readonly message: string };

export function describeTest(test: ModelTest, price: ModelPrice | undefined): string {
  if (test.kind === 'failed') return singleLine(test.message, 1_000);
  const { answer, milliseconds } = test;
  const text = answer.result.content.map((block) => (block.type === 'text' ? block.text : '')).join(' ');
  const shown = singleLine(truncate(text, 4 * shownCharacters), shownCharacters);
  const said = shown === '' ? `Answered without a text within ${testTokens} tokens` : `Answered “${shown}”`;
  const time = `${said} in ${(milliseconds / 1000).toFixed(1)} s`;
  const { inputTokens, outputTokens } = answer.usage;
  if (inputTokens === undefined || outputTokens === undefined)
    return `${time}; tokens not counted by the provider; cost not known`;
  const cost = costOf({ price }, answer.usage);
  const costText = cost === undefined ? 'cost not known' : cost === 0 ? 'no cost' : dollars(cost);
  return `${time}; ${formatCount(inputTokens)} + ${formatCount(outputTokens)} tokens; ${costText}`;
}

/** `$0.15 in, $0.60 out per million tokens`. */
export function describePrice(price: ModelPrice | undefined): string {
  if (price === undefined) return 'price not known';
  const { input, output } = price;
  return input === 0 && output === 0 ? 'no cost' : `${dollars(input)} in, ${dollars(output)} out per million tokens`;
}

/** At least two decimals, and four digits from the first one that is not zero. */
function dollars(amount: number): string {
  const decimals = amount === 0 ? 2 : Math.min(12, Math.max(2, 3 - Math.floor(Math.log10(amount))));
  const text = amount.toFixed(decimals);
  return `$${text.replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}

/** What a provider says about a model. */
export function describeModel({ contextTokens, price, abilities }: RemoteModel): string {
  const kinds = [...(abilities?.image ? ['images'] : []), ...(abilities?.audio ? ['audio'] : [])];
  return [
    ...(contextTokens === undefined ? [] : [`${formatCount(contextTokens)} tokens`]),
    ...(price === undefined ? [] : [describePrice(price)]),
    ...(kinds.length === 0 ? [] : [`takes ${kinds.join(' and ')}`]),
  ].join(', ');
}

/** Where the requests to a model go, what it costs, and whether there is a key. */
export function describeConnection({ baseUrl, model, price }: ModelConnection, hasKey: boolean): string {
  const name = truncateWithEllipsis(model, 60);
  return `${name}, at ${hostOf(baseUrl)}, ${describePrice(price)}, ${hasKey ? 'with a key' : 'without a key'}`;
}
