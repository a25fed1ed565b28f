import type { ConsentSession, SamplingConsent } from '../../client/sampling/ports.ts';

/**
 * Answers consent by itself where a test run says so; otherwise it is `consent`.
 * @param answer asked at every request; `undefined` leaves it to the person
 */
export function createTestingConsent(consent: SamplingConsent, answer: () => boolean | undefined): SamplingConsent {
  return {
    async open(review) {
      const isApproved = answer();
      if (isApproved === undefined) return consent.open(review);
      const model = review.suggestedModel;
      const session: ConsentSession = {
        stopped: new AbortController().signal,
        askRequest() {
          if (!isApproved) return Promise.resolve({ kind: 'decline' });
          if (model === undefined)
            return Promise.resolve({ kind: 'answer', text: 'Approved by the test run; there is no model.' });
          return Promise.resolve({ kind: 'approve', request: review.request, model });
        },
        askAnswer: ({ content }) => Promise.resolve({ kind: 'send', content }),
        showAnswer: () => {},
        showFailure: () => {},
        setWaiting: () => {},
        dispose: () => {},
      };
      return session;
    },
  };
}
