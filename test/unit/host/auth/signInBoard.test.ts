import { describe, expect, it } from 'vitest';
import type { ServerState } from '../../../../src/client/serverState.ts';
import { createSignInBoard } from '../../../../src/host/auth/signInBoard.ts';

const server = (state: ServerState, isInUse = false) => ({ label: 'notes', state, isInUse });

describe('isAttended', () => {
  it.each([
    ['started by somebody', server({ kind: 'starting' }), true],
    ['starting again after a crash', server({ kind: 'starting', isRetry: true }), false],
    ['running, with nobody waiting', server({ kind: 'running' }), false],
    ['running, with a call under way', server({ kind: 'running' }, true), true],
    ['stopped', server({ kind: 'stopped' }), false],
  ])('%s', (_, candidate, expected) => {
    expect(createSignInBoard().isAttended(candidate)).toBe(expected);
  });

  it('not where the window starts it by itself, until that is over', () => {
    const board = createSignInBoard();
    const mark = board.mark('notes', 'unattended');
    expect(board.isAttended(server({ kind: 'starting' }))).toBe(false);
    expect(board.isAttended({ ...server({ kind: 'starting' }), label: 'other' })).toBe(true);
    mark.dispose();
    expect(board.isAttended(server({ kind: 'starting' }))).toBe(true);
  });

  it('where somebody signs in to a running server', () => {
    const board = createSignInBoard();
    const mark = board.mark('notes', 'attended');
    expect(board.isAttended(server({ kind: 'running' }))).toBe(true);
    mark.dispose();
    expect(board.isAttended(server({ kind: 'running' }))).toBe(false);
  });
});

describe('missing', () => {
  it('tells of changes only', () => {
    const board = createSignInBoard();
    const changes: string[] = [];
    board.onDidChange((label) => changes.push(label));
    board.setMissing('notes', undefined);
    board.setMissing('notes', 'unasked');
    board.setMissing('notes', 'unasked');
    board.setMissing('notes', undefined);
    expect(changes).toEqual(['notes', 'notes']);
    expect(board.missing('notes')).toBeUndefined();
  });
});
