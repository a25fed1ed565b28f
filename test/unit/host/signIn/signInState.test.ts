import { describe, expect, it } from 'vitest';
import { SignInState } from '../../../../src/host/signIn/signIns.ts';

describe('missing', () => {
  it('tells of changes only', () => {
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
});
