import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { commands, window } from 'vscode';
import type { ServerHandle } from '../../src/host/api.ts';
import { CommandIds } from '../../src/host/commandIds.ts';
import { freePort } from '../fixtures/network.ts';
import { createTestSocket } from '../fixtures/testSocket.ts';
import { askUntil, namesOf, removeServers, startServer, textOf, writeServers } from './patchbay.ts';
import { closeEditors } from './window.ts';

const repository = process.env['PATCHBAY_REPO'] ?? '';
const everything = join(repository, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const partner = join(repository, 'test/fixtures/servers/partnerServer.mjs');
const raw = join(repository, 'test/fixtures/servers/rawServer.mjs');

const programs: ChildProcess[] = [];

/** Runs a server program. @returns the first match in its output */
function run(args: readonly string[], pattern: RegExp, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const program = spawn('node', [...args], { env: { ...process.env, ...env } });
  programs.push(program);
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const match = pattern.exec(printed);
      if (match !== null) resolve(match[0]);
    };
    program.stdout.on('data', read);
    program.stderr.on('data', read);
    program.once('exit', () => reject(new Error(`${args.join(' ')} ended too early: ${printed}`)));
  });
}

async function runEverything(transport: 'streamableHttp' | 'sse', path: string): Promise<string> {
  const port = await freePort();
  await run([everything, transport], /port \d+\s/, { PORT: String(port) });
  return `http://127.0.0.1:${port}${path}`;
}

/** A flag of `partnerServer.mjs`: a socket that nobody uses yet. */
function socketFlag(): string {
  return `--socket=${createTestSocket().path}`;
}

/** Definitions with the address of a server only, without transport and revision. */
async function definitions(): Promise<Record<string, object>> {
  const partnerUrl = (...flags: readonly string[]): Promise<string> =>
    run([partner, ...flags], /^(?:http|unix|pipe):\S+(?=\s)/m);
  return {
    'everything-http': { url: await runEverything('streamableHttp', '/mcp') },
    'everything-sse': { url: await runEverything('sse', '/sse') },
    'modern-stdio': { command: 'node', args: [partner, '--sdk=2', '--revision=2026-07-28'] },
    'modern-http': { url: await partnerUrl('--sdk=2', '--transport=http', '--revision=2026-07-28') },
    'modern-socket': { url: await partnerUrl('--sdk=2', '--transport=http', '--revision=2026-07-28', socketFlag()) },
    'modern-strict': { command: 'node', args: [raw, '--revision=2026-07-28', '--stranger=exit'] },
    'old-strict': { command: 'node', args: [raw, '--revision=2024-11-05', '--stranger=exit'] },
    'old-sse': { url: await partnerUrl('--sdk=1', '--transport=sse', '--revision=2024-11-05') },
    'old-socket': { url: await partnerUrl('--sdk=1', '--transport=sse', '--revision=2024-11-05', socketFlag()) },
  };
}

describe('servers reached and spoken to in every way, found out without configuration', () => {
  before(async () => writeServers(await definitions()));

  after(async () => {
    await closeEditors();
    await removeServers('old-sse');
    for (const program of programs) program.kill();
  });

  for (const label of ['everything-http', 'everything-sse']) {
    it(`the reference server: ${label}`, async () => {
      const server = await startServer(label);
      assert.equal(server.protocolVersion, '2025-11-25');
      assert.equal(textOf(await server.callTool('echo', { message: 'ünï\u2028cödé' })), 'Echo: ünï\u2028cödé');
      const { contents } = await server.readResource('demo://resource/dynamic/text/1');
      assert.match(contents[0]?.text ?? '', /^Resource 1/);
      const { messages } = await server.getPrompt('args-prompt', { city: 'Oslo' });
      assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: "What's weather in Oslo?" } }]);
      const reference = { type: 'ref/prompt', name: 'completable-prompt' } as const;
      assert.deepEqual(await server.complete(reference, { name: 'department', value: 'E' }), ['Engineering']);
      await server.stop();
    });
  }

  const revisions: readonly (readonly [label: string, revision: string])[] = [
    ['modern-stdio', '2026-07-28'],
    ['modern-http', '2026-07-28'],
    ['modern-socket', '2026-07-28'],
    ['modern-strict', '2026-07-28'],
    ['old-strict', '2024-11-05'],
    ['old-sse', '2024-11-05'],
    ['old-socket', '2024-11-05'],
  ];
  for (const [label, revision] of revisions) {
    it(`a server that speaks nothing but ${revision}: ${label}`, async () => {
      const server = await startServer(label);
      assert.equal(server.protocolVersion, revision);
      assert.ok(namesOf(server.tools).includes('hang_up'), 'not every page of the tools is listed');
      assert.equal(textOf(await server.callTool('echo', { text: 'grüße 🧵' })), 'grüße 🧵');
      const { contents } = await server.readResource('memo:///notes/alpha');
      assert.equal(contents[0]?.text, 'the note alpha');
      const { messages } = await server.getPrompt('greet', { name: 'Ada' });
      assert.deepEqual(messages[0]?.content, { type: 'text', text: 'Greet Ada in English.' });
      const reference = { type: 'ref/prompt', name: 'greet' } as const;
      assert.deepEqual(await server.complete(reference, { name: 'name', value: 'A' }), ['Ada', 'Alan']);
      // The findings of the first start are used for the next.
      await server.stop();
      await server.start();
      assert.equal(server.protocolVersion, revision);
      await server.stop();
    });
  }

  for (const label of ['modern-stdio', 'modern-http', 'old-sse']) {
    it(`an open resource follows the server: ${label}`, async () => {
      const server = await startServer(label);
      await commands.executeCommand(CommandIds.openResource, { server: label, uri: 'memo:///text' });
      const shown = await textOfResource(() => true);
      await untilTouched(server, shown);
      await closeEditors();
      await server.stop();
    });
  }
});

async function textOfResource(accept: (text: string) => boolean): Promise<string> {
  const text = await askUntil(
    () => Promise.resolve(window.activeTextEditor?.document),
    (document) => document?.uri.scheme === 'patchbay-resource' && accept(document.getText()),
  );
  return text?.getText() ?? '';
}

/** The subscription may become active after the document has opened. */
async function untilTouched(server: ServerHandle, shown: string): Promise<void> {
  await askUntil(
    async () => {
      await server.callTool('touch', { uri: 'memo:///text' });
      return window.activeTextEditor?.document.getText();
    },
    (text) => text !== undefined && text !== shown,
  );
}
