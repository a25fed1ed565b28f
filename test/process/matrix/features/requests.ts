import { expect, vi } from 'vitest';
import { type Bench, type Feature, receivedFor, textOf } from '../feature.ts';

/** Requests of servers: JSON-RPC requests in the older revisions, rounds of `input_required` since 2026-07-28. */
export const requestFeatures: readonly Feature[] = [
  {
    name: 'roots',
    shows: ['roots-answer'],
    async run({ server, host }) {
      host.setRoots([{ uri: 'file:///work', name: 'work' }]);
      expect(await ask(server, 'ask_roots')).toEqual({ roots: [{ uri: 'file:///work', name: 'work' }] });
    },
  },
  {
    name: 'changed roots',
    shows: ['roots-changed'],
    until: '2025-11-25',
    async run(bench) {
      const before = receivedFor(bench, 'notifications/roots/list_changed').length;
      bench.host.setRoots([{ uri: 'file:///elsewhere' }]);
      await vi.waitFor(() =>
        expect(receivedFor(bench, 'notifications/roots/list_changed').length).toBeGreaterThan(before),
      );
    },
  },
  {
    name: 'sampling',
    shows: ['sampling-answer'],
    async run({ server, answers }) {
      const onSampling = vi.spyOn(answers, 'onSampling');
      expect(await ask(server, 'ask_model')).toEqual({
        role: 'assistant',
        content: expect.toSatisfy((content: unknown) => [content].flat().length === 1),
        model: 'a model',
        stopReason: 'endTurn',
      });
      expect(onSampling.mock.lastCall?.[0]).toMatchObject({ systemPrompt: 'Be brief.', maxTokens: 10 });
    },
  },
  {
    name: 'sampling with tools',
    shows: ['sampling-tools'],
    since: '2025-11-25',
    async run({ server, answers }) {
      const onSampling = vi.spyOn(answers, 'onSampling').mockResolvedValueOnce({
        role: 'assistant',
        content: [{ type: 'tool_use', id: '1', name: 'look_up', input: { word: 'yes' } }],
        model: 'a model',
        stopReason: 'toolUse',
      });
      expect(await ask(server, 'ask_model_with_tools')).toMatchObject({ stopReason: 'toolUse' });
      expect(onSampling.mock.lastCall?.[0]).toMatchObject({
        tools: [{ name: 'look_up' }],
        toolChoice: { mode: 'auto' },
      });
    },
  },
  {
    name: 'elicitation: form',
    shows: ['elicit-actions', 'elicit-form'],
    since: '2025-06-18',
    async run({ server, answers }) {
      const onElicitation = vi.spyOn(answers, 'onElicitation');
      expect(await ask(server, 'ask_form')).toEqual({ action: 'accept', content: { name: 'Ada' } });
      expect(onElicitation.mock.lastCall?.[0]).toMatchObject({ mode: 'form', message: 'Who are you?' });
      onElicitation.mockResolvedValueOnce({ action: 'decline' });
      expect(await ask(server, 'ask_form')).toEqual({ action: 'decline' });
      onElicitation.mockResolvedValueOnce({ action: 'cancel' });
      expect(await ask(server, 'ask_form')).toEqual({ action: 'cancel' });
    },
  },
  {
    name: 'elicitation: URL',
    shows: ['elicit-url'],
    since: '2025-11-25',
    async run({ server, answers }) {
      const onElicitation = vi.spyOn(answers, 'onElicitation').mockResolvedValueOnce({ action: 'accept' });
      expect(await ask(server, 'ask_url')).toEqual({ action: 'accept' });
      expect(onElicitation.mock.lastCall?.[0]).toMatchObject({ mode: 'url', url: 'https://example.com/sign-in' });
    },
  },
  {
    name: 'two questions in turn',
    shows: ['elicit-form'],
    since: '2025-06-18',
    async run({ server, answers }) {
      const onElicitation = vi.spyOn(answers, 'onElicitation');
      for (const name of ['Ada', 'Grace']) onElicitation.mockResolvedValueOnce({ action: 'accept', content: { name } });
      expect(await ask(server, 'ask_in_turn')).toEqual(['Ada', 'Grace']);
      expect(onElicitation.mock.lastCall?.[0]).toMatchObject({ message: 'And after Ada?' });
    },
  },
  {
    name: 'prompt that asks',
    shows: ['elicit-form'],
    since: '2025-06-18',
    async run({ server }) {
      const { messages } = await server.getPrompt('asking');
      expect(messages).toMatchObject([{ content: { text: 'Greet Ada.' } }]);
    },
  },
  {
    name: 'request state',
    shows: ['rounds-state', 'rounds-retry', 'rounds-new-id', 'rounds-unrelated'],
    since: '2026-07-28',
    async run(bench) {
      const before = bench.partner.received().length;
      expect(await ask(bench.server, 'ask_in_turn')).toEqual(['Ada', 'Ada']);
      const rounds = bench.partner.received().slice(before);
      expect(rounds.map(({ params }) => params)).toMatchObject([
        { name: 'ask_in_turn' },
        { name: 'ask_in_turn', inputResponses: { first: { action: 'accept' } } },
        { name: 'ask_in_turn', inputResponses: { second: { action: 'accept' } }, requestState: expect.any(String) },
      ]);
      expect(rounds[1]?.['params']).not.toHaveProperty('requestState');
      await bench.server.callTool('echo', { text: 'unrelated' });
      const unrelated = bench.partner.received().at(-1)?.['params'];
      expect(unrelated).not.toHaveProperty('requestState');
      expect(unrelated).not.toHaveProperty('inputResponses');
    },
  },
];

async function ask(server: Bench['server'], tool: string): Promise<unknown> {
  return JSON.parse(textOf(await server.callTool(tool)));
}
