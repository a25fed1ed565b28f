import { describe, expect, it } from 'vitest';
import { createSignInBoard } from '../../../../src/host/auth/signInBoard.ts';

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
