import { describe, expect, it, vi } from 'vitest';
import type { ContentKind } from '../../../../src/client/contents.ts';
import { createPng } from '../../../fixtures/png.ts';
import { CommandIds } from '../../../../src/host/commandIds.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import type { ItemImage } from '../../../../src/host/icons/itemImage.ts';
import type { ServersNode, SkillNode, ToolNode } from '../../../../src/host/servers/serverNodes.ts';
import { type Row, type RowContext, rowOf } from '../../../../src/host/sidebar/serverRows.ts';
import { readGetSkillResult } from '../../../../src/protocol/mcp/skills.ts';
import { formsUri, skillEntry } from '../../../fixtures/skills.ts';
import { running, type Sample, sampleServer, sampleTask, session } from '../sampleServer.ts';

function row(node: ServersNode, hostServer: HostServer, context: Partial<RowContext> = {}): Row {
  return rowOf(node, { hostServer, count: 0, problemCount: 0, isFiltered: false, isExpanded: false, ...context });
}

it.each([
  ['files', 1, '1 configuration problem', 'workbench.actions.view.problems', 'in the Problems view'],
  ['settings', 2, '2 settings problems', CommandIds.showLog, 'in the log'],
] as const)('leads from problems of %s to what is wrong', (place, problemCount, label, command, where) => {
  const shown = row({ kind: 'problems', place }, sampleServer('a'), { problemCount });
  expect(shown).toMatchObject({ label, command, spoken: `${label}, show them ${where}` });
});

const demo = sampleServer('demo', { state: running, session, isStale: true });
const add = { name: 'add', title: 'Add', description: 'Adds\ntwo numbers', inputSchema: {} };
const addNode: ToolNode = { kind: 'tool', server: 'demo', tool: 'add', item: add, occurrence: 0 };

