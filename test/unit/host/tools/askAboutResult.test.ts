import { expect, it, vi } from 'vitest';
import type { ModelSubject } from '../../../../src/host/invocation/modelQuestion.ts';
import type { ResultDocument } from '../../../../src/host/results/resultDocument.ts';
import { createAppPresenter } from '../../../../src/host/apps/presentApp.ts';
import { createToolRunner, type ToolRunnerOptions } from '../../../../src/host/tools/toolRunner.ts';
import type { CallToolResult, Tool } from '../../../../src/protocol/mcp/tools.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { running, sampleRegistry, sampleServer } from '../sampleServer.ts';

vi.mock('vscode', () => ({ workspace: { getConfiguration: () => ({ inspect: () => undefined }) } }));

it('offers to ask a model about the result of a tool, with a question that the person types', async () => {
  const tool: Tool = { name: 'add', title: 'Add Numbers', inputSchema: { type: 'object' } };
  const result: CallToolResult = {
    content: [{ type: 'text', text: 'The sum.' }],
    structuredContent: { sum: 3 },
    isError: false,
  };
  const host = sampleServer('demo', { state: running, contents: { tools: [tool] } });
  Object.assign(host.server, { preflight: async () => {}, callTool: async () => result });
  const asked: ModelSubject[] = [];
  const shown: ResultDocument[] = [];
  const run = createToolRunner({
    registry: sampleRegistry(host),
    clock: createManualClock(),
    picker: { markUsed: () => {} },
    show: (document: ResultDocument) => void shown.push(document),
    askModel: async (about: ModelSubject) => void asked.push(about),
    library: { keep: async () => undefined },
    apps: createAppPresenter(() => Promise.reject(new Error('No app'))),
  } as unknown as ToolRunnerOptions);
  await run({ target: { server: 'demo', name: 'add' }, caller: 'form', args: {} });
  await shown[0]?.actions.find(({ label }) => label === 'Ask a Model…')?.run();
  expect(asked).toEqual([
    {
      server: 'demo',
      title: 'Add Numbers',
      about: 'result of the tool add',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: '```json\n{\n  "sum": 3\n}\n```' },
            { type: 'text', text: 'The sum.' },
          ],
        },
      ],
      needsQuestion: true,
    },
  ]);
});
