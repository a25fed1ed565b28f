import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { CommandIds } from '../../../../src/host/commandIds.ts';
import { abilitiesOf } from '../../../../src/host/servers/serverStatus.ts';
import { isItemNode, type ProblemPlace, type ServersNode } from '../../../../src/host/servers/serverNodes.ts';
import { rowId } from '../../../../src/host/sidebar/serverRows.ts';
import { ServersTree, describeFilter } from '../../../../src/host/sidebar/serversTree.ts';
import { readGetSkillResult } from '../../../../src/protocol/mcp/skills.ts';
import { skillEntry } from '../../../fixtures/skills.ts';
import { running, type Sample, sampleRegistry, sampleServer, sampleTask, session } from '../sampleServer.ts';

const add = { name: 'add', title: 'Add Numbers', description: 'Adds two numbers', inputSchema: {} };
const fail = { name: 'fail', inputSchema: {} };
const readme = { name: 'readme', uri: 'demo://readme' };
const demo = sampleServer('demo', { state: running, session, contents: { tools: [add, fail], resources: [readme] } });

type Input = ConstructorParameters<typeof ServersTree>[0];

function treeWith(input: Partial<Input>, ...servers: readonly HostServer[]): ServersTree {
  return new ServersTree({
    registry: sampleRegistry(...servers),
    problemCount: () => 0,
    canStart: () => true,
    ...input,
  });
}

const treeOf = (...servers: readonly HostServer[]): ServersTree => treeWith({}, ...servers);

/** The tree as indented lines. */
function outline(tree: ServersTree, nodes: readonly ServersNode[] = tree.roots(), indent = ''): string[] {
  return nodes.flatMap((node) => [indent + nameOf(node), ...outline(tree, tree.children(node), `${indent}  `)]);
}

function nameOf(node: ServersNode): string {
  if (isItemNode(node)) return node.item.name;
  switch (node.kind) {
    case 'problems':
      return 'problems';
    case 'server':
      return node.server;
    case 'note':
      return `(${node.note})`;
    case 'tasks':
      return 'Tasks';
    case 'task':
      return node.title;
    case 'group':
      return node.contents;
    case 'savedCall':
      return node.name;
    case 'skillFile':
      return node.path;
  }
}

/** The row that is reached by these places, from the roots on. */
function rowAt(tree: ServersTree, ...places: readonly number[]): ServersNode {
  const [place = 0, ...others] = places;
  const find = (nodes: readonly ServersNode[], index: number) => nodes[index] ?? expect.unreachable('no such row');
  return others.reduce((node, index) => find(tree.children(node), index), find(tree.roots(), place));
}

