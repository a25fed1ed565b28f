import { describe, expect, it } from 'vitest';
import { argumentsDocument, callQuestion, describeToolHints } from '../../../../src/host/consent/callText.ts';
import type { Tool } from '../../../../src/protocol/mcp/tools.ts';
import { proposedCall } from '../../../fixtures/proposedCall.ts';

const tool: Tool = { name: 'remove', title: 'Tidy Up', inputSchema: { type: 'object' } };
const call = proposedCall('remove', { tool, args: { path: '/etc' } });

describe('the question before a call', () => {
  it('says who calls what, what the server says of it, and with which arguments', () => {
    const { message, detail } = callQuestion(call);
    expect(message).toBe('Call the tool “remove” (Tidy Up) of “demo”?');
    expect(detail).toContain('Another extension wants to call it.');
    expect(detail).toContain('The tool may delete or change data and contact other systems.');
    expect(detail).toContain('    {\n      "path": "/etc"\n    }');
    expect(detail).not.toContain('Always');
    expect(callQuestion({ ...call, caller: 'command' }).detail).toContain('“patchbay.callTool”');
    expect(callQuestion({ ...call, args: {} }).detail).toContain('Arguments: none');
  });

  it('says what nobody knows: which of several tools is meant, and whether the arguments fit', () => {
    const { detail } = callQuestion({ ...call, sameNameCount: 3, unchecked: 'the schema is too large' });
    expect(detail).toContain('The server lists 3 tools with this name and decides which one it calls');
    expect(detail).toContain('The arguments are not checked: the schema is too large.');
  });

  it('shows the beginning of long arguments, and all of them in the document', () => {
    const long = { ...call, args: { text: `${'a'.repeat(100_000)}END\u202e` } };
    const { detail } = callQuestion(long);
    expect(detail.length).toBeLessThan(1_500);
    expect(detail).toContain('Show Arguments shows all');
    const document = argumentsDocument(long.args);
    expect(document).toContain('aaaEND\\u202e"');
    expect(JSON.parse(document)).toEqual(long.args);
  });
});

describe('describeClaims', () => {
  it('takes a tool without hints for one that may do anything [tool-annotations]', () => {
    const hints = (annotations: Tool['annotations']): string =>
      describeToolHints({ ...tool, ...(annotations && { annotations }) });
    expect(hints(undefined)).toBe('The tool may delete or change data and contact other systems.');
    expect(hints({ readOnlyHint: true })).toBe('According to its server, the tool changes nothing.');
    expect(hints({ readOnlyHint: true, destructiveHint: true, idempotentHint: false })).toBe(
      'According to its server, the tool changes nothing.',
    );
    expect(hints({ destructiveHint: false, idempotentHint: true, openWorldHint: false })).toBe(
      'According to its server, the tool only adds data and is safe to repeat.',
    );
    expect(hints({ destructiveHint: false })).toBe(
      'According to its server, the tool only adds data. It may contact other systems.',
    );
    expect(hints({ idempotentHint: true, openWorldHint: false })).toBe(
      'The tool may delete or change data. According to its server, it is safe to repeat.',
    );
  });
});
