import { beforeEach, describe, expect, it } from 'vitest';
import type { AppFeature } from '../../../../src/host/apps/appFeature.ts';
import { AppPresenter } from '../../../../src/host/apps/registerApps.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { editor } from '../../../fixtures/vscode.ts';

const tool = { name: 'map', inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: 'ui://map' } } } as const;
const call = { server: 'demo', identity: 'who', occurrence: 0, tool, args: { city: 'Bern' } };
const target = { server: 'demo', tool: 'map', occurrence: 0 };

function setUp() {
  const done: unknown[] = [];
  const apps = {
    show: (...given: unknown[]) => void done.push(['show', ...given]),
    endCall: (...given: unknown[]) => void done.push(['end', ...given]),
  };
  return { done, presenter: new AppPresenter(async () => apps as unknown as AppFeature) };
}

describe('the app of a call', () => {
  beforeEach(() => Object.assign(editor.defaults, { 'apps.enabled': true, 'apps.openWithCall': true }));

  it('is read while the call is on its way, and told of its end [resources/prefetch]', async () => {
    const { done, presenter } = setUp();
    const end = presenter.begin(call);
    await settle();
    expect(done).toEqual([['show', target, 'map', { identity: 'who', args: call.args }]]);
    const result = { content: [], isError: false };
    const kept = Promise.resolve('id');
    end?.({ kind: 'result', result }, kept);
    await settle();
    expect(done[1]).toEqual([
      'end',
      target,
      { identity: 'who', args: call.args, end: { kind: 'result', result } },
      kept,
    ]);
  });

  it.each([[{ 'apps.enabled': false }], [{ 'apps.openWithCall': false }]])(
    'does not open by itself with %j',
    (values) => {
      Object.assign(editor.settings, values);
      expect(setUp().presenter.begin(call)).toBeUndefined();
    },
  );

  it('is none for a tool without one', () => {
    expect(setUp().presenter.begin({ ...call, tool: { ...tool, _meta: {} } })).toBeUndefined();
  });
});
