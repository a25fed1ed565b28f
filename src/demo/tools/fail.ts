import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import { type DemoTool, errorOutcome } from './tool.ts';

const how = {
  type: 'string',
  title: 'How to fail',
  description: 'A tool error is an answer a model can read; a protocol error is no answer at all.',
  enum: ['tool error', 'protocol error'],
  default: 'tool error',
} as const;

/** Shows the two kinds of errors. */
export function createFailTool(): DemoTool {
  return {
    definition: {
      name: 'fail',
      title: 'Fail',
      description: 'Always fails, in one of the two ways a tool can.',
      inputSchema: { type: 'object', properties: { how } },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    run(input) {
      if (input.choice('how', how) === 'tool error') return errorOutcome('This tool failed, as it was asked to.');
      const text = 'This call failed at the level of the protocol, as it was asked to.';
      throw new JsonRpcError(ErrorCodes.internalError, text, { tool: 'fail' });
    },
  };
}
