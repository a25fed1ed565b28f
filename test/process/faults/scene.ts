import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { LogEntry } from '../../../src/base/logger.ts';
import type { ServerDefinition } from '../../../src/config/serverDefinition.ts';
import type { CallToolResult } from '../../../src/protocol/mcp/tools.ts';
import { createHeadlessHost, type HeadlessServer } from '../../../src/headless.ts';
import { processesWith } from '../processMarks.ts';
import type { Phase } from './cells.mjs';

/** Long enough for a busy machine where nothing hangs, short where a fault makes the server hang. */
const timeouts = { connectMs: 20_000, requestMs: 2_000 };

/** When the log shows this, the server is in that phase. Needs a trace of its messages. */
export const phaseMarks: Readonly<Record<Phase, RegExp>> = {
  starting: /→ request initialize/,
  listing: /→ request tools\/list/,
  calling: /→ request tools\/call/,
  sampling: /← request sampling\/createMessage/,
  idle: /← result \(\d+\) of tools\/call/,
};

/**
 * Brings a server to the phase of its fault, and continues after it.
 * @param onPhase called there, where it is not the server that fails
 * @returns what a person can see of it: how the start and the calls went, the state, and the log, a line each
 */
export async function watchFault(definition: ServerDefinition, phase: Phase, onPhase?: () => void): Promise<string> {
  const mark = randomUUID();
  const logs: LogEntry[] = [];
  const env = 'command' in definition ? { env: { PATCHBAY_TEST_MARK: mark } } : {};
  const trace = onPhase !== undefined;
  const host = createHeadlessHost({
    servers: { it: { ...definition, ...env, patchbay: { timeouts, trace } } },
    async onSampling() {
      // The fault happens while the user decides.
      await pause(200);
      return { role: 'assistant', content: { type: 'text', text: 'yes' }, model: 'm' };
    },
    onLog(entry) {
      if (entry.level !== 'trace') logs.push(entry);
      else if (phaseMarks[phase].test(entry.message)) onPhase?.();
    },
  });
  const server = host.getServer('it') ?? expect.unreachable('no server');
  const seen: string[] = [];
  try {
    seen.push(`start: ${await outcomeOf(server.start())}`);
    seen.push(`${server.tools.length} tools`);
    if (server.state === 'running') seen.push(...(await use(server, phase)));
    seen.push(`state: ${server.state}`, `error: ${server.error ?? 'none'}`);
  } finally {
    await host.dispose();
  }
  seen.push(...logs.map(({ message }) => `log: ${message}`));
  expect(processesWith(mark)).toEqual([]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  return seen.join('\n');
}

async function use(server: HeadlessServer, phase: Phase): Promise<string[]> {
  const call = `call: ${await outcomeOf(server.callTool(phase === 'sampling' ? 'ask' : 'work'))}`;
  if (phase !== 'idle') return [call];
  await pause(500);
  return [call, `next call: ${await outcomeOf(server.callTool('work'))}`];
}

/** The outcome of a start or a call: the text of a result, or of an error for users. */
async function outcomeOf(action: Promise<CallToolResult | void>): Promise<string> {
  try {
    const result = await action;
    if (result === undefined) return 'done';
    const [block] = result.content;
    const text = block?.type === 'text' ? block.text : 'no text';
    // Escapes characters that cannot be printed.
    const words = JSON.stringify(text).slice(1, -1);
    return result.structuredContent === undefined ? words : `${words}, structuredContent`;
  } catch (error) {
    const { name, message } = error as Error;
    expect(['PatchbayError', 'JsonRpcError']).toContain(name);
    return message;
  }
}