describe('rowOf', () => {
  it('tells in the row of a group that its list is still to come, failed or is not whole [list-hangs]', () => {
    const slow = sampleServer('slow', {
      state: running,
      session,
      contents: { prompts: [{ name: 'greet' }] },
      lastSeen: { tools: [add] },
      lists: { tools: { isLoading: true }, resources: { failure: 'x' }, prompts: { failure: 'y' } },
    });
    const groupOf = (contents: ContentKind, count: number): Row =>
      row({ kind: 'group', server: 'slow', contents }, slow, { count });
    expect(groupOf('tools', 1)).toMatchObject({ description: '1 · loading…', isDimmed: true });
    expect(groupOf('tools', 1).spoken).toBe('1 tool, loading…, server slow, last seen');
    expect(groupOf('resources', 0)).toMatchObject({ description: 'could not be listed', isDimmed: false });
    expect(groupOf('prompts', 1)).toMatchObject({ description: '1 · incomplete', isDimmed: false });
    expect(row(addNode, slow).isDimmed).toBe(true);
    const server = (lists: Sample['lists']): Row =>
      row({ kind: 'server', server: 'a' }, sampleServer('a', { state: running, session, ...(lists && { lists }) }));
    expect(server({ tools: { isLoading: true } }).description).toBe('listing…');
    expect(server({ tools: { failure: 'x' } }).description).toBe('could not be listed');
    expect(server(undefined).description).toBe('offers nothing');
  });

  const source = { kind: 'demo', uri: undefined, folder: undefined, title: 'demo' } as const;

  it.each([
    [demo, 'server.running.stale.logging', 'configuration changed · offers nothing'],
    [sampleServer('demo', { isDisabled: true, lookAlike: 'odd' }), 'server.disabled', 'odd · disabled'],
    [sampleServer('demo', { configured: { source } }), 'server.stopped.demo', 'stopped'],
  ])('tells menus and people the state of a server and what is special about it: %#', (host, contextValue, text) => {
    expect(row({ kind: 'server', server: 'demo' }, host)).toMatchObject({ contextValue, description: text });
  });

  it('dims a disabled server, with an icon of its own', () => {
    const disabled = row({ kind: 'server', server: 'demo' }, sampleServer('demo', { isDisabled: true }));
    expect(disabled).toMatchObject({ isDimmed: true, icon: { id: 'circle-slash' } });
    expect(disabled.spoken).toBe('Server demo, disabled');
  });

  it.each([
    ['working', { message: 'Dig\nging' }, 'task.open.working', undefined, 'working · Dig ging'],
    ['input_required', {}, 'task.open.input_required', undefined, 'waits for input'],
    ['paused', {}, 'task.open.paused', CommandIds.startServer, 'paused until the server is started'],
    ['completed', { hasResult: true }, 'task.over.result', CommandIds.showTaskResult, 'done'],
    ['failed', { hasResult: true }, 'task.over.result', CommandIds.showTaskResult, 'failed'],
    ['failed', { message: 'No fuel' }, 'task.over.failed', CommandIds.showTaskResult, 'failed · No fuel'],
    ['lost', {}, 'task.over.lost', CommandIds.showTaskResult, 'lost'],
  ] as const)(
    'tells menus and people of a task that is %s with %j',
    (state, more, contextValue, command, description) => {
      const item = sampleTask({ state, ...more });
      const drawn = row({ kind: 'task', server: 'demo', task: item.id, item, title: 'Add' }, demo);
      expect(drawn).toMatchObject({ label: 'Add', contextValue, description });
      expect(drawn.command).toBe(command);
      expect(drawn.spoken).toBe(`Task of the tool Add, ${description}, server demo`);
    },
  );

  it('counts the tasks of a server', () => {
    const busy = sampleServer('busy', { tasks: [sampleTask(), sampleTask({ id: 't2' })] });
    expect(row({ kind: 'tasks', server: 'busy' }, busy)).toMatchObject({
      label: 'Tasks',
      description: '2',
      children: 'expanded',
      spoken: '2 tasks, server busy',
    });
  });

  it('draws a tool by its title and opens it on click [display-name]', () => {
    expect(row(addNode, demo)).toMatchObject({
      label: 'Add',
      description: 'Adds two numbers',
      command: CommandIds.openRow,
      contextValue: 'tool',
      isDimmed: false,
      spoken: 'Tool Add, Adds two numbers, server demo',
    });
  });

  it("draws a tool by its server's own picture, unless there are very many", () => {
    const src = `data:image/png;base64,${createPng(16)}`;
    const image = vi.fn((): ItemImage => ({ light: src, dark: src }));
    const tools = (count: number): HostServer =>
      sampleServer('demo', { contents: { tools: Array.from({ length: count }, () => add) } });
    expect(row(addNode, tools(200), { image }).image).toEqual({ light: src, dark: src });
    expect(row(addNode, tools(200), { image, mark: 'new' }).image).toBeUndefined();
    expect(row(addNode, tools(201), { image }).image).toBeUndefined();
    // Icons that are not shown are not fetched.
    expect(image).toHaveBeenCalledTimes(1);
    const large = `data:image/png;base64,${'A'.repeat(16_000)}`;
    expect(row(addNode, tools(1), { image: () => ({ light: src, dark: large }) }).image).toBeUndefined();
  });

  it('leaves it to label and description where there are very many, and sends them to the window once', () => {
    const tools = Array.from({ length: 201 }, () => add);
    expect(row(addNode, sampleServer('demo', { contents: { tools } }))).not.toHaveProperty('spoken');
    const seen = sampleServer('demo', { contents: { tools }, isRemembered: true });
    expect(row(addNode, seen)).toMatchObject({ isDimmed: true, spoken: 'Add, Adds two numbers, last seen' });
  });

  it('dims what is only remembered, and says so to a screen reader', () => {
    const seen = sampleServer('demo', { isRemembered: true });
    expect(row(addNode, seen)).toMatchObject({ isDimmed: true, spoken: expect.stringMatching(/, last seen$/) });
  });

  it('marks a tool with an invalid schema', () => {
    const faulty = sampleServer('demo', {
      state: running,
      contents: { tools: [add] },
      toolFaults: new Map([[add, 'x']]),
    });
    expect(row(addNode, faulty)).toMatchObject({
      description: 'invalid schema · Adds two numbers',
      icon: { id: 'warning', color: expect.any(String) },
    });
  });

  it('never draws an empty row', () => {
    const node: ToolNode = { ...addNode, item: { name: ' \n', inputSchema: {} } };
    expect(row(node, demo).label).toBe('(no name)');
  });

  it('tells skills of one name apart, and says what is of what', () => {
    const item = readGetSkillResult({ skill: skillEntry() });
    const skill: SkillNode = { kind: 'skill', server: 'demo', skill: item.uri, item, occurrence: 0 };
    expect(row(skill, demo)).toMatchObject({
      label: 'pdf',
      description: 'acme · Fills in PDF forms',
      children: 'collapsed',
      command: CommandIds.openRow,
    });
    const path = 'references/FORMS.md';
    const file = { kind: 'skillFile', parent: skill, server: 'demo', skill: item.uri, file: formsUri, path } as const;
    expect(row(file, demo)).toMatchObject({ label: path, spoken: `File ${path}, skill pdf, server demo` });
    expect(row({ ...skill, item: { ...item, files: 'dynamic' } }, demo)).toMatchObject({
      children: 'none',
      icon: { id: 'book', color: expect.any(String) },
    });
  });

  it('counts what a filter left of a group', () => {
    const full = sampleServer('demo', { contents: { tools: [add, add, add] } });
    const group = { kind: 'group', server: 'demo', contents: 'tools' } as const;
    expect(row(group, full, { count: 3 }).description).toBe('3');
    expect(row(group, full, { count: 1, isFiltered: true }).description).toBe('1 of 3');
  });

  it.each([
    ['image/png', 'file-media'],
    ['application/vnd.api+json', 'json'],
    ['text/plain', 'file'],
    [undefined, 'file'],
  ])('chooses the icon of a resource by its type: %s', (mimeType, icon) => {
    const item = { name: 'r', uri: 'x:r', ...(mimeType !== undefined && { mimeType }) };
    expect(row({ kind: 'resource', server: 'demo', uri: 'x:r', item, occurrence: 0 }, demo).icon.id).toBe(icon);
  });
});
