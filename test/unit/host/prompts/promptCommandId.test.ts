import { describe, expect, it } from 'vitest';
import { promptCommandId } from '../../../../src/host/commandIds.ts';
import { keybindingSnippet } from '../../../../src/host/prompts/promptFeature.ts';

describe('promptCommandId', () => {
  it('is plain for plain names', () => {
    expect(promptCommandId('demo', 'plan_trip')).toBe('patchbay.prompt.demo.plan_trip');
  });

  it('is different for different prompts, wherever their dots are', () => {
    const pairs = [
      ['a', 'b.c'],
      ['a.b', 'c'],
      ['a%2Eb', 'c'],
      ['a', 'b%2Ec'],
    ] as const;
    expect(new Set(pairs.map(([server, prompt]) => promptCommandId(server, prompt))).size).toBe(pairs.length);
  });
});

describe('keybindingSnippet', () => {
  it('is an entry of keybindings.json', () => {
    const entry: unknown = JSON.parse(keybindingSnippet('demo', 'greet', { name: 'Ada "Countess"' }));
    expect(entry).toEqual({
      key: 'ctrl+alt+shift+p',
      command: 'patchbay.prompt.demo.greet',
      args: { arguments: { name: 'Ada "Countess"' }, then: 'show' },
    });
    expect(keybindingSnippet('demo', 'greet', {})).not.toContain('arguments');
  });
});
