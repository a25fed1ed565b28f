import { describe, expect, it } from 'vitest';
import { readConsentMessage } from '../../../src/shared/consentMessages.ts';
import { readResultMessage } from '../../../src/shared/resultMessages.ts';

const edits = { messages: [['hello', null], []], systemPrompt: '', maxTokens: 5 };
const grant = { requests: 3, maxTokens: 100, maxCharacters: 1_000, minutes: 10 };

describe('readConsentMessage', () => {
  it.each([
    { type: 'ready' },
    { type: 'decline', id: 1 },
    { type: 'withhold', id: 1 },
    { type: 'retry', id: 1 },
    { type: 'answer', id: 1, text: '' },
    { type: 'send', id: 1, text: 'x' },
  ])('takes $type', (message) => {
    expect(readConsentMessage(message)).toEqual(message);
  });

  it('takes an approval, reading null as an unchanged block', () => {
    expect(readConsentMessage({ type: 'approve', id: 2, edits, model: 'm', grant })).toEqual({
      type: 'approve',
      id: 2,
      edits: { messages: [['hello', undefined], []], systemPrompt: '', maxTokens: 5 },
      model: 'm',
      grant,
    });
    expect(readConsentMessage({ type: 'approve', id: 2, edits, model: 'm' })).toMatchObject({ grant: undefined });
  });

  it.each([
    ['nothing', undefined],
    ['text', 'approve'],
    ['a list', [{ type: 'ready' }]],
    ['an unknown type', { type: 'yes', id: 1 }],
    ['no id', { type: 'decline' }],
    ['a broken id', { type: 'decline', id: 1.5 }],
    ['a negative id', { type: 'decline', id: -1 }],
    ['an answer without text', { type: 'answer', id: 1 }],
    ['an answer that is no text', { type: 'send', id: 1, text: { toString: 1 } }],
    ['an approval without edits', { type: 'approve', id: 1, model: 'm' }],
    ['an approval without a model', { type: 'approve', id: 1, edits, model: '' }],
    ['edits with a number for text', { type: 'approve', id: 1, edits: { ...edits, messages: [[1]] }, model: 'm' }],
    ['edits that are no lists', { type: 'approve', id: 1, edits: { ...edits, messages: ['x'] }, model: 'm' }],
    ['no tokens', { type: 'approve', id: 1, edits: { ...edits, maxTokens: 0 }, model: 'm' }],
    ['endless tokens', { type: 'approve', id: 1, edits: { ...edits, maxTokens: Infinity }, model: 'm' }],
    [
      'a grant of any length',
      { type: 'approve', id: 1, edits, model: 'm', grant: { ...grant, maxCharacters: 2e6 + 1 } },
    ],
    ['a grant without end', { type: 'approve', id: 1, edits, model: 'm', grant: { ...grant, minutes: 481 } }],
    ['a grant without limit', { type: 'approve', id: 1, edits, model: 'm', grant: { ...grant, requests: 101 } }],
    ['a grant for nothing', { type: 'approve', id: 1, edits, model: 'm', grant: { ...grant, requests: 0 } }],
    ['a grant that is no object', { type: 'approve', id: 1, edits, model: 'm', grant: true }],
  ])('refuses %s', (_name, message) => {
    expect(readConsentMessage(message)).toBeUndefined();
  });
});

describe('readResultMessage', () => {
  it.each([
    { type: 'ready' },
    { type: 'action', id: 'copy' },
    { type: 'openLink', uri: 'https://x' },
    { type: 'openResource', uri: 'a:b' },
  ])('takes $type', (message) => {
    expect(readResultMessage(message)).toEqual(message);
  });

  it.each([
    null,
    'ready',
    {},
    { type: 'action' },
    { type: 'action', id: 1 },
    { type: 'openLink', uri: ['x'] },
    { type: 'run', id: 'x' },
  ])('drops %j', (message) => {
    expect(readResultMessage(message)).toBeUndefined();
  });
});
