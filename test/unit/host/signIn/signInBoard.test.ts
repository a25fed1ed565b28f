import { describe, expect, it } from 'vitest';
import { createSignInState } from '../../../../src/host/signIn/signIns.ts';

describe('missing', () => {
  it('tells of changes only', () => {
    const board = createSignInState();
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
