import { describe, expect, it } from 'vitest';
import { readAuditMessage } from '../../../src/shared/auditMessages.ts';
import { readConsentMessage } from '../../../src/shared/consentMessages.ts';
import {
  copyActionId,
  type CopyRequest,
  isWebAddress,
  readCopyAction,
  readResultMessage,
} from '../../../src/shared/resultMessages.ts';

const edits = { messages: [['hello', null], []], systemPrompt: '', maxTokens: 5 };
const rule = { requestsPerHour: 3, tokensPerHour: 100, end: '4 hours', reviewsAnswer: true, isKept: false };
const approval = { type: 'approve', id: 2, edits, model: 'm', remembersModel: false, masked: [1, 0], rule };

describe('readConsentMessage', () => {
  it.each([
    { type: 'ready' },
    { type: 'decline', id: 1 },
    { type: 'withhold', id: 1 },
    { type: 'retry', id: 1 },
    { type: 'addModel', id: 1 },
    { type: 'answer', id: 1, text: '' },
    { type: 'send', id: 1, text: 'x' },
  ])('takes $type', (message) => {
    expect(readConsentMessage(message)).toEqual(message);
  });

  it('takes an approval, reading null as an unchanged block', () => {
    expect(readConsentMessage(approval)).toEqual({
      ...approval,
      edits: { messages: [['hello', undefined], []], systemPrompt: '', maxTokens: 5 },
    });
    for (const none of [undefined, null])
      expect(readConsentMessage({ ...approval, rule: none })).toMatchObject({ type: 'approve', rule: undefined });
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
    ['adding a model to no request', { type: 'addModel' }],
    ['an approval without edits', { ...approval, edits: undefined }],
    ['an approval without a model', { ...approval, model: '' }],
    ['edits with a number for text', { ...approval, edits: { ...edits, messages: [[1]] } }],
    ['edits that are no lists', { ...approval, edits: { ...edits, messages: ['x'] } }],
    ['no tokens', { ...approval, edits: { ...edits, maxTokens: 0 } }],
    ['endless tokens', { ...approval, edits: { ...edits, maxTokens: Infinity } }],
    ['an approval that does not say what to remember', { ...approval, remembersModel: undefined }],
    ['a model to remember that is no truth value', { ...approval, remembersModel: 1 }],
    ['an approval that does not say what is masked', { ...approval, masked: undefined }],
    ['masks that are no indexes', { ...approval, masked: [-1] }],
    ['masks that are texts', { ...approval, masked: ['0'] }],
    ['one mask twice', { ...approval, masked: [1, 1] }],
    ['a rule for no requests', { ...approval, rule: { ...rule, requestsPerHour: 0 } }],
    ['a rule for too many requests', { ...approval, rule: { ...rule, requestsPerHour: 1_001 } }],
    ['a rule for half a request', { ...approval, rule: { ...rule, requestsPerHour: 1.5 } }],
    ['a rule for no tokens', { ...approval, rule: { ...rule, tokensPerHour: 0 } }],
    ['a rule for too many tokens', { ...approval, rule: { ...rule, tokensPerHour: 10_000_001 } }],
    ['a rule for a time of its own', { ...approval, rule: { ...rule, end: 'never' } }],
    ['a rule that ends at a number', { ...approval, rule: { ...rule, end: 9e15 } }],
    ['a rule that does not say who reviews', { ...approval, rule: { ...rule, reviewsAnswer: undefined } }],
    ['a rule that does not say if it is kept', { ...approval, rule: { ...rule, isKept: 'yes' } }],
    ['a rule that is no object', { ...approval, rule: true }],
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
    { type: 'copy', text: '' },
    { type: 'showTextAs', style: 'markdown' },
    { type: 'save', index: 0 },
    { type: 'open', index: 2 },
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
    { type: 'copy', text: 1 },
    { type: 'open', index: '0' },
    { type: 'open', index: -1 },
    { type: 'showTextAs', style: 'html' },
    { type: 'showTextAs' },
    { type: 'run', id: 'x' },
  ])('drops %j', (message) => {
    expect(readResultMessage(message)).toBeUndefined();
  });
});

describe('readCopyAction', () => {
  it.each<CopyRequest>([
    { what: 'value', source: 'structured', path: ['a', 0, '', '__proto__'] },
    { what: 'table', source: 3, path: [] },
    { what: 'value', source: 'raw', path: ['content'] },
  ])('takes what $what of $source', (request) => {
    expect(readCopyAction(copyActionId(request))).toEqual(request);
  });

  it.each([
    'copy',
    'copy:',
    'copy:{}',
    'copy:[]',
    'copy:["all","raw",[]]',
    'copy:["value","file",[]]',
    'copy:["value",-1,[]]',
    'copy:["value",1.5,[]]',
    'copy:["value","raw"]',
    'copy:["value","raw",[{}]]',
    'copy:["value","raw",[-1]]',
    'openWhole',
  ])('refuses %s', (id) => {
    expect(readCopyAction(id)).toBeUndefined();
  });
});

describe('isWebAddress', () => {
  it.each(['https://example.com', 'HTTP://EXAMPLE.com/a b'])('takes %s', (text) => {
    expect(isWebAddress(text)).toBe(true);
  });

  const relative = ['', 'example.com', '/path', '//example.com', 'https:'];
  const others = ['javascript:alert(1)', 'command:x', 'data:text/html,x', 'file:///etc', 'vscode://x'];

  it.each([...relative, ...others])('refuses "%s" [url-schemes]', (text) => {
    expect(isWebAddress(text)).toBe(false);
  });
});

const filter = { text: 'a', server: '', action: 'sampling', outcome: 'failed', since: 5, isModelOnly: true };

describe('readAuditMessage', () => {
  it.each([{ type: 'ready' }, { type: 'refresh' }, { type: 'export', filter }])('takes %j', (message) => {
    expect(readAuditMessage(message)).toEqual(message);
  });

  it('reads what JSON leaves out as all', () => {
    expect(readAuditMessage({ type: 'export' })).toEqual({ type: 'export', filter: undefined });
    expect(readAuditMessage({ type: 'export', filter: { ...filter, since: null } })).toMatchObject({
      filter: { since: undefined },
    });
  });

  it.each([
    ['nothing', null],
    ['text', 'ready'],
    ['an unknown type', { type: 'clear' }],
    ['a filter that is text', { type: 'export', filter: 'all' }],
    ['an outcome that does not exist', { type: 'export', filter: { ...filter, outcome: 'done' } }],
    ['a number for a text', { type: 'export', filter: { ...filter, text: 1 } }],
    ['a huge text', { type: 'export', filter: { ...filter, server: 'x'.repeat(10_001) } }],
    ['an endless time', { type: 'export', filter: { ...filter, since: Infinity } }],
    ['a missing part', { type: 'export', filter: { ...filter, isModelOnly: undefined } }],
  ])('drops %s', (_name, message) => {
    expect(readAuditMessage(message)).toBeUndefined();
  });
});
