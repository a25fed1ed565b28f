import type { ElicitationConsent, ElicitationDecision, ElicitationReview } from '../../client/elicitation/ports.ts';
import type { ConsentSession, SamplingConsent } from '../../client/sampling/ports.ts';
import type { FlatProperty, FormValue } from '../../schema/flatForm.ts';

/** A model that goes on failing would be asked forever. */
const maximumFailures = 3;

/**
 * Answers requests for a model without a person in a test run.
 * @param consent gets the requests that the test run does not answer
 * @param answer called for each request; `undefined` leaves it to the person
 */
export function createTestingConsent(consent: SamplingConsent, answer: () => boolean | undefined): SamplingConsent {
  return {
    open(review) {
      const isApproved = answer();
      if (isApproved === undefined) return consent.open(review);
      const model = review.suggestedModel;
      let failures = 0;
      const session: ConsentSession = {
        stopped: new AbortController().signal,
        askRequest(failure) {
          if (failure !== undefined) failures += 1;
          if (!isApproved || failures >= maximumFailures) return Promise.resolve({ kind: 'decline' });
          if (model === undefined)
            return Promise.resolve({ kind: 'answer', text: 'Approved by the test run; there is no model.' });
          return Promise.resolve({ kind: 'approve', edits: undefined, model, remembersModel: false });
        },
        letThrough: () => {},
        askAnswer: ({ result }) => Promise.resolve({ kind: 'send', content: result.content }),
        showAnswer: () => {},
        dispose: () => {},
      };
      return session;
    },
  };
}

/**
 * Answers elicitations without a person in a test run. Opens no page.
 * @param consent gets the elicitations that the test run does not answer
 * @param answer called for each elicitation; `undefined` leaves it to the person
 */
export function createTestingElicitation(
  consent: ElicitationConsent,
  answer: () => boolean | undefined,
): ElicitationConsent {
  return {
    open(review) {
      const isApproved = answer();
      if (isApproved === undefined) return consent.open(review);
      const decision = Promise.resolve<ElicitationDecision>(isApproved ? accept(review) : { kind: 'decline' });
      return { decision, left: Promise.resolve('done'), complete: () => {}, dispose: () => {} };
    },
  };
}

/** Accepts, with sample values for the required fields without a default. */
function accept(review: ElicitationReview): ElicitationDecision {
  if (review.kind === 'visit') return { kind: 'accept', content: undefined };
  const { properties, required } = review.schema;
  const open = Object.entries(properties).filter(
    ([name, property]) => required.includes(name) && property.default === undefined,
  );
  return {
    kind: 'accept',
    content: Object.fromEntries(open.map(([name, property]) => [name, sampleValue(property)])),
  };
}

function sampleValue({ type, enum: options, minimum, maximum, minItems = 1, items, ...text }: FlatProperty): FormValue {
  if (options?.[0] !== undefined) return options[0];
  if (type === 'number' || type === 'integer') return minimum ?? maximum ?? 0;
  if (type === 'array')
    return (
      items?.enum?.slice(0, minItems).map(String) ?? Array.from({ length: minItems }, () => sampleText(items ?? {}))
    );
  return sampleText(text);
}

function sampleText({ format = '', minLength = 0 }: Pick<FlatProperty, 'format' | 'minLength'>): string {
  return samples.get(format) ?? 'test'.padEnd(minLength, '.');
}

const samples: ReadonlyMap<string, string> = new Map([
  ['email', 'test@example.com'],
  ['uri', 'https://example.com/'],
  ['date', '2026-03-14'],
  ['date-time', '2026-03-14T09:30:00Z'],
]);
