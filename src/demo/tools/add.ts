import { type DemoTool, structuredOutcome } from './tool.ts';

const first = { type: 'number', title: 'First number', description: 'The number to add to.' } as const;
const second = { type: 'number', title: 'Second number', description: 'The number to add.' } as const;

/** Shows structured content. */
export function createAddTool(): DemoTool {
  return {
    definition: {
      name: 'add',
      title: 'Add Two Numbers',
      description: 'Adds two numbers and answers with structured content.',
      inputSchema: { type: 'object', properties: { a: first, b: second }, required: ['a', 'b'] },
      outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    run(input) {
      const a = input.number('a', first);
      const b = input.number('b', second);
      const sum = a + b;
      return structuredOutcome(`${a} + ${b} = ${sum}`, { sum });
    },
  };
}
