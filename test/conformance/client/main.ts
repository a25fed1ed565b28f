// The client that the official conformance suite drives: node dist/test/conformanceClient.mjs URL
// A host without an editor, configured and used as a user would.
import { messageOf } from '../../../src/base/errors.ts';
import { createHeadlessHost } from '../../../src/headless.ts';
import { findUserActions } from './userActions.ts';
import { readConfiguration } from './configuration.ts';

/** @throws when the server cannot be used as the scenario requires */
async function run(url: string, scenario: string, context: string | undefined): Promise<void> {
  const act = findUserActions(scenario);
  const { definition, toolCalls } = await readConfiguration(url, scenario, context);
  const host = createHeadlessHost({
    servers: { it: definition },
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
    await act(server, toolCalls);
  } finally {
    await host.dispose();
  }
}

/** The suite's browser: its user agrees to everything immediately. */
async function browse(url: URL): Promise<URL> {
  const { headers } = await fetch(url, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '', url);
}

try {
  await run(
    process.argv.at(-1) ?? '',
    process.env['MCP_CONFORMANCE_SCENARIO'] ?? '',
    process.env['MCP_CONFORMANCE_CONTEXT'],
  );
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
