import { afterAll, describe, expect, it } from 'vitest';
import { type AuthorizationServer, startAuthorizationServer } from '../process/auth/authorizationServer.ts';
import { type HostileServer, startHostileServer } from '../process/auth/hostileServer.ts';
import { type ProtectedServer, startProtectedServer } from '../process/auth/protectedServer.ts';
import { serveMcp } from '../process/auth/serveMcp.ts';
import { newestVersion } from '../tools/vscodeHost/versions.mjs';
import { type ColorTheme, themeClasses, themeName } from './driver/themes.ts';
import { useWindow, window } from './driver/useWindow.ts';

const machine = {
  client_id: 'machine',
  client_secret: 'the-secret-of-the-machine',
  redirect_uris: [],
  response_types: [],
  grant_types: ['client_credentials'],
  scope: 'mcp:read mcp:write',
};

describe('a person and an authorization server that is not what it seems', () => {
  let honest: AuthorizationServer;
  let hostile: HostileServer;
  let notes: ProtectedServer;
  let build: ProtectedServer;

  afterAll(async () => {
    for (const server of [notes, build, hostile, honest]) await server?.close();
  });
  useWindow(
    async () => {
      honest = await startAuthorizationServer({ host: '127.0.0.2', clients: [machine] });
      hostile = await startHostileServer({ authorization_endpoint: `${honest.issuer}/auth` });
      notes = await startProtectedServer(honest);
      notes.behaviour.issuer = hostile.issuer;
      build = await startProtectedServer(honest);
      serveMcp(notes);
      serveMcp(build);
      const { client_id: clientId, client_secret: clientSecret } = machine;
      return {
        workspace: { name: 'work', files: {} },
        companion: true,
        settings: {
          'patchbay.servers': { notes: { url: notes.url.href }, build: { url: build.url.href } },
          'patchbay.serverOptions': { build: { auth: { flow: 'clientCredentials', clientId, clientSecret } } },
        },
      };
    },
    () => window.sidebar.open(),
  );

  async function startServer(label: string): Promise<void> {
    await window.sidebar.item(label).waitFor();
    await window.sidebar.contextAction(label, 'Start MCP Server');
    await window.dialogs.press('Start');
  }

  /** While a dialog is open, no command sets a theme. */
  async function setTheme(theme: ColorTheme): Promise<void> {
    await window.companion.updateSetting('workbench.colorTheme', themeName(theme, newestVersion));
    await window.page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor();
  }

  const focused = (): Promise<string> => window.dialogs.dialog.locator('.monaco-button:focus').innerText();

  it('is shown which hosts differ, and a key that was meant for the editor agrees to nothing', async () => {
    await startServer('notes');
    await expect.poll(() => window.dialogs.text()).toContain('Sign in to use the MCP server “notes”?');
    const text = await window.dialogs.text();
    expect(text).toContain(`Authorization server: ${new URL(hostile.issuer).host}`);
    expect(text).toContain(`Your browser opens: ${new URL(honest.issuer).host}  ⚠ not the authorization server’s own`);
    expect(text).toContain(`The sign-in is completed at: ${new URL(hostile.issuer).host}\n`);
    expect(text).toContain('about to be registered dynamically');
    expect(await focused()).toBe('Show Configuration');
    await window.screenshotInThemes('sign-in-differing-hosts', setTheme);
  });

  it('is asked a second time, with the safe answer in front, before anything is registered or opened', async () => {
    await window.dialogs.press('Sign In');
    await expect.poll(() => window.dialogs.text()).toContain('Signing in to “notes” is unusual.');
    expect(await window.dialogs.text()).toContain(`${honest.issuer}/auth`);
    expect(await focused()).toBe('Show Configuration');
    await window.screenshotInThemes('sign-in-second-question', setTheme);
    await window.page.keyboard.press('Escape');
    await window.dialogs.dialog.waitFor({ state: 'detached' });
    await expect.poll(() => window.sidebar.item('notes').getAttribute('aria-label')).toMatch(/needs you to sign in/i);
    expect(hostile.registrations).toEqual([]);
    expect(hostile.tokenRequests).toEqual([]);
    expect(honest.requests.filter((request) => request.includes('/auth'))).toEqual([]);
  });

  it('is offered the issuer that a secret would go to, which gets nothing before', async () => {
    await startServer('build');
    await window.notifications.press(/"auth" holds "clientSecret", and no "issuer"/, 'Set Authorization Server…');
    await expect.poll(() => window.dialogs.text()).toContain('have the secrets of “build”?');
    expect(await window.dialogs.text()).toContain(`(${honest.issuer})`);
    expect(await focused()).toBe('Show Configuration');
    expect(honest.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
    await window.screenshotInThemes('set-issuer', setTheme);
  });

  it('adds it to the settings, sees them, and can start the server', async () => {
    await window.dialogs.press('Add Issuer');
    await window.page.getByRole('tab', { name: /settings\.json/ }).waitFor();
    await window.page.locator('.view-lines').getByText(`"issuer": "${honest.issuer}"`).waitFor();
    await window.notifications.press(/may send its secrets to/, 'Start');
    await window.dialogs.press('Start');
    await expect.poll(() => window.sidebar.item('build').getAttribute('aria-label')).toMatch(/running/i);
    expect(honest.requests.filter((request) => request === 'POST /token client_credentials')).toHaveLength(1);
  });
});
