import { PassThrough, type Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { servePipe } from '../../../src/cli/servePipe.ts';
import { ScriptedTransport } from '../../fixtures/scriptedTransport.ts';

it('ends a session whose client reads less than the server sends, and the server with it', async () => {
  const transport = new ScriptedTransport();
  const written: string[] = [];
  const output = { writableLength: 0, write: (text: string) => void written.push(text) };
  const pipe = { input: new PassThrough(), output: output as unknown as Writable, note: () => {} };
  const served = servePipe(transport, transport, pipe, new AbortController().signal);
  const message = { jsonrpc: '2.0', method: 'notifications/message' } as const;
  transport.received.fire(message);
  output.writableLength = 300 * 1024 * 1024;
  transport.received.fire(message);
  await expect(served).rejects.toThrow('more than the client reads');
  expect(written).toHaveLength(1);
  expect(transport.isDisposed).toBe(true);
});
