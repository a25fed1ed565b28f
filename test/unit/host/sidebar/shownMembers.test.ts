import { beforeEach, describe, expect, it } from 'vitest';
import type { UnknownRecord } from '../../../../src/base/json.ts';
import { createPng } from '../../../fixtures/png.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { itemDetails, serverDetails } from '../../../../src/host/sidebar/detailsView.ts';
import { factsText } from '../../../../src/shared/factsMessages.ts';
import { ItemMarks } from '../../../../src/host/definitions/itemMarks.ts';
import type { ItemNode, ServersNode } from '../../../../src/host/servers/serverNodes.ts';
import { itemImage } from '../../../../src/host/icons/itemImage.ts';
import type { ServerIcons } from '../../../../src/host/icons/serverIcons.ts';
import { tooltipOf } from '../../../../src/host/sidebar/tooltips.ts';
import { toToolView } from '../../../../src/host/tools/toolView.ts';
import { offeredMembers, type Row, rowsIn, shownMembers } from '../../../fixtures/shownMembers.ts';
import { running, sampleRegistry, sampleServer, sampleTask, session } from '../sampleServer.ts';

type Subject = { readonly host: HostServer; readonly node: ServersNode };

const onServer = (live: Partial<typeof session>): Subject => ({
  host: sampleServer('demo', { state: running, session: { ...session, ...live } }),
  node: { kind: 'server', server: 'demo' },
});

function onItem(node: UnknownRecord, item: UnknownRecord): Subject {
  const shown = { server: 'demo', occurrence: 0, ...node, item: { name: 'n', ...item } } as unknown as ItemNode;
  return { host: sampleServer('demo', { state: running, session }), node: shown };
}

const onTool = (item: UnknownRecord): Subject =>
  onItem({ kind: 'tool', tool: 'n' }, { inputSchema: { type: 'object' }, ...item });
const onResource = (item: UnknownRecord): Subject => onItem({ kind: 'resource', uri: 'x:y' }, { uri: 'x:y', ...item });
const onPrompt = (item: UnknownRecord): Subject => onItem({ kind: 'prompt', prompt: 'n' }, item);

/** For each type a value that contains it, with `member` as its only optional member. */
const subjects: Readonly<Record<string, (member: UnknownRecord) => Subject>> = {
  Implementation: (member) => onServer({ server: { name: 'n', version: '1', ...member } }),
  InitializeResult: (member) => onServer(member),
  ServerCapabilities: (member) => onServer({ capabilities: member }),
  Icon: (member) => onTool({ icons: [{ src: 'https://example.com/i', ...member }] }),
  Tool: onTool,
  ToolAnnotations: (member) => onTool({ title: 'First', annotations: member }),
  ToolExecution: (member) => onTool({ execution: member }),
  Resource: onResource,
  ResourceTemplate: (member) => onItem({ kind: 'template', uriTemplate: 'x:{y}' }, { uriTemplate: 'x:{y}', ...member }),
  Annotations: (member) => onResource({ annotations: member }),
  Prompt: onPrompt,
  PromptArgument: (member) => onPrompt({ arguments: [{ name: 'a', ...member }] }),
  Task: ({ statusMessage }) => {
    const item = sampleTask({ message: String(statusMessage) });
    const node = { kind: 'task', server: 'demo', task: item.id, item, title: 'n' } as const;
    return { host: sampleServer('demo', { state: running, session }), node };
  },
};

function subjectOf({ type, member, shown }: Row): Subject {
  const subject = subjects[type] ?? expect.unreachable(`nothing here holds a ${type}`);
  return subject({ [member]: shown.value });
}

function details({ host, node }: Subject): { readonly text: string; readonly definition: string } {
  const whole = factsText(node.kind === 'server' ? serverDetails(host) : itemDetails(node as ItemNode));
  const [text = '', definition = ''] = whole.split('\nAs the server lists it\n');
  return { text, definition };
}

function hover({ host, node }: Subject): string {
  const icons: Pick<ServerIcons, 'of'> = { of: (_server, listed) => itemImage(listed) };
  const tooltip = tooltipOf(node, sampleRegistry(host), new ItemMarks(), icons) as unknown as {
    readonly value: string;
  };
  return tooltip.value
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/_([^_]+:)_/g, '$1');
}

function expectShown(text: string, { shown }: Row): void {
  if (typeof shown.shows === 'string') expect(text).toContain(shown.shows);
  else expect(text).toMatch(shown.shows);
}

describe('what a server offers', () => {
  beforeEach(() => expect.hasAssertions());

  it('has a place for every optional member of the specification, or a reason [offered-members]', () => {
    const listed = Object.entries(shownMembers).map(([type, members]) => [type, Object.keys(members).toSorted()]);
    const offered = [...offeredMembers()].map(([type, members]) => [type, [...members].toSorted()]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(offered));
  });

  it.each(rowsIn('details'))('shows $member of $type in the details', (row) => {
    expectShown(details(subjectOf(row)).text, row);
  });

  it.each(rowsIn('definition'))('shows $member of $type in the definition', (row) => {
    expectShown(details(subjectOf(row)).definition, row);
  });

  it.each(rowsIn('hover'))('shows $member of $type in the hover', (row) => {
    expectShown(hover(subjectOf(row)), row);
  });
});

describe('what a tool claims', () => {
  const hints = { destructiveHint: true, idempotentHint: false, openWorldHint: false };

  it.each([
    [true, 'only reads data, contacts no other systems', ['eye', 'home']],
    [
      false,
      'may change data, may delete or overwrite data, each call has an effect, contacts no other systems',
      ['edit', 'warning', 'sync-ignored', 'home'],
    ],
  ])('has no word of changes where it only reads (%s)', (readOnlyHint, words, icons) => {
    const annotations = { readOnlyHint, ...hints };
    const subject = onTool({ annotations });
    expect(details(subject).text).toContain(`According to its server: ${words}\n`);
    expect(hover(subject)).toContain(`According to its server: ${words}`);
    const tool = { name: 'n', inputSchema: {}, annotations };
    const { claims } = toToolView({ server: 'demo', name: 'n' }, tool, { state: 'running', notices: [] });
    expect(claims.map(({ icon }) => icon)).toEqual(icons);
  });
});

describe('the hover of a server', () => {
  it('says that there are instructions, and how to open them, without their text', () => {
    const text = hover(onServer({ instructions: 'Call **nothing** before noon.' }));
    expect(text).toContain('Instructions: 29 characters; Show Instructions opens them');
    expect(text).not.toContain('noon');
  });

  it('has its picture, and none that is not at hand', () => {
    const named = { name: 'n', version: '1' };
    const icons = [{ src: `data:image/png;base64,${createPng(7)}` }];
    expect(hover(onServer({ server: { ...named, icons } }))).toMatch(/^!\[\]\(data:image\/png;base64,/);
    expect(hover(onServer({ server: { ...named, icons: [{ src: 'https://example.com/i.png' }] } }))).not.toContain(
      '![',
    );
  });
});

describe('the hover of a tool', () => {
  it('lists the arguments with title, description and what is required, as many as can be read', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`p${index}`, { type: 'string', title: 'T', description: '**D**' }]),
    );
    const text = hover(onTool({ inputSchema: { type: 'object', properties, required: ['p0'] } }));
    expect(text).toContain('- p0 (string, required) · T · **D**');
    expect(text).toContain('- p11 (string) · T · **D**');
    expect(text).not.toContain('p12');
    expect(text).toContain('… 18 more');
  });
});