describe('ServersTree', () => {
  it('has a place for each list that is still to come or failed, with what was seen last [list-hangs]', () => {
    const failure = 'resources/list failed: The server did not answer.';
    const server = sampleServer('slow', {
      state: running,
      contents: { prompts: [{ name: 'greet' }] },
      lastSeen: { tools: [add] },
      lists: {
        tools: { isLoading: true },
        resources: { failure },
        resourceTemplates: { isLoading: true },
        prompts: { failure: 'prompts/list could not be read to its end.' },
      },
      problems: [failure, 'prompts/list could not be read to its end.'],
    });
    const tree = treeOf(server);
    expect(outline(tree)).toEqual([
      'slow',
      '  tools',
      '    (loading)',
      '    add',
      '  resources',
      '    (error)',
      '    (again)',
      '  resourceTemplates',
      '    (loading)',
      '  prompts',
      '    (error)',
      '    (again)',
      '    greet',
    ]);
    const groups = tree.children(rowAt(tree, 0));
    const notes = groups.flatMap((group) => tree.children(group)).filter((child) => child.kind === 'note');
    expect(notes).toMatchObject([
      { text: 'Loading, last seen:' },
      { text: failure, group: 'resources' },
      { text: 'Try Again', command: CommandIds.listAgain, group: 'resources' },
      { text: 'Loading…' },
      { group: 'prompts' },
      { group: 'prompts' },
    ]);
    expect(new Set(notes.map((note) => rowId(note, false))).size).toBe(6);
    expect(notes.map((note) => tree.parent(note))).toEqual([0, 1, 1, 2, 3, 3].map((index) => groups[index]));
    tree.setFilter('add');
    expect(outline(tree)).toEqual(['slow', '  tools', '    add']);
  });

  it('shows the tasks of a server above its groups, the newest first, and none in a filtered tree', () => {
    const tools = [{ name: 'add', title: 'Add', inputSchema: {} }];
    const tasks = ['add', 'gone'].map((tool) => sampleTask({ id: tool, tool }));
    const tree = treeOf(sampleServer('busy', { state: running, contents: { tools }, tasks }));
    expect(outline(tree)).toEqual(['busy', '  Tasks', '    gone', '    Add', '  tools', '    add']);
    expect(tree.parent(rowAt(tree, 0, 0, 0))).toEqual(rowAt(tree, 0, 0));
    expect(tree.parent(rowAt(tree, 0, 0))).toBe(rowAt(tree, 0));
    tree.setFilter('add');
    expect(outline(tree)).toEqual(['busy', '  tools', '    add']);
  });

  it('shows the files of a skill below it', () => {
    const skill = readGetSkillResult({ skill: skillEntry() });
    const tree = treeOf(sampleServer('a', { state: running, session, contents: { skills: [skill] } }));
    expect(outline(tree)).toEqual(['a', '  skills', '    pdf', '      references/FORMS.md']);
    expect(tree.parent(rowAt(tree, 0, 0, 0, 0))).toBe(rowAt(tree, 0, 0, 0));
  });

  it('shows saved calls below their tool, asking for them when its list is opened', () => {
    const asked: string[] = [];
    const of = (server: string, tool: string) => {
      asked.push(`${server}/${tool}`);
      return tool === 'add' ? [{ name: 'one' }, { name: 'two' }] : [];
    };
    const tree = treeWith({ savedCalls: { of } }, demo);
    expect([rowAt(tree, 0, 0).kind, tree.countAll(), asked]).toEqual(['group', 3, []]);
    expect(outline(tree)).toEqual([
      'demo',
      '  tools',
      '    add',
      '      one',
      '      two',
      '    fail',
      '  resources',
      '    readme',
    ]);
    expect(asked).toEqual(['demo/add', 'demo/fail']);
    const node = rowAt(tree, 0, 0, 0);
    const calls = tree.children(node);
    expect(calls).toMatchObject([
      { server: 'demo', tool: 'add', name: 'one' },
      { server: 'demo', tool: 'add', name: 'two' },
    ]);
    expect(calls.map((call) => tree.parent(call))).toEqual([node, node]);
    expect(new Set(calls.map((call) => rowId(call, false))).size).toBe(2);
  });

  it.each<[string, Sample, string[]]>([
    ['stopped', {}, ['(start)']],
    ['starting', { state: { kind: 'starting' } }, ['(starting)']],
    ['asking before it starts', { state: { kind: 'starting' }, awaitsAnswer: true }, ['(asked)']],
    ['running, empty', { state: running }, ['(empty)']],
    ['failed', { state: failed('crashed') }, ['(error)', '(start)', '(log)']],
    ['waiting', { state: { ...failed('crashed'), kind: 'waiting', retryAt: 0 } }, ['(error)', '(retry)']],
    ['not trusted', { state: failed('needsTrust') }, ['(trust)']],
    ['not signed in', { state: failed('needsSignIn') }, ['(error)', '(signIn)', '(log)']],
    ['muted', { state: running, isMuted: true }, ['(muted)', '(empty)']],
    ['refused a part', { state: running, missingSignIn: 'unasked' }, ['(signIn)', '(empty)']],
    ['stale', { state: running, isStale: true }, ['(stale)', '(empty)']],
    ['silent', { state: running, isResponsive: false }, ['(silent)', '(empty)']],
    ['with problems', { state: running, problems: ['x'] }, ['(empty)', '(problems)']],
    [
      'with invalid schemas',
      { state: running, contents: { tools: [add] }, toolFaults: new Map([[add, 'x']]) },
      ['(schemas)', 'tools', '  add'],
    ],
    ['noisy', { state: running, ignoredLines: 3 }, ['(empty)', '(stdout)']],
    ['noisy before it stopped', { ignoredLines: 3 }, ['(start)']],
    ['seen before', { isRemembered: true, contents: { tools: [add] } }, ['tools', '  add']],
  ])('says why: %s', (_, sample, expected) => {
    const [, ...lines] = outline(treeOf(sampleServer('a', sample)));
    expect(lines.map((line) => line.slice(2))).toEqual(expected);
  });

  it.each<[NonNullable<Sample['state']>, readonly string[]]>([
    [failed('crashed'), ['Start', 'Show Log']],
    [{ ...failed('crashed'), kind: 'waiting', retryAt: 0 }, ['Restart Now']],
  ])('starts what does not run, and restarts what is about to run again: %j', (state, words) => {
    const host = sampleServer('a', { state });
    const { start, restart } = abilitiesOf(host);
    expect([start, restart]).toEqual([words.includes('Start'), words.includes('Restart Now')]);
    const [, ...rows] = treeOf(host).children(rowAt(treeOf(host), 0));
    expect(rows.map((row) => 'text' in row && row.text)).toEqual(words);
  });

  it('explains Restricted Mode and still shows what was seen', () => {
    const seen = sampleServer('a', { isRemembered: true, contents: { tools: [add] } });
    const tree = treeWith({ canStart: () => false }, seen);
    expect(outline(tree)).toEqual(['a', '  (restricted)', '  tools', '    add']);
  });

  it('puts configuration problems first', () => {
    const rootsWith = (counts: Readonly<Record<ProblemPlace, number>>) =>
      treeWith({ problemCount: (place) => counts[place] }, demo)
        .roots()
        .slice(0, -1);
    expect(rootsWith({ files: 0, settings: 0 })).toEqual([]);
    expect(rootsWith({ files: 2, settings: 0 })).toEqual([{ kind: 'problems', place: 'files' }]);
    const both = rootsWith({ files: 2, settings: 1 });
    expect(both).toEqual(['files', 'settings'].map((place) => ({ kind: 'problems', place })));
    expect(new Set(both.map((node) => rowId(node, false))).size).toBe(2);
  });

  it.each([
    ['The server could not be started: "a" was not found. Install it.', '"a" was not found. Install it.', undefined],
    [
      'The server stopped unexpectedly (exit code 1). It said:',
      "Error: Cannot find module 'x'",
      "node:internal/modules/cjs/loader:1\n  throw err;\nError: Cannot find module 'x'\n    at a (b.js:1:2)\n\nNode.js v24",
    ],
    ['The server stopped unexpectedly (exit code 3).', 'Exit code 3', undefined],
    ['The server took too long.', 'The server took too long.', ''],
  ])('begins the row of a failure with what is behind it, and keeps all of it: %s', (message, text, detail = text) => {
    const error = new PatchbayError('crashed', message, { detail });
    const tree = treeOf(sampleServer('a', { state: { kind: 'failed', error } }));
    expect(rowAt(tree, 0, 0)).toMatchObject({ note: 'error', text, detail: message });
  });

  it('hands out the same objects again, so that VS Code can refresh them', () => {
    const tree = treeOf(demo);
    const [server, group] = [rowAt(tree, 0), rowAt(tree, 0, 0)];
    expect(tree.roots()[0]).toBe(server);
    expect(tree.serverNode('demo')).toBe(server);
    expect(tree.children(server)[0]).toBe(group);
    expect(tree.children(group)).toBe(tree.children(group));
  });

  it('looks at the items of a long list when their group is opened, not before, and once', () => {
    let looks = 0;
    const tools = Array.from({ length: 10_000 }, (_, index) => ({
      inputSchema: {},
      get name() {
        looks += 1;
        return `tool ${index}`;
      },
    }));
    const tree = treeOf(sampleServer('demo', { state: running, session, contents: { tools } }));
    const group = rowAt(tree, 0, 0);
    expect([group.kind, tree.countAll(), looks]).toEqual(['group', 10_000, 0]);
    for (let reading = 0; reading < 3; reading += 1) expect(tree.children(group)).toHaveLength(10_000);
    const looksToMakeRows = looks;
    expect(looksToMakeRows).toBeLessThanOrEqual(2 * tools.length);
    tree.setFilter('tool');
    for (let reading = 0; reading < 3; reading += 1) expect(tree.roots()).toHaveLength(1);
    expect([tree.countAll(), looks - looksToMakeRows]).toEqual([10_000, tools.length]);
  });

  it('gives every row its parent and an id of its own, also where a server lists a name twice', () => {
    const twice = sampleServer('demo', { state: running, contents: { tools: [add, add], prompts: [{ name: 'add' }] } });
    const tree = treeOf(twice, sampleServer('demo/tools'));
    const nodes = tree.roots().flatMap(function all(node): ServersNode[] {
      const children = tree.children(node);
      for (const child of children) expect(tree.parent(child)).toBe(node);
      return [node, ...children.flatMap(all)];
    });
    const ids = nodes.map((node) => rowId(node, false));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('filter', () => {
  it.each(['ADD', 'numbers', 'adds numb'])('finds by name, title and description: %s', (query) => {
    const tree = treeOf(demo, sampleServer('other'));
    tree.setFilter(query);
    expect(outline(tree)).toEqual(['demo', '  tools', '    add']);
  });

  it('finds by URI and tells how many match', () => {
    const tree = treeOf(demo);
    tree.setFilter(' demo:// ');
    expect(outline(tree)).toEqual(['demo', '  resources', '    readme']);
    expect(describeFilter(tree)).toBe('Filtered by “demo://”: 1 match');
  });

  it('shows everything again when cleared', () => {
    const tree = treeOf(demo);
    const before = outline(tree);
    tree.setFilter('nothing like it');
    expect(outline(tree)).toEqual([]);
    tree.setFilter('');
    expect(outline(tree)).toEqual(before);
  });
});

function failed(code: 'crashed' | 'needsSignIn' | 'needsTrust') {
  return { kind: 'failed', error: new PatchbayError(code, 'It did not work.') } as const;
}

describe('a list of too much', () => {
  const tools = Array.from({ length: 20_005 }, (_, index) => ({ name: `tool ${index}`, inputSchema: {} }));
  const tree = treeOf(sampleServer('much', { state: running, contents: { tools, prompts: [{ name: 'p' }] } }));

  it('ends with a way to the rest', () => {
    const group = rowAt(tree, 0, 0);
    const rows = tree.children(group);
    expect(rows).toHaveLength(20_001);
    const more = rows.at(-1);
    expect(more).toMatchObject({
      note: 'more',
      text: '… 5 more. Filter to see them',
      command: 'patchbay.filterServers',
    });
    expect(more && tree.parent(more)).toBe(group);
    expect(new Set(rows.map((row) => rowId(row, false))).size).toBe(rows.length);
  });
});

describe('names that look alike', () => {
  it('are marked in their list, and so are equal ones [tool-names]', () => {
    const names = ['read_file', 'reаd_file', 'write_file'];
    const tools = [
      ...names.map((name) => ({ name, inputSchema: {} })),
      ...['twice', 'twice'].map((name) => ({ name, inputSchema: {} })),
      ...['send_to_me', 'send_to_them'].map((name) => ({ name, title: 'Send', inputSchema: {} })),
    ];
    const tree = treeOf(sampleServer('files', { state: running, contents: { tools } }));
    const items = tree.children(rowAt(tree, 0, 0));
    expect(items.map((item) => (isItemNode(item) ? tree.lookAlike(item) : 'no item'))).toEqual([
      undefined,
      'looks like “read_file”, has Cyrillic letters',
      undefined,
      'one of several with this name',
      'one of several with this name',
      'named “send_to_me”',
      'named “send_to_them”',
    ]);
  });
});
