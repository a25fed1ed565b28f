import type { TreeViewVisibilityChangeEvent } from 'vscode';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { Emitter } from '../../../../src/base/event.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { createSeenFailures } from '../../../../src/host/servers/serverStatus.ts';
import { createStatusBar, summarizeStatus } from '../../../../src/host/sidebar/statusBar.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { running, sampleServer } from '../sampleServer.ts';

const failed = { kind: 'failed', error: new PatchbayError('crashed', 'It exited.') } as const;

describe('summarise', () => {
  it('shows nothing without servers', () => expect(summarizeStatus([])).toBeUndefined());

  it('counts running servers', () => {
    const summary = summarizeStatus([sampleServer('a', { state: running }), sampleServer('b')]);
    const lines = ['a: offers nothing', 'b: stopped'];
    expect(summary).toMatchObject({ text: '$(plug) 1', isWarning: false, isAsking: false, lines });
    expect(summary?.spoken).toBe('1 MCP server running');
  });

  it('warns when a server needs somebody', () => {
    const summary = summarizeStatus([sampleServer('a', { state: failed })]);
    expect(summary).toMatchObject({ text: '$(plug) 0 $(warning) 1', isWarning: true });
    expect(summary?.spoken).toBe('0 MCP servers running, 1 needs attention');
  });

  it('counts a failure that was seen, without a warning', () => {
    const isSeen = (): boolean => true;
    const summary = summarizeStatus([sampleServer('a', { state: failed })], isSeen);
    expect(summary).toMatchObject({ text: '$(plug) 0 $(warning) 1', isWarning: false });
    const asking = sampleServer('a', { state: running, isAsking: true });
    expect(summarizeStatus([asking], isSeen)).toMatchObject({ isWarning: true });
  });

  it('tells that a server waits for an answer', () => {
    expect(summarizeStatus([sampleServer('a', { state: running, isAsking: true })])).toMatchObject({
      text: '$(plug) 1 $(warning) 1',
      isAsking: true,
      lines: ['a: needs your answer · offers nothing'],
    });
  });
});

describe('the item', () => {
  it('warns of a failure until the view was shown with it, and again of the next one', async () => {
    const clock = createManualClock();
    const [changed, shown] = [new Emitter<HostServer>(), new Emitter<TreeViewVisibilityChangeEvent>()];
    let [servers, isVisible] = [[sampleServer('a', { state: failed })], false];
    const registry = {
      get servers() {
        return servers;
      },
      onDidChangeServers: new Emitter<void>().event,
      onDidChangeAny: changed.event,
    };
    const view = { isSeen: createSeenFailures(() => isVisible), onDidChangeVisibility: shown.event };
    onTestFinished(() => bar.dispose());
    const bar = createStatusBar(registry, clock, view);
    const look = async (now: boolean): Promise<void> => {
      isVisible = now;
      shown.fire({ visible: now });
      await settle();
      await clock.advance(1_000);
    };
    expect(editor.statusItem['backgroundColor']).toBeDefined();
    await look(true);
    expect(editor.statusItem).toMatchObject({ text: '$(plug) 0 $(warning) 1', backgroundColor: undefined });
    await look(false);
    expect(editor.statusItem['backgroundColor']).toBeUndefined();
    servers = [sampleServer('a', { state: { ...failed } })];
    for (const server of servers) changed.fire(server);
    await settle();
    await clock.advance(1_000);
    expect(editor.statusItem['backgroundColor']).toBeDefined();
  });
});
