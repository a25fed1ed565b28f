import type { ConsentSession, SamplingConsent } from '../../client/sampling/ports.ts';

/** What `patchbay.testing.consent` may say. */
export type TestingConsent = 'ask' | 'approve' | 'decline';

/**
 * Answers consent by itself where a test run says so; otherwise it is `consent`.
 * @param mode asked at every request; composed only when VS Code runs extension tests
 */
export function createTestingConsent(consent: SamplingConsent, mode: () => TestingConsent): SamplingConsent {
  return {
    async open(review) {
      const how = mode();
      if (how === 'ask') return consent.open(review);
      const model = review.suggestedModel;
      const session: ConsentSession = {
        stopped: new AbortController().signal,
        askRequest() {
          if (how === 'decline') return Promise.resolve({ kind: 'decline' });
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
