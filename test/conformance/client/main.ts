// The client that the official conformance suite drives: node dist/test/conformanceClient.mjs [--revision=DATE] URL
// A host without an editor, configured and used as a person would configure and use it.
import { parseArgs } from 'node:util';
import { messageOf } from '../../../src/base/errors.ts';
import type { ServerOptions } from '../../../src/config/serverDefinition.ts';
import { createHeadlessHost } from '../../../src/headless.ts';
import { findClicks } from './clicks.ts';
import { readConfiguration } from './configuration.ts';

/** @throws when the server cannot be used in the way the scenario is about */
async function run(url: string, scenario: string, context: string | undefined, options: ServerOptions): Promise<void> {
  const click = findClicks(scenario);
  const { definition, toolCalls } = await readConfiguration(url, scenario, context);
  const host = createHeadlessHost({
    servers: { it: { ...definition, patchbay: { ...definition.patchbay, ...options } } },
    onElicitation: () => Promise.resolve({ action: 'accept' }),
    onSampling: () => Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'none' }),
    openAuthorizationUrl: browse,
    onUnusualSignIn: () => Promise.resolve(true),
    onLog: ({ level, message }) => console.error(`${level}: ${message}`),
  });
  try {
    const server = host.getServer('it');
    if (server === undefined) throw new Error('The host has no server.');
    await server.start();
    await click(server, toolCalls);
  } finally {
    await host.dispose();
  }
}

/** The suite's browser: its person agrees to everything at once. */
async function browse(url: URL): Promise<URL> {
  const { headers } = await fetch(url, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '', url);
}

try {
  const { values, positionals } = parseArgs({ options: { revision: { type: 'string' } }, allowPositionals: true });
  await run(
    positionals[0] ?? '',
    process.env['MCP_CONFORMANCE_SCENARIO'] ?? '',
    process.env['MCP_CONFORMANCE_CONTEXT'],
    values,
  );
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
