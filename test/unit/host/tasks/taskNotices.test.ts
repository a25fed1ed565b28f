import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import type { ServerActions } from '../../../../src/host/servers/serverActions.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { notifyEndedTasks, offerResume } from '../../../../src/host/tasks/taskNotices.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { running, sampleRegistry, sampleServer, sampleTask } from '../sampleServer.ts';
import { editor } from '../../../fixtures/vscode.ts';

describe('tasks that have ended', () => {
  function tell(...tasks: Parameters<typeof sampleTask>[0][]): void {
    const onDidChangeAny = new Emitter<HostServer>();
    notifyEndedTasks({ onDidChangeAny: onDidChangeAny.event });
    const host = sampleServer('busy', { state: running, tasks: tasks.map(sampleTask) });
    onDidChangeAny.fire(host);
    onDidChangeAny.fire(host);
  }

  it('are told of once, unless a call waits for them or they still run', () => {
    tell({ state: 'completed', hasResult: true }, { state: 'completed', isAwaited: true }, {}, { state: 'paused' });
    expect(editor.said).toEqual(['The tool "add" of "busy" has finished.']);
  });

  it('have results one click away', async () => {
    editor.answer = 'Show Result';
    tell({ state: 'failed', hasResult: true, message: 'Digging' });
    await settle();
    expect(editor.said).toEqual(['The tool "add" of "busy" has finished and reported an error.']);
    expect(editor.executed).toEqual([['patchbay.showTaskResult', { server: 'busy', task: 't1' }]]);
  });

  it('say why they were lost, in words that are no link', () => {
    tell({ state: 'lost', message: 'Lost. [Sign in](command:x)' });
    expect(editor.said).toEqual([expect.stringMatching(/^busy: Lost\. /)]);
    expect(editor.said[0]).not.toContain('](');
  });
});

describe('tasks of an earlier window', () => {
  const paused = sampleTask({ state: 'paused' });

  function offer(...servers: readonly HostServer[]) {
    const onDidChangeServers = new Emitter<void>();
    const started: string[] = [];
    const registry = Object.assign(sampleRegistry(...servers), { onDidChangeServers: onDidChangeServers.event });
    const start = async (label: string) => void started.push(label);
    const reveal = async (label: string) => void started.push(`${label} shown`);
    offerResume(registry, { start } as unknown as ServerActions, reveal);
    onDidChangeServers.fire();
    return started;
  }

  it('are offered once, for servers that do not run and will not start by themselves', async () => {
    editor.answer = 'Resume';
    const started = offer(
      sampleServer('idle', { tasks: [paused, { ...paused, id: 't2' }] }),
      sampleServer('empty'),
      sampleServer('up', { state: running, tasks: [paused] }),
      sampleServer('eager', { tasks: [paused], configured: { options: { autoStart: true } } }),
    );
    await settle();
    expect(editor.said).toEqual([expect.stringMatching(/^2 tasks of the server "idle" may still be running/)]);
    expect(started).toEqual(['idle', 'idle shown']);
  });

  it('are forgotten on request', async () => {
    editor.answer = 'Dismiss';
    const forgotten: string[] = [];
    const host = sampleServer('idle', { tasks: [paused] });
    const server = { ...host.server, forgetTask: (id: string) => void forgotten.push(id) };
    expect(offer(Object.assign(host, { server }))).toEqual([]);
    await settle();
    expect(forgotten).toEqual(['t1']);
  });

  it('wait for the trust of the workspace', () => {
    editor.isTrusted = false;
    offer(sampleServer('idle', { tasks: [paused] }));
    expect(editor.said).toEqual([]);
    editor.isTrusted = true;
    editor.fire('onDidGrantWorkspaceTrust');
    expect(editor.said).toHaveLength(1);
  });
});
