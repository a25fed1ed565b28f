import { expect, it } from 'vitest';
import type { ServerState } from '../../../../src/client/server/server.ts';
import type { ServerStateChange } from '../../../../src/host/servers/serverRegistry.ts';
import { Emitter } from '../../../../src/base/event.ts';
import type { SignInsOptions } from '../../../../src/host/signIn/signInService.ts';
import { createLazySignIns, SignInState } from '../../../../src/host/signIn/signIns.ts';

it.each<[ServerState['kind'], string | undefined]>([
  ['starting', undefined],
  ['stopped', undefined],
  ['running', 'unasked'],
  ['failed', 'unasked'],
])('a server that is %s: the sign-in that it was missing is then %s', (kind, missing) => {
  const context = { extension: { id: 'patchbay.patchbay' } };
  const signIns = createLazySignIns({ context } as unknown as SignInsOptions);
  const onDidChangeState = new Emitter<ServerStateChange>();
  signIns.follow({ get: () => undefined, onDidChangeState: onDidChangeState.event });
  signIns.state.setMissing('notes', 'unasked');
  onDidChangeState.fire({ label: 'notes', state: { kind } as ServerState });
  expect(signIns.state.missing('notes')).toBe(missing);
  signIns.dispose();
});

it('a missing sign-in is told of when it changes', () => {
  const state = new SignInState();
  const changes: string[] = [];
  state.onDidChange((label) => changes.push(label));
  state.setMissing('notes', undefined);
  state.setMissing('notes', 'unasked');
  state.setMissing('notes', 'unasked');
  state.setMissing('notes', undefined);
  expect(changes).toEqual(['notes', 'notes']);
  expect(state.missing('notes')).toBeUndefined();
});
