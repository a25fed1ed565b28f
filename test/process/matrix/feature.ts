import { expect, vi } from 'vitest';
import { isRecord, type UnknownRecord } from '../../../src/base/json.ts';
import type { LogEntry } from '../../../src/base/logger.ts';
import type { HeadlessHost, HeadlessOptions, HeadlessServer } from '../../../src/headless.ts';
import type { CallToolResult } from '../../../src/protocol/mcp/tools.ts';
import type { protocolRevisions } from '../../../src/protocol/session/revision.ts';
import type { Partner } from '../../fixtures/partners.ts';

export type Revision = (typeof protocolRevisions)[number];

export type TransportName = 'stdio' | 'Streamable HTTP' | 'HTTP+SSE';

/** One row of the matrix: a feature of the specification, and a test that it works. */
export interface Feature {
  readonly name: string;
  /** Behaviours of `test/requirements.ts` that this shows, in every cell. */
  readonly shows: readonly string[];
  /** The first and the last revision that define it; all where absent. */
  readonly since?: Revision;
  readonly until?: Revision;
  /** The transports that define it; all where absent. */
  readonly transports?: readonly TransportName[];
  readonly run: (bench: Bench) => Promise<void>;
}

/** A running server and its environment. */
export interface Bench {
  readonly revision: Revision;
  readonly transport: TransportName;
  readonly host: HeadlessHost;
  readonly server: HeadlessServer;
  readonly partner: Partner;
  readonly logs: readonly LogEntry[];
  /** How the user answers; a test may change it for itself. */
  readonly answers: Answers;
}

export type Answers = Required<Pick<HeadlessOptions, 'onSampling' | 'onElicitation'>>;

/** The text of a result with exactly one text block. */
export function textOf({ content }: CallToolResult): string {
  const [block] = content;
  return block?.type === 'text' ? block.text : expect.unreachable('the result is no text');
}

/** Messages the partner received for `method`. */
export function receivedFor({ partner }: Bench, method: string): readonly UnknownRecord[] {
  return partner.received().filter((message) => message['method'] === method);
}

/** Parameters of the last message the partner received for `method`. */
export async function lastParams(bench: Bench, method: string): Promise<UnknownRecord> {
  // The message may not have reached the other process yet.
  return await vi.waitFor(() => {
    const params = receivedFor(bench, method).at(-1)?.['params'];
    return isRecord(params) ? params : expect.unreachable(`no ${method} was received`);
  });
}

/** Resolves when `holds` is true, checked after each `event`. */
export function until(event: (listener: () => void) => { dispose(): void }, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const subscription = event(() => {
      if (!holds()) return;
      subscription.dispose();
      resolve();
    });
  });
}

export function isHandshake(revision: Revision): boolean {
  return revision < '2026-07-28';
}

export function isAboutTasks(feature: string): boolean {
  return feature.includes('task');
}
