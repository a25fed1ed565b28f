import { describe, expect, it, vi } from 'vitest';
import type { StdioLaunchPlan } from '../../../src/base/launchPlan.ts';
import { followSecrets } from '../../../src/client/trace/tappedChannel.ts';
import { TrafficLog } from '../../../src/client/trace/trafficLog.ts';
import { TrafficRow } from '../../../src/client/trace/trafficRow.ts';
import { readToolsPage } from '../../../src/protocol/mcp/tools.ts';
import type { LintObservations } from '../../../src/workshop/lint/lintFacts.ts';
import { observeTraffic } from '../../../src/workshop/lint/observeTraffic.ts';
import { createManualClock } from '../../fixtures/manualClock.ts';

const jsonrpc = '2.0';
const planOf = (command = 'x'): StdioLaunchPlan => ({
  kind: 'stdio',
  command,
  args: [],
  cwd: undefined,
  env: { TOKEN: 'opensesame' },
});

function watch() {
  const log = new TrafficLog(createManualClock());
  const connect = (plan = planOf()) => {
    const tap = log.tap({ label: 'demo', plan, redactor: followSecrets(plan, () => undefined) });
    let id = 0;
    const exchange = (method: string, params: object, answer: object): void => {
      tap.message('sent', { jsonrpc, id: (id += 1), method, params });
      tap.message('received', { jsonrpc, id, ...answer });
    };
    return { tap, exchange };
  };
  const seen = (...names: readonly string[]): LintObservations | undefined => {
    const tools = readToolsPage({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) }).items;
    return observeTraffic(log, { label: 'demo', tools });
  };
  return { connect, seen };
}

const text = (said: string): object => ({ type: 'text', text: said });
const refused = (code: number, message = 'No.'): object => ({ error: { code, message } });

describe('what the lint knows from the traffic', () => {
  it('is nothing of a server that was not started', () => {
    expect(watch().seen('a')).toBeUndefined();
  });

  it('has the latest result of each tool that is listed, also from before a restart', () => {
    const { connect, seen } = watch();
    const before = connect();
    const call = (name: string): object => ({ name, arguments: {} });
    before.exchange('tools/call', call('a'), { result: { content: [], structuredContent: { b: 1 } } });
    before.exchange('tools/call', call('gone'), { result: { content: [] } });
    before.exchange('tools/call', call('b'), { result: { content: [text('old')] } });
    const { exchange } = connect();
    exchange('tools/call', call('b'), { result: { content: [text('new'), { type: 'image' }] } });
    exchange('tools/call', call('b'), { result: { content: [text('wrong')], isError: true } });
    expect(seen('a', 'b')?.results).toEqual([
      { tool: 'b', hasStructuredContent: false, texts: ['new'] },
      { tool: 'a', hasStructuredContent: true, texts: [], structured: '{"b":1}' },
    ]);
  });

  it('has nothing of another program that had the name of the server', () => {
    const { connect, seen } = watch();
    connect(planOf('other')).exchange('tools/call', { name: 'a' }, { result: { content: [] } });
    connect();
    expect(seen('a')).toEqual({ results: [], refusals: [], stdoutNoise: [] });
  });

  it('has how the server refuses what it does not list, and what it says itself does not exist', () => {
    const { connect, seen } = watch();
    const { exchange } = connect();
    // Without the list, nobody knows what is listed.
    exchange('tools/call', { name: 'x' }, refused(-32_000));
    expect(seen('a')?.refusals).toEqual([]);
    exchange('tools/list', {}, { result: { tools: [{ name: 'a' }, { name: 'earlier' }] } });
    exchange('tools/call', { name: 'earlier' }, refused(-32_000));
    exchange('resources/read', { uri: 'a://b' }, refused(-32_603, 'The disk is full.'));
    exchange('prompts/list', {}, { result: { prompts: [] } });
    exchange('prompts/get', { name: 'p' }, { result: { messages: [] } });
    expect(seen('a')?.refusals).toEqual([{ of: 'unknownTool', code: -32_000 }, { of: 'unknownPrompt' }]);
    exchange('tools/call', { name: 'x' }, refused(-32_602));
    exchange('resources/read', { uri: 'a://b' }, refused(-32_603, 'Resource a://b not found'));
    expect(seen('a')?.refusals).toEqual([
      { of: 'unknownTool', code: -32_602 },
      { of: 'unknownPrompt' },
      { of: 'unknownResource', code: -32_603 },
    ]);
  });

  it('has lines on standard output since the last start, without secrets', () => {
    const { connect, seen } = watch();
    connect().tap.note('not a message: earlier');
    const { tap } = connect();
    tap.note('not a message: Ready: opensesame');
    tap.note('closed');
    expect(seen()?.stdoutNoise).toEqual(['Ready: ••••••••']);
  });

  it('parses only the messages of lists, results and refusals', () => {
    const { connect, seen } = watch();
    const { exchange, tap } = connect();
    tap.note('not a message: Ready');
    exchange('tools/list', {}, { result: { tools: [{ name: 'a' }] } });
    for (let count = 0; count < 50; count += 1) exchange('tools/call', { name: 'a' }, { result: { content: [] } });
    for (let count = 0; count < 50; count += 1) exchange('ping', {}, { result: {} });
    const [requests, answers] = (['request', 'answer'] as const).map((name) =>
      vi.spyOn(TrafficRow.prototype, name, 'get'),
    );
    expect(seen('a')).toMatchObject({ results: [{ tool: 'a' }], stdoutNoise: ['Ready'] });
    // The list, the last result, and the two notes.
    expect(requests).toHaveBeenCalledTimes(3);
    expect(answers).toHaveBeenCalledTimes(2);
    vi.restoreAllMocks();
  });
});
