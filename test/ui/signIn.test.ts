import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { isRecord } from '../../src/base/json.ts';
import { type AuthorizationServer, startAuthorizationServer } from '../process/auth/authorizationServer.ts';
import { type ProtectedServer, startProtectedServer } from '../process/auth/protectedServer.ts';
import { serveMcp } from '../process/auth/serveMcp.ts';
import type { Outcome } from './driver/companion.ts';
import { folderWith } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

/** The default port of the loopback redirect. */
const loopbackPort = 33_418;
const tokens = ['AccessToken', 'RefreshToken'];

/** Takes a port of this machine, as soon as no sign-in of another test has it. */
async function occupy(port: number): Promise<Server> {
  for (;;) {
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      return server;
    } catch (error) {
      if (!isRecord(error) || error['code'] !== 'EADDRINUSE') throw error;
      await delay(50);
    }
  }
}

describe('a person and a server that wants sign-in', () => {
  let as: AuthorizationServer;
  let server: ProtectedServer;

  afterAll(async () => {
    await server?.close();
    await as?.close();
  });
  useWindow(
    async () => {
      // VS Code forwards addresses at 127.0.0.1 through its own proxy, which rewrites them.
      as = await startAuthorizationServer({ host: '127.0.0.2' });
      server = await startProtectedServer(as);
      serveMcp(server);
      const workspace = folderWith({ notes: { url: server.url.href } }, { name: 'notes' });
      return { workspace, companion: true };
    },
    () => window.sidebar.open(),
  );

  const add = (): Promise<Outcome> => window.companion.callTool({ server: 'notes', tool: 'add' });
  const state = async (): Promise<string> => (await window.sidebar.item('notes').getAttribute('aria-label')) ?? '';
  const refreshes = (): number => as.requests.filter((request) => request === 'POST /token refresh_token').length;

  const codes = (): number => as.requests.filter((request) => request === 'POST /token authorization_code').length;

  const revocations = (): number => as.requests.filter((request) => request === 'POST /token/revocation').length;

  /** Agrees to sign in. @returns the page of the person's browser */
  async function agree(): Promise<Page> {
    const opened = window.page.context().waitForEvent('page');
    const { dialog } = window.dialogs;
    await window.dialogs.press('Sign In');
    // VS Code asks before it opens an unknown address.
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    return opened;
  }

  /** Logs in where that is asked, and consents. Resolves when the browser has left the authorization server. */
  async function signIn(page: Page): Promise<void> {
    const login = page.locator('input[name="login"]');
    const submit = page.locator('button[type="submit"]');
    const isBack = (url: URL): boolean => url.origin !== as.issuer;
    await page.waitForURL((url) => url.protocol === 'http:');
    while (!isBack(new URL(page.url()))) {
      const before = page.url();
      await submit.or(page.locator('body')).first().waitFor();
      if (await login.isVisible()) {
        await login.fill('ada');
        await page.locator('input[name="password"]').fill('secret');
      }
      if (await submit.isVisible()) await submit.click();
      await page.waitForURL((url) => url.href !== before);
    }
  }

  it('is told who asks for what, and where the browser will go, before it opens', async () => {
    await window.sidebar.item('notes').waitFor();
    await window.runCommand('MCP Patchbay: Start MCP Server');
    await window.quickInput.pick('notes');
    await window.dialogs.press('Start');
    await expect.poll(() => window.dialogs.text()).toContain('Sign in to use the MCP server “notes”?');
    const text = await window.dialogs.text();
    for (const part of [server.url.href, as.issuer, 'mcp:read', 'about to be registered']) expect(text).toContain(part);
    expect(as.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
    const comesBackTo = /Asking whether to sign in\. The browser would come back to \w+:\/\/[^/\s]+\/\S+\.$/m;
    await expect.poll(() => window.recentLogs()).toMatch(comesBackTo);
    await window.publishScreenshot('sign-in');
  });

  it('who says no is not asked again by itself, and sees what to do', async () => {
    await window.dialogs.press('Cancel');
    await window.sidebar.expand('notes');
    await window.sidebar.item('Sign In…').waitFor();
    await expect.poll(state).toMatch(/needs you to sign in/i);
    expect(await window.dialogs.dialog.isVisible()).toBe(false);
  });

  it('signs in with the browser, which comes back by an address of the editor', async () => {
    await window.sidebar.click('Sign In…');
    const page = await agree();
    await signIn(page);
    await window.sidebar.expand('Tools');
    await window.sidebar.item('add').waitFor();
    await page.close();
    const { outcome } = await window.callToolAlways({ server: 'notes', tool: 'add' });
    expect(JSON.stringify(await outcome)).toContain('added');
  });

  it('is shown what the sign-in is', async () => {
    await window.sidebar.contextAction('notes', 'Show Authorization');
    await window.quickInput.row('Signed in at').waitFor();
    const rows = await window.quickInput.rows.allInnerTexts();
    expect(rows.join('\n')).toContain(as.issuer);
    expect(rows.join('\n')).toContain('mcp:read');
    await window.screenshot('authorization');
    await window.quickInput.cancel();
  });

  it('is not bothered when a token ends: ten calls share one refresh', async () => {
    expect(as.forget((model) => model === 'AccessToken')).toBeGreaterThan(0);
    const outcomes = await Promise.all(Array.from({ length: 10 }, add));
    expect(outcomes.filter(({ kind }) => kind === 'error')).toEqual([]);
    expect(refreshes()).toBe(1);
  });

  it('is asked once when the refresh token is revoked as well', async () => {
    as.forget((model) => tokens.includes(model));
    const calls = Promise.all(Array.from({ length: 10 }, add));
    await signIn(await agree());
    expect((await calls).filter(({ kind }) => kind === 'error')).toEqual([]);
    expect(await window.dialogs.dialog.isVisible()).toBe(false);
  });

  it('comes back to this machine where that is wished, by a free port when the usual one is taken', async () => {
    const squatter = await occupy(loopbackPort);
    await window.companion.updateSetting('patchbay.signIn.redirect', 'loopback');
    as.forget((model) => tokens.includes(model));
    const call = add();
    const page = await agree();
    await signIn(page);
    expect(new URL(page.url()).hostname).toBe('127.0.0.1');
    expect(new URL(page.url()).port).not.toBe(String(loopbackPort));
    await page.getByText('You can close this page.').waitFor();
    expect(JSON.stringify(await call)).toContain('added');
    squatter.close();
  });

  it('who closes the browser cancels in the editor, and can sign in later', async () => {
    as.forget((model) => tokens.includes(model));
    const call = add();
    const page = await agree();
    await page.close();
    await window.notifications.press(/Signing in to “notes”/, 'Cancel');
    expect(await call).toMatchObject({ kind: 'error', message: expect.stringContaining('not finished signing in') });
    await expect.poll(state).toMatch(/needs you to sign in/i);
    expect(await add()).toMatchObject({ kind: 'error' });
    expect(await window.dialogs.dialog.isVisible()).toBe(false);
  });

  it('pastes the address when the browser cannot come back, and an answer of another sign-in is not used', async () => {
    await window.runCommand('MCP Patchbay: Sign In…');
    await window.quickInput.pick('notes');
    const first = await agree();
    await first.waitForURL((url) => url.origin === as.issuer);
    await window.runCommand('MCP Patchbay: Paste Sign-In Address…');
    await expect
      .poll(() => window.quickInput.prompt())
      .toContain('Paste the address of the page that your browser shows');
    await window.quickInput.type(`http://127.0.0.1/callback?code=stolen&state=other&iss=${as.issuer}`);
    await window.quickInput.accept();
    await window.quickInput.waitUntilClosed();
    await window.notifications.show();
    await window.notifications.item(/does not belong to this sign-in/).waitFor();
    await window.notifications.clear();
    await first.close();
    expect(codes()).toBe(3);
  });

  it('signs out, which revokes the tokens', async () => {
    await window.companion.updateSetting('patchbay.signIn.redirect', 'editor');
    await window.runCommand('MCP Patchbay: Sign In…');
    await window.quickInput.pick('notes');
    await signIn(await agree());
    await expect.poll(state).toMatch(/running/i);
    expect(JSON.stringify(await add())).toContain('added');
    await window.sidebar.contextAction('notes', 'Sign Out');
    await expect.poll(revocations).toBeGreaterThan(0);
    await expect.poll(state).toMatch(/stopped/i);
    await window.notifications.show();
    await window.notifications.item('You have signed out of “notes”.').waitFor();
    await window.notifications.clear();
  });

  it('is told once, and not asked, where the window starts the server by itself', async () => {
    await window.companion.updateSetting('patchbay.serverOptions', {
      notes: { for: server.url.origin, autoStart: true },
    });
    // It counts from the next window on.
    await window.reload();
    await window.sidebar.open();
    await expect.poll(state).toMatch(/needs you to sign in/i);
    expect(await window.dialogs.dialog.isVisible()).toBe(false);
    await window.notifications.press('The MCP server “notes” needs you to sign in.', 'Sign In…');
    await signIn(await agree());
    await expect.poll(state).toMatch(/running/i);
    await window.companion.updateSetting('patchbay.serverOptions', undefined);
  });

  it('signs out of all servers', async () => {
    await window.runCommand('MCP Patchbay: Sign Out of All Servers…');
    const before = revocations();
    await window.dialogs.press('Sign Out');
    await expect.poll(revocations).toBeGreaterThan(before);
    await expect.poll(state).toMatch(/stopped/i);
  });

  it('who loses the window in the middle can sign in again, though its extension host lives on and holds the turn', async () => {
    const before = codes();
    await window.runCommand('MCP Patchbay: Sign In…');
    await window.quickInput.pick('notes');
    const page = await agree();
    await page.waitForURL((url) => url.origin === as.issuer);
    // From here on the window sends nothing, not even that it closes.
    await window.page.evaluate(() => {
      WebSocket.prototype.send = () => {};
    });
    await window.reload();
    await window.sidebar.open();
    await window.sidebar.item('notes').waitFor();
    // This answer reaches an extension host without a window.
    await signIn(page);
    await page.close();
    await window.runCommand('MCP Patchbay: Sign In…');
    await window.quickInput.pick('notes');
    await signIn(await agree());
    await expect.poll(state).toMatch(/running/i);
    expect(codes()).toBe(before + 1);
  });

  it('leaves no token, code or secret in any file', async () => {
    expect(as.secrets.size).toBeGreaterThan(10);
    const written = join(window.workspace, '..', '..');
    const found: string[] = [];
    for (const path of await readdir(written, { recursive: true, withFileTypes: true })) {
      // The browser of the window holds the secret storage, as the operating system does for VS Code desktop.
      if (!path.isFile() || join(path.parentPath, path.name).startsWith(join(written, 'profile'))) continue;
      const text = await readFile(join(path.parentPath, path.name), 'latin1');
      if ([...as.secrets].some((secret) => text.includes(secret))) found.push(join(path.parentPath, path.name));
    }
    expect(found).toEqual([]);
  });
});
