import { describe, expect, it } from 'vitest';
import { CancelledError, PatchbayError } from '../../../../src/base/errors.ts';
import { AppPresenter } from '../../../../src/host/apps/registerApps.ts';
import type { WholePastCall } from '../../../../src/host/calls/callRecord.ts';
import type { ServerRegistry } from '../../../../src/host/servers/serverRegistry.ts';
import {
  besideEarlier,
  endedWithError,
  endedWithResult,
  pastOutcome,
  toOutcome,
  toToolDocument,
} from '../../../../src/host/tools/toolOutcome.ts';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';
import { editor } from '../../../fixtures/vscode.ts';
import type { CallToolResult } from '../../../../src/protocol/mcp/tools.ts';

const call = { server: 'demo', identity: 'demo', tool: 'add', args: { a: 1 }, at: 5, durationMs: 7 };
const { durationMs: _durationMs, ...unsent } = call;
const result: CallToolResult = { content: [{ type: 'text', text: 'Sum' }], isError: false };
const address = { server: 'a', identity: 'demo', tool: 'add', occurrence: 0, copy: 0 };
const now = { address, tool: undefined };
const registryOf = (identity?: string) => ({ get: () => ({ server: { identity } }) }) as unknown as ServerRegistry;
const options = {
  registry: registryOf(),
  askModel: async (): Promise<void> => {},
  showTraffic: async (): Promise<boolean> => false,
  apps: new AppPresenter(() => Promise.reject(new Error('No app'))),
};

/** The page's view of a call that failed. */
function failed(error: unknown, facts: typeof unsent) {
  const shown = { definition: undefined, occurrence: 0, warnings: [], kept: Promise.resolve(undefined) };
  return toOutcome(endedWithError(facts, error), shown, options).view;
}

describe('how a call ended', () => {
  it('says why nothing was sent', () => {
    const refused = failed(new PatchbayError('declined', 'Not now.'), unsent);
    expect(refused).toMatchObject({ kind: 'declined', message: 'Not now.' });
    expect(failed(new PatchbayError('invalidArguments', 'The arguments do not fit.'), unsent)).toEqual({
      at: 5,
      kind: 'error',
      title: 'The tool was not called',
      message: 'The arguments do not fit.',
    });
  });

  it('gives an error of the protocol with its code and data, cut where it is long', () => {
    const view = failed(new JsonRpcError(-32602, 'x'.repeat(100_000), { hint: 'a' }), call);
    expect(view).toMatchObject({ kind: 'error', title: 'The server answered with error -32602' });
    expect(JSON.stringify(view).length).toBeLessThan(12_000);
    const short = failed(new JsonRpcError(-32602, 'No city', { hint: 'a' }), call);
    expect(short.kind === 'error' && JSON.parse(short.detail ?? '')).toEqual({
      code: -32602,
      message: 'No city',
      data: { hint: 'a' },
    });
  });
});

it('keeps how texts are shown for the tool of this server, whether a call or a task gave them', () => {
  const texts = { identity: 'demo', kind: 'tool', name: 'add' };
  expect(toToolDocument({ ...call, definition: undefined }, result, { warnings: [] }, undefined).texts).toEqual(texts);
  const shown = { definition: undefined, occurrence: 0, warnings: [], kept: Promise.resolve(undefined) };
  expect(toOutcome(endedWithResult(call, result), shown, options).document?.texts).toEqual(texts);
});

describe('a call that has ended, for the history', () => {
  it('has the result, and whether the tool reports an error', () => {
    expect(endedWithResult(call, result)).toEqual({ ...call, outcome: 'done', answer: { kind: 'result', result } });
    expect(endedWithResult(call, { ...result, isError: true }).outcome).toBe('toolError');
  });

  it('tells an error, a cancellation and a refusal apart', () => {
    expect(endedWithError(call, new JsonRpcError(-32602, 'No', { a: 1 }))).toEqual({
      ...call,
      outcome: 'error',
      answer: { kind: 'error', error: { code: -32602, message: 'No', data: { a: 1 } } },
    });
    expect(endedWithError(call, new CancelledError())).toEqual({ ...call, outcome: 'cancelled' });
    expect(endedWithError(unsent, new CancelledError())).toEqual({ ...unsent, outcome: 'cancelled' });
    expect(endedWithError(unsent, new PatchbayError('declined', 'Not allowed.')).outcome).toBe('declined');
    expect(endedWithError(call, 'odd')).toMatchObject({ outcome: 'error', answer: { error: { message: 'odd' } } });
  });
});

