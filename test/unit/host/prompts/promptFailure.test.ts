import { expect, it, vi } from 'vitest';
import { createSystemClock } from '../../../../src/base/clock.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { CommandIds } from '../../../../src/host/commandIds.ts';
import { showError } from '../../../../src/host/platform/showError.ts';
import { createPromptFeature } from '../../../../src/host/prompts/promptFeature.ts';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';
import type { Prompt } from '../../../../src/protocol/mcp/prompts.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { running, sampleRegistry, sampleServer } from '../sampleServer.ts';

const showLog = { title: 'Show Log', command: 'patchbay.showLog' };

function setUp(prompt: Prompt) {
  const host = sampleServer('demo', { state: running, contents: { prompts: [prompt] } });
  const getPrompt = vi.fn<(name: string, values: unknown) => Promise<unknown>>();
  getPrompt.mockRejectedValue(new JsonRpcError(-32_603, 'No such city'));
  Object.assign(host.server, { preflight: async () => {}, getPrompt, complete: async () => ({ values: [] }) });
  const show = vi.fn();
  const feature = createPromptFeature({
    registry: sampleRegistry(host),
    storage: { get: () => undefined, update: async () => {} },
    clock: createSystemClock(),
    logger: createNullLogger(),
    show,
    askModel: async () => {},
  });
  /** Runs the prompt as its row does. */
  const run = async (): Promise<unknown> =>
    feature[CommandIds.runPrompt]({ server: 'demo', prompt: prompt.name }).catch((error: unknown) =>
      showError(error, [showLog]),
    );
  return { run, getPrompt, show };
}

/** Takes what the input has when its title names the argument. @returns what it had at first */
async function accept(label: string, typed?: string): Promise<string> {
  await vi.waitFor(() => expect(editor.input.title).toContain(`: ${label} (`));
  const { value } = editor.input;
  if (typed !== undefined) editor.input.type(typed);
  editor.input.selectedItems = editor.input.activeItems;
  editor.input.do('accept');
  return value;
}

const travel = { name: 'trip', title: 'Plan a Trip', arguments: [{ name: 'city', required: true }, { name: 'days' }] };

it('names a prompt that fails and its server, and asks for its arguments again, with what was typed', async () => {
  const { run, getPrompt, show } = setUp(travel);
  const done = run();
  await accept('city', 'Atlantis');
  await accept('days', '3');
  await done;
  expect(editor.said).toEqual([
    'The prompt “Plan a Trip” of “demo” failed. The server answered with an error: No such city. (code -32603)',
  ]);
  expect(editor.questions[0]?.buttons).toMatchObject([{ title: 'Edit Arguments…' }, { title: 'Show Log' }]);
  // Nothing happens by itself.
  expect(getPrompt).toHaveBeenCalledTimes(1);

  editor.answers = [({ buttons }: { readonly buttons: readonly unknown[] }) => buttons[0]];
  const failed = run();
  await accept('city', 'Atlantis');
  await accept('days', '3');
  await failed;
  getPrompt.mockResolvedValue({ messages: [] });
  expect(await accept('city', 'Lisbon')).toBe('Atlantis');
  expect(await accept('days')).toBe('3');
  await vi.waitFor(() => expect(show).toHaveBeenCalledTimes(1));
  expect(getPrompt.mock.lastCall?.slice(0, 2)).toEqual(['trip', { city: 'Lisbon', days: '3' }]);
});

it('offers nothing to edit where the prompt takes nothing', async () => {
  const { run } = setUp({ name: 'plain' });
  await run();
  expect(editor.said[0]).toMatch(/^The prompt “plain” of “demo” failed\. /);
  expect(editor.questions[0]?.buttons).toEqual([showLog]);
});
