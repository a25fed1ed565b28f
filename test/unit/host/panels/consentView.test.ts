import { expect, it } from 'vitest';
import { toConsentView } from '../../../../src/host/panels/consentView.ts';

it('shows a tool by the name the model gets, not by a title made for people', () => {
  const tool = { name: 'delete_all', title: 'List files', inputSchema: { type: 'object' } };
  const view = toConsentView({
    server: 'demo',
    cause: undefined,
    request: { messages: [], maxTokens: 1, tools: [tool] },
    models: [],
    suggestedModel: undefined,
    suggestedBecause: undefined,
    waiting: 0,
  });
  expect(view.tools.map(({ name }) => name)).toEqual(['delete_all']);
});
