import { Uri } from 'vscode';
import { expect, it, onTestFinished } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { TrafficLog } from '../../../../src/client/trace/trafficLog.ts';
import { createCompatibilityPages } from '../../../../src/host/diagnosis/compatibilityPages.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { readToolsPage } from '../../../../src/protocol/mcp/tools.ts';
import type { FactsToPanel, FactsView } from '../../../../src/shared/factsMessages.ts';
import { followSecrets } from '../../../../src/client/trace/tappedChannel.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { running, sampleRegistry, sampleServer, session } from '../sampleServer.ts';

const { items: tools } = readToolsPage({
  tools: [
    { name: 'a.\u202Eb', description: 'Does a.', inputSchema: { type: 'object' } },
    {
      name: 'long',
      description: 'Does it well. '.repeat(50),
      inputSchema: { type: 'object' },
      title: 'Not for a model',
    },
  ],
});

function shown(): FactsView {
  const panel = editor.panels.at(-1);
  panel?.said.fire({ type: 'ready' });
  const message = panel?.posted.at(-1) as FactsToPanel;
  return message.view;
}

function open() {
  const clock = createManualClock();
  const changed = new Emitter<HostServer>();
  const server = sampleServer('demo', { state: running, session, ignoredLines: 2, contents: { tools } });
  const registry = Object.assign(sampleRegistry(server, sampleServer('off')), { onDidChangeAny: changed.event });
  const traffic = new TrafficLog(clock);
  const pages = createCompatibilityPages(Uri.file('/extension'), registry, traffic, clock, createNullLogger());
  onTestFinished(() => pages.dispose());
  return { pages, clock, server, changed, traffic };
}

const titles = ({ sections }: FactsView) => sections.map(({ title, outcome }) => [outcome, title]);

it('the page says first what is refused, with its sources, and has the tokens of each tool', async () => {
  const { pages } = open();
  await pages.commands['patchbay.checkCompatibility']({ server: 'demo' });
  const view = shown();
  expect(view.summary).toMatchObject({ kind: 'error', text: expect.stringMatching(/^2 findings: a host refuses/) });
  expect(titles(view).slice(0, 2)).toEqual([
    ['problem', 'The name of a tool has other characters than letters, digits, “_” and “-”'],
    ['problem', 'Standard output has more than messages'],
  ]);
  const [list, sources] = view.sections[0]?.parts ?? [];
  expect(list).toMatchObject({ items: [expect.stringContaining('a.⟨U+202E⟩b')] });
  expect(sources).toMatchObject({
    facts: expect.arrayContaining([
      { name: 'openai/codex#8174 (source read on 2026-11-28)', text: expect.any(String), isLink: true },
    ]),
  });
  const tokens = view.sections.find(({ title }) => title === 'Tokens');
  expect(tokens?.parts[1]).toMatchObject({
    items: [expect.stringMatching(/^\d+: long$/), expect.stringMatching(/^\d+: a/)],
  });
  expect(
    titles(view)
      .slice(-2)
      .map(([outcome]) => outcome),
  ).toEqual(['fine', 'skipped']);
});

it('the page follows the list while it is open', async () => {
  const { pages, clock, server, changed } = open();
  await pages.commands['patchbay.checkCompatibility']({ server: 'demo' });
  shown();
  Object.assign(server.server, { contents: { ...server.server.contents, tools: [] } });
  changed.fire(server);
  await clock.advance(2_000);
  expect(titles(shown()).map(([, title]) => title)).not.toContain('Tokens');
});

it('the page judges what was seen, as soon as it was', async () => {
  const { pages, clock, traffic } = open();
  const plan = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: { TOKEN: 'opensesame' } } as const;
  const tap = traffic.tap({ label: 'demo', plan, redactor: followSecrets(plan, () => undefined) });
  tap.note('not a message: Ready with opensesame');
  await pages.commands['patchbay.checkCompatibility']({ server: 'demo' });
  expect(JSON.stringify(shown())).toContain('Lines that were not messages: 2. The first is “Ready with ••••••••”.');
  expect(titles(shown())).not.toContainEqual(['notice', 'A structured result has no text beside it']);
  tap.message('sent', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'long' } });
  tap.message('received', { jsonrpc: '2.0', id: 1, result: { content: [], structuredContent: { a: 1 } } });
  await clock.advance(2_000);
  expect(titles(shown())).toContainEqual(['notice', 'A structured result has no text beside it']);
});

it('what a model gets is the list without what stays with the host', async () => {
  const { pages } = open();
  await pages.commands['patchbay.showModelView']({ server: 'demo' });
  expect(editor.executed.at(-1)).toEqual([
    'patchbay.openWhole',
    {
      title: 'demo for a model',
      value: {
        tools: tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
      },
    },
  ]);
});

it.each(['patchbay.checkCompatibility', 'patchbay.showModelView'] as const)('%s starts nothing', async (command) => {
  const { pages } = open();
  await expect(pages.commands[command]({ server: 'off' })).rejects.toThrow('is not running');
});
