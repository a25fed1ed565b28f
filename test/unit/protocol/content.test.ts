import { expect, it } from 'vitest';
import { readCompletion } from '../../../src/protocol/mcp/completion.ts';
import { readContentBlock } from '../../../src/protocol/mcp/content.ts';

it.each([
  { type: 'resource_link', uri: 'a:b' },
  { type: 'resource_link', uri: 'a:b', name: 7 },
  { type: 'resource_link', uri: 'a:b', name: 'n', mimeType: {} },
  { type: 'resource', resource: { uri: 'a:b', text: 't', mimeType: 7 } },
  { type: 'text' },
  { type: 'hologram' },
])('content that is not what its type says is kept as it came: %j [content-unknown]', (original) => {
  expect(readContentBlock(original)).toEqual({ type: 'unknown', original });
});

it('a flood of completions is cut [completion-bounds]', () => {
  const values = Array.from({ length: 100_000 }, String);
  expect(readCompletion({ completion: { values } }).values).toEqual(values.slice(0, 1_000));
});
