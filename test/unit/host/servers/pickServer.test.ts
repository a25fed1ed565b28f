import { expect, it } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { pickServer, type ServerPick } from '../../../../src/host/servers/pickServer.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { sampleRegistry, sampleServer } from '../sampleServer.ts';

const unapproved = { kind: 'failed', error: new PatchbayError('needsTrust', 'It was not approved.') } as const;

it.each<[string, Pick<ServerPick, 'acts' | 'starts'>, 'stopped' | 'unapproved', isTaken: boolean]>([
  ['only shows something', {}, 'stopped', true],
  ['starts it', { acts: true, starts: true }, 'unapproved', true],
  ['starts it', { acts: true, starts: true }, 'stopped', false],
  ['changes it', { acts: true }, 'unapproved', false],
  ['changes it', { acts: true }, 'stopped', false],
])('the only server is taken by a command without an argument that %s: %j, %s', async (_, how, state, isTaken) => {
  const only = sampleServer('only', state === 'unapproved' ? { state: unapproved } : {});
  const pick = { placeholder: 'Which server?', whenNone: '', ...how };
  const picked = await pickServer(sampleRegistry(only), undefined, pick);
  expect(picked).toBe(isTaken ? only : undefined);
  expect(editor.questions).toHaveLength(isTaken ? 0 : 1);
});
