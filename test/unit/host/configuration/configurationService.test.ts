import { beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from '../../../../src/base/logger.ts';
import { ConfigurationService } from '../../../../src/host/configuration/configurationService.ts';
import type { InputStore } from '../../../../src/host/configuration/inputStore.ts';
import { countWork } from '../../../fixtures/countWork.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { editor, Uri, workspace } from '../../../fixtures/vscode.ts';

/** Reads of the only file: each waits until the test releases it. */
const reads: ((text: string) => void)[] = [];
const file = Uri.file('/w/.vscode/mcp.json');
beforeEach(() => {
  reads.length = 0;
  editor.files.set(file.path, { size: 1 });
  const readFile = () =>
    new Promise((resolve) => {
      reads.push((text) => resolve(new TextEncoder().encode(text)));
    });
  Object.assign(workspace.fs, { readFile });
});
const save = (): void => editor.fire('onDidSaveTextDocument', { uri: file });

function createService(inputs = {} as InputStore, clock = createManualClock()) {
  return new ConfigurationService({
    demo: () => undefined,
    inputs,
    environment: async () => ({}),
    userHome: '/',
    clock,
    logger: createLogger(() => {}),
  });
}

async function refreshWith(service: ConfigurationService, text: string): Promise<void> {
  const before = reads.length;
  const done = service.refresh();
  await vi.waitUntil(() => reads.length > before);
  reads.at(-1)?.(text);
  await done;
}

it('compares each server with the one of its name alone', async () => {
  const service = createService();
  const entries = Array.from({ length: 1_000 }, (_, index) => `"s${index}": {"command": "x"}`);
  const text = (names: readonly string[]): string => `{"servers": {${names.join()}}}`;
  await refreshWith(service, text(entries));
  const first = service.snapshot.servers[0];
  const written = countWork(JSON, 'stringify', () => 1);
  await refreshWith(service, text(entries.toReversed()));
  expect(written()).toBeLessThan(5 * entries.length);
  expect(service.snapshot.servers).toHaveLength(1_000);
  expect(service.snapshot.servers.find(({ label }) => label === 's0')?.definition).toEqual(first?.definition);
  service.dispose();
});

it('has read what is there now when a refresh is done, even one that a newer one has overtaken', async () => {
  const service = createService();
  const first = service.refresh();
  const second = service.refresh();
  await vi.waitUntil(() => reads.length === 2);
  reads[0]?.('{"servers": {}}');
  const labels = first.then(() => service.snapshot.servers.map(({ label }) => label));
  await Promise.race([labels, new Promise((resolve) => setImmediate(resolve))]);
  reads[1]?.('{"servers": {"a": {"command": "x"}}}');
  expect(await labels).toEqual(['a']);
  await second;
  service.dispose();
});

it("looks inputs of the user's own sign-in options up in the user's inputs, whatever the workspace calls the same", async () => {
  const prompt = (id: string, description: string) => ({ type: 'promptString', id, description });
  editor.settings['inputs'] = [prompt('secret', 'Of the user')];
  editor.settings['serverOptions'] = {
    notes: { for: 'https://api.example', auth: { clientId: 'me', clientSecret: '${input:secret}' } },
    other: { auth: { clientId: '${input:missing}' } },
  };
  const resolve = vi.fn<InputStore['resolve']>(async (source) => ({
    value: source.kind,
    isSecret: false,
    isSaved: true,
  }));
  const service = createService({ resolve } as Partial<InputStore> as InputStore);
  const url = 'https://api.example/${input:secret}';
  const headers = { 'X-Own': '${input:secret}' };
  const inputs = [prompt('secret', 'Of the workspace'), prompt('missing', 'Of the workspace')];
  await refreshWith(service, JSON.stringify({ inputs, servers: { notes: { url, headers }, other: { url } } }));
  const [notes, other] = service.snapshot.servers;
  if (notes === undefined || other === undefined) throw new Error('no servers');
  const { plan } = await service.resolve(notes, () => 'person', new AbortController().signal);
  expect(plan).toMatchObject({ headers: { 'X-Own': 'vscode' }, auth: { clientSecret: 'user' } });
  const asked = resolve.mock.calls.map(([source, input]) => [source.kind, 'description' in input && input.description]);
  expect(asked).toEqual([
    ['vscode', 'Of the workspace'],
    ['user', 'Of the user'],
  ]);
  await expect(service.resolve(other, () => 'person', new AbortController().signal)).rejects.toThrow(
    'the input "missing" is not defined in your setting "patchbay.inputs"',
  );
  service.dispose();
});

it('reads a saved file at once, and one that is saved again and again once more', async () => {
  const clock = createManualClock();
  const service = createService(undefined, clock);
  save();
  await vi.waitUntil(() => reads.length === 1);
  for (let saves = 0; saves < 50; saves += 1) {
    save();
    await clock.advance(10);
  }
  expect(reads).toHaveLength(1);
  await clock.advance(100);
  await vi.waitUntil(() => reads.length === 2);
  await clock.advance(1_000);
  expect(reads).toHaveLength(2);
  service.dispose();
});

it('follows the files outside of folders, and those of folders that are added', async () => {
  editor.workspaceFile = Uri.file('/all/my.code-workspace');
  const clock = createManualClock();
  const service = createService(undefined, clock);
  await clock.advance(0);
  expect(editor.watched).toHaveLength(4);
  editor.folders = [...(editor.folders ?? []), { name: 'v', uri: Uri.file('/v') }];
  editor.fire('onDidChangeWorkspaceFolders');
  expect(editor.watched).toHaveLength(4 + 5);
  service.dispose();
});
