import { describe, expect, it } from 'vitest';
import type { ChangedDefinition } from '../../../../src/client/definitions/ports.ts';
import { ItemMarks, type ListMarks } from '../../../../src/host/definitions/itemMarks.ts';
import { markFacts } from '../../../../src/host/sidebar/serverFacts.ts';
import type { ToolNode } from '../../../../src/host/servers/serverNodes.ts';
import { rowOf } from '../../../../src/host/sidebar/serverRows.ts';
import { running, sampleServer } from '../sampleServer.ts';

const item = { name: 'add', description: 'Adds', inputSchema: {} };
const node: ToolNode = { kind: 'tool', server: 'demo', tool: 'add', item, occurrence: 0 };
const change: ChangedDefinition = {
  server: 'demo',
  kind: 'tools',
  key: 'add',
  before: '[1]',
  after: '[2]',
  difference: {
    changes: [
      { path: 'inputSchema.properties.a', before: undefined, after: '{}' },
      { path: 'inputSchema.properties.b', before: undefined, after: '{}' },
      { path: 'description', before: 'a', after: 'b' },
    ],
    isCut: false,
  },
};

function toolMarks(marks: Partial<ListMarks>): ReadonlyMap<'tools', ListMarks> {
  return new Map([['tools', { changed: new Map(), fresh: new Set(), ...marks }]]);
}

describe('marks of items', () => {
  it('say what is changed and what is new, the change first', () => {
    const marks = new ItemMarks();
    expect(marks.of(node)).toBeUndefined();
    marks.set('demo', toolMarks({ fresh: new Set(['add']) }));
    expect(marks.of(node)).toBe('new');
    marks.set('demo', toolMarks({ fresh: new Set(['add']), changed: new Map([['add', change]]) }));
    expect(marks.of(node)).toBe('changed');
    expect(marks.changes).toEqual([change]);
    expect(marks.of({ ...node, server: 'other' })).toBeUndefined();
  });

  it('are explained in the tooltip', () => {
    const marks = new ItemMarks();
    expect(markFacts(node, marks)).toEqual([]);
    marks.set('demo', toolMarks({ changed: new Map([['add', change]]) }));
    expect(markFacts(node, marks)).toEqual([
      {
        name: 'Changed since you last used it',
        text: 'inputSchema, description. You are asked before it is used again.',
      },
    ]);
    marks.set('demo', toolMarks({ fresh: new Set(['add']) }));
    expect(markFacts(node, marks)[0]?.name).toBe('New');
  });

  it('are drawn, spoken and told to menus', () => {
    const hostServer = sampleServer('demo', { state: running, contents: { tools: [item] } });
    const context = { hostServer, count: 1, problemCount: 0, isFiltered: false, isExpanded: false };
    expect(rowOf(node, { ...context, mark: 'changed' })).toMatchObject({
      description: 'changed · Adds',
      icon: { id: 'symbol-method', color: 'problemsWarningIcon.foreground' },
      contextValue: 'tool.changed',
      spoken: 'Tool add, changed · Adds, server demo',
    });
    expect(rowOf(node, { ...context, mark: 'new' })).toMatchObject({
      description: 'new · Adds',
      contextValue: 'tool.new',
    });
    const group = { kind: 'group', server: 'demo', contents: 'tools' } as const;
    const listMarks = { changed: new Map([['add', change]]), fresh: new Set(['a', 'b', 'c']) };
    expect(rowOf(group, { ...context, marked: listMarks })).toMatchObject({
      description: '1 · 1 changed · 3 new',
      spoken: '1 tool, 1 changed, 3 new, server demo',
    });
  });
});
