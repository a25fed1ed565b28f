import { expect, vi } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import { type Feature, isHandshake, receivedFor, textOf } from '../feature.ts';

/** Calls that the server continues independent of the connection. */
export const taskFeatures: readonly Feature[] = [
  {
    name: 'task',
    shows: ['task-augment', 'task-poll', 'task-result'],
    since: '2025-11-25',
    async run(bench) {
      const { server, revision } = bench;
      expect(textOf(await server.callTool('work'))).toBe('worked');
      const call = receivedFor(bench, 'tools/call').at(-1)?.['params'];
      if (isHandshake(revision)) expect(call).toMatchObject({ task: {} });
      else expect(call).not.toHaveProperty('task');
      expect(receivedFor(bench, 'tasks/get')).not.toEqual([]);
    },
  },
  {
    name: 'task that asks',
    shows: ['task-input'],
    since: '2025-11-25',
    async run({ server }) {
      const answer: unknown = JSON.parse(textOf(await server.callTool('work_asking')));
      expect(answer).toMatchObject({ action: 'accept', content: { name: 'Ada' } });
    },
  },
  {
    name: 'cancelled task',
    shows: ['task-cancel'],
    since: '2025-11-25',
    async run(bench) {
      const looks = receivedFor(bench, 'tasks/get').length;
      const controller = new AbortController();
      const reason = new CancelledError();
      const working = bench.server.callTool('work_forever', {}, { signal: controller.signal });
      await vi.waitFor(() => expect(receivedFor(bench, 'tasks/get').length).toBeGreaterThan(looks));
      controller.abort(reason);
      await expect(working).rejects.toBe(reason);
      await vi.waitFor(() => expect(receivedFor(bench, 'tasks/cancel')).toHaveLength(1));
      const requestId = receivedFor(bench, 'tools/call').at(-1)?.['id'];
      // A request of an earlier feature may still be cancelled.
      const cancelled = receivedFor(bench, 'notifications/cancelled').map(({ params }) => params);
      expect(cancelled).not.toContainEqual(expect.objectContaining({ requestId }));
    },
  },
];