describe('a call of the history', () => {
  const past: WholePastCall = { ...call, id: 'x', outcome: 'done', omitted: [], answer: undefined };

  it('shows its result again, also if its server is gone', () => {
    const { view, document } = pastOutcome({ ...past, answer: { kind: 'result', result } }, now, options);
    expect(view).toMatchObject({ kind: 'result', at: 5, durationMs: 7, isPast: true });
    expect(document).toMatchObject({ server: 'demo', call: { args: { a: 1 } } });
    expect(document?.resourcesOf).toBeUndefined();
  });

  it('belongs to the label that its server has now', () => {
    const ports = { ...options, registry: registryOf('demo') };
    const { document } = pastOutcome({ ...past, answer: { kind: 'result', result } }, now, ports);
    expect(document).toMatchObject({ server: 'a', resourcesOf: 'demo' });
  });

  it('shows the error of the protocol again', () => {
    const answer = { kind: 'error', error: { code: -32602, message: 'No city' } } as const;
    const { view } = pastOutcome({ ...past, outcome: 'error', answer }, now, options);
    expect(view).toMatchObject({ kind: 'error', title: 'The server answered with error -32602', isPast: true });
  });

  it.each([
    ['cancelled', 'cancelled'],
    ['declined', 'declined'],
    ['done', 'notKept'],
  ] as const)('says how it ended where there is no answer: %s', (outcome, kind) => {
    expect(pastOutcome({ ...past, outcome }, now, options).view.kind).toBe(kind);
  });

  it.each([
    ['opens them', { exchange: '→ tools/call' }, undefined],
    ['says why they were not kept', { omittedExchange: 'Not kept: too odd.' }, 'Not kept: too odd.'],
    ['says that they were not kept', {}, 'The messages of this call were not kept.'],
  ])('has its messages one step away, and %s', async (_what, kept, words) => {
    for (const answer of [
      { kind: 'result', result } as const,
      { kind: 'error', error: { message: 'No' } } as const,
      undefined,
    ]) {
      const { view, showExchange } = pastOutcome({ ...past, outcome: 'error', answer, ...kept }, now, options);
      expect(view.hasExchange).toBe(true);
      await showExchange?.();
      expect(editor.said.at(-1)).toBe(words);
      expect(editor.executed.at(-1)?.[0]).toBe(words === undefined ? 'patchbay.openWhole' : undefined);
    }
  });

  it('leads from a failure to the log of its server, and from nothing else', async () => {
    const labels = (isError: boolean) => {
      const answer = { kind: 'result', result: { ...result, isError } } as const;
      return pastOutcome({ ...past, answer }, now, options).document?.actions ?? [];
    };
    expect(labels(false).map(({ label }) => label)).not.toContain('Show Log');
    await labels(true)
      .find(({ label }) => label === 'Show Log')
      ?.run();
    expect(editor.executed.at(-1)).toEqual(['patchbay.showServerLog', 'demo']);
  });

  it('has no messages to show where nothing was sent', () => {
    const { durationMs: _, ...unsentPast } = past;
    expect(pastOutcome({ ...unsentPast, outcome: 'declined' }, now, options)).not.toHaveProperty('showExchange');
  });

  it('says why there is no answer', () => {
    const { view } = pastOutcome(
      { ...past, omitted: ['The result was not kept: there is too much of it.'] },
      now,
      options,
    );
    expect(view).toMatchObject({ message: 'The result was not kept: there is too much of it.' });
  });
});

describe('a call that was made again after a restart', () => {
  const shown = { definition: undefined, occurrence: 0, warnings: [], kept: Promise.resolve(undefined) };
  const outcomeOf = (given: Partial<CallToolResult>) =>
    toOutcome(endedWithResult(call, { content: [], isError: false, ...given }), shown, options);
  const texts = (...said: readonly string[]) => said.map((text) => ({ type: 'text', text }) as const);
  const beside = (one: Partial<CallToolResult>, other: Partial<CallToolResult>) =>
    besideEarlier(outcomeOf(other), outcomeOf(one)).view.before;

  it('shows texts as texts, also beside the same as structured content', () => {
    const side = (text: string) => ({ parts: [{ text, isChanged: true }], isError: false });
    const [hello, hi] = ['Hello Ada', 'Hi Ada'].map((text) => ({
      content: texts(text),
      structuredContent: { result: text },
    }));
    expect(beside(hello ?? {}, hi ?? {})).toEqual({ isSame: false, then: side('Hello Ada'), now: side('Hi Ada') });
    expect(beside(hello ?? {}, hello ?? {})).toEqual({ isSame: true });
  });

  it('shows JSON where the texts are the same, or not all that there is', () => {
    const was = { content: texts('done'), structuredContent: { sum: 1 } };
    expect(JSON.stringify(beside(was, { ...was, structuredContent: { sum: 2 } }))).toContain('\\"sum\\": 2');
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
    expect(JSON.stringify(beside({ content: [image] }, { content: texts('a') }))).toContain('SHA-256');
  });

  it('says which of both is an error', () => {
    const failure = toOutcome(endedWithError(call, new JsonRpcError(-32602, 'No city')), shown, options);
    expect(besideEarlier(failure, outcomeOf({ content: texts('a') })).view.before).toMatchObject({
      isSame: false,
      then: { isError: false },
      now: { isError: true, parts: [{ text: expect.stringContaining('No city') }] },
    });
    expect(beside({ content: texts('a') }, { content: texts('a'), isError: true })).toMatchObject({
      then: { isError: false },
      now: { isError: true },
    });
    expect(besideEarlier(failure, undefined).view.before).toBeUndefined();
  });
});
