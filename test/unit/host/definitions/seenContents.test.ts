import { describe, expect, it } from 'vitest';
import type { Memento } from 'vscode';
import { limits } from '../../../../src/base/limits.ts';
import { SeenContents } from '../../../../src/host/definitions/seenContents.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { sampleState } from '../sampleState.ts';

/** Another window with the same state. */
function open(state: Memento) {
  return new SeenContents(state, createManualClock(), () => 0.5);
}

const news = (found: ReadonlySet<string>): string[] => [...found];

describe('what was seen of a list', () => {
  it('is all of the first list ever', () => {
    const seen = open(sampleState());
    expect(news(seen.newIn('demo', 'tools', ['a', 'b']))).toEqual([]);
    expect(news(seen.newIn('demo', 'tools', ['a', 'b', 'c']))).toEqual(['c']);
  });

  it('does not grow by what nobody looked at', () => {
    const state = sampleState();
    const first = open(state);
    first.newIn('demo', 'tools', ['a']);
    first.dispose();
    const second = open(state);
    expect(news(second.newIn('demo', 'tools', ['a', 'b']))).toEqual(['b']);
    second.dispose();
    expect(news(open(state).newIn('demo', 'tools', ['a', 'b']))).toEqual(['b']);
  });

  it('holds what was looked at from the next window on, and what was marked at once', () => {
    const state = sampleState();
    const first = open(state);
    first.newIn('demo', 'tools', ['a']);
    first.recordViewed('demo', 'tools', ['a', 'b']);
    expect(news(first.newIn('demo', 'tools', ['a', 'b']))).toEqual(['b']);
    first.dispose();
    const second = open(state);
    expect(news(second.newIn('demo', 'tools', ['a', 'b', 'c']))).toEqual(['c']);
    second.markSeen('demo', 'tools', ['a', 'b', 'c']);
    expect(news(second.newIn('demo', 'tools', ['a', 'b', 'c']))).toEqual([]);
  });

  it('is kept for each server and list', () => {
    const seen = open(sampleState());
    seen.newIn('demo', 'tools', ['a']);
    expect(news(seen.newIn('demo', 'prompts', ['b']))).toEqual([]);
    expect(news(seen.newIn('other', 'tools', ['b']))).toEqual([]);
  });

  it('is kept in bounded space: of a longer list nothing is new', () => {
    const state = sampleState();
    const seen = open(state);
    seen.newIn('demo', 'tools', ['a']);
    const many = Array.from({ length: limits.seen.items + 1 }, (_, index) => `t${index}`);
    expect(news(seen.newIn('demo', 'tools', many))).toEqual([]);
    for (let index = 0; index < limits.seen.lists * 2; index += 1) seen.recordViewed(`s${index}`, 'tools', ['a']);
    seen.dispose();
    const [kept] = Object.values(state.values) as { readonly lists: object }[];
    expect(Object.keys(kept?.lists ?? {})).toHaveLength(limits.seen.lists);
  });

  it('is forgotten where something else stands in its place', () => {
    const state = sampleState();
    state.values['patchbay.seen'] = { salt: 'x', lists: { 'tools demo': 'z' } };
    expect(news(open(state).newIn('demo', 'tools', ['a']))).toEqual([]);
    state.values['patchbay.seen'] = { salt: 1, lists: { 'tools demo': 5 } };
    expect(news(open(state).newIn('demo', 'tools', ['a']))).toEqual([]);
  });
});
