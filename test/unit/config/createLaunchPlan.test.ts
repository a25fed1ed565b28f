import { describe, expect, it } from 'vitest';
import type { ConfigurationSource } from '../../../src/config/configuredServer.ts';
import { createLaunchPlan, type LaunchContext } from '../../../src/config/createLaunchPlan.ts';
import { launchWarnings } from '../../../src/config/launchWarnings.ts';
import type { ServerDefinition } from '../../../src/config/serverDefinition.ts';
import { fileSource, userSource as user } from '../../fixtures/launches.ts';
import { secretMask } from '../../../src/secrets/secretNames.ts';
import { problem } from '../../fixtures/problem.ts';

const folder = { name: 'backend', uri: 'file:///w/backend', path: '/w/backend' };
const workspace: ConfigurationSource = { ...fileSource, folder };

const context: LaunchContext = {
  folders: [folder],
  userHome: '/home/me',
  pathSeparator: '/',
  environment: { API_KEY: 'key-from-env', LEVEL: 'high', UP: '..' },
  resolveInput: async (id) => {
    const value = id === 'secret socket' ? 'unix:///run/my.sock' : `value of ${id}`;
    return { value, isSecret: id.startsWith('secret'), isSaved: false };
  },
  realPath: async (path) => path,
  readTextFile: async (path) => {
    if (path === '/w/backend/.env') return 'FROM_FILE=1\nSHARED=file';
    throw new Error('no such file');
  },
};

function plan(definition: ServerDefinition, source = workspace, changes: Partial<LaunchContext> = {}) {
  return createLaunchPlan(
    { label: 'db', definition, options: definition.patchbay ?? {}, source },
    { ...context, ...changes },
  );
}

describe('createLaunchPlan, a recorded session', () => {
  const replay = 'lenient';

  it('is a file from the folder of the server', async () => {
    const { plan: made } = await plan({ type: 'stdio', command: 'a/notes.mcp-session.jsonl', replay });
    expect(made).toMatchObject({ command: '/w/backend/a/notes.mcp-session.jsonl', replay });
  });

  it.each(['\\\\evil.example\\share\\a.mcp-session.jsonl', '//evil.example/a.mcp-session.jsonl'])(
    'is on no other computer, which Windows would sign in to: %s',
    async (command) => {
      await expect(plan({ type: 'stdio', command, replay })).rejects.toThrow('must not be on another computer');
    },
  );
});

describe('createLaunchPlan, stdio', () => {
  it('replaces variables everywhere and lets env win over envFile', async () => {
    const { plan: made, view } = await plan({
      command: '~/bin/run',
      args: ['--dir=${workspaceFolder}', '~/x', 'a~', '${input:secret}', '${input:name}'],
      cwd: 'sub',
      envFile: '.env',
      env: { SHARED: 'own', GONE: null, COUNT: 3, API_KEY: 'literal', TOKEN: '${env:API_KEY}', LEVEL: '${env:LEVEL}' },
    });
    expect(made).toEqual({
      kind: 'stdio',
      label: 'db',
      secrets: ['value of secret', 'key-from-env'],
      secretNames: ['${input:secret}', '${env:API_KEY}'],
      command: '/home/me/bin/run',
      args: ['--dir=/w/backend', '/home/me/x', 'a~', 'value of secret', 'value of name'],
      cwd: '/w/backend/sub',
      env: {
        FROM_FILE: '1',
        SHARED: 'own',
        GONE: null,
        COUNT: '3',
        API_KEY: 'literal',
        TOKEN: 'key-from-env',
        LEVEL: 'high',
      },
      envFileValues: { FROM_FILE: '1', SHARED: 'file' },
    });
    expect(view).toMatchObject({
      args: ['--dir=/w/backend', '/home/me/x', 'a~', '${input:secret}', 'value of name'],
      cwd: '/w/backend/sub',
      envFile: '/w/backend/.env',
      envFileValues: { FROM_FILE: '1', SHARED: 'file' },
    });
    const shown = view.kind === 'stdio' ? view.env.map(({ name, value }) => [name, value]) : [];
    expect(shown).toEqual([
      ['SHARED', 'own'],
      ['GONE', null],
      ['COUNT', '3'],
      ['API_KEY', secretMask],
      ['TOKEN', '${env:API_KEY}'],
      ['LEVEL', 'high'],
    ]);
  });

  it.each<[string | undefined, ConfigurationSource, string]>([
    [undefined, workspace, '/w/backend'],
    [undefined, user, '/home/me'],
    ['.', workspace, '/w/backend'],
    ['./a', workspace, '/w/backend/a'],
    ['../a', workspace, '/w/backend/../a'],
    ['/abs', workspace, '/abs'],
    ['~', workspace, '/home/me'],
    ['~/a', user, '/home/me/a'],
    ['${workspaceFolder}/a', user, '/w/backend/a'],
  ])('cwd %s of %o is %s', async (cwd, source, expected) => {
    const { plan: made } = await plan({ command: 'x', ...(cwd !== undefined && { cwd }) }, source);
    expect(made).toMatchObject({ cwd: expected });
  });

  it('knows Windows paths', async () => {
    const windows = { pathSeparator: '\\', userHome: 'C:\\Users\\me' } as const;
    const at = async (cwd: string) => (await plan({ command: 'x', cwd }, user, windows)).plan;
    expect(await at('D:\\a')).toMatchObject({ cwd: 'D:\\a' });
    expect(await at('\\\\host\\share')).toMatchObject({ cwd: '\\\\host\\share' });
    expect(await at('a\\b')).toMatchObject({ cwd: 'C:\\Users\\me\\a\\b' });
    expect(await at('~\\a')).toMatchObject({ cwd: 'C:\\Users\\me\\a' });
    await expect(at('D:')).rejects.toThrow('"D:" names a drive without a folder. Write "D:\\".');
    await expect(at('d:sub')).rejects.toThrow('"d:sub" names a drive without a folder. Write "d:\\sub".');
  });

  it('asks for each input once', async () => {
    const asked: string[] = [];
    const resolveInput = async (id: string) => {
      asked.push(id);
      return { value: id, isSecret: false, isSaved: false };
    };
    await plan({ command: '${input:a}', args: ['${input:b}', '${input:a}'], env: { X: '${input:b}' } }, workspace, {
      resolveInput,
    });
    expect(asked).toEqual(['a', 'b']);
  });

  it('hands on the cancellation of an input as it is', async () => {
    const cancelled = new DOMException('no', 'AbortError');
    const resolveInput = () => Promise.reject(cancelled);
    await expect(plan({ command: '${input:a}' }, workspace, { resolveInput })).rejects.toBe(cancelled);
  });
});

describe('createLaunchPlan, remote', () => {
  it('makes the address and the headers', async () => {
    const { plan: made, view } = await plan({
      type: 'sse',
      url: 'https://${env:LEVEL}.example/x?k=${input:secret}',
      headers: { Authorization: 'Bearer ${input:secret}', 'X-Level': ' ${env:LEVEL} ' },
    });
    expect(made).toEqual({
      kind: 'sse',
      label: 'db',
      secrets: ['value of secret'],
      secretNames: ['${input:secret}'],
      url: new URL('https://high.example/x?k=value%20of%20secret'),
      headers: { Authorization: 'Bearer value of secret', 'X-Level': 'high' },
    });
    expect(JSON.stringify(view)).not.toContain('value of secret');
    expect(view).toMatchObject({ kind: 'sse', url: 'https://high.example/x?k=${input:secret}', host: 'high.example' });
  });

  it('goes to a socket, which what is sent is bound to', async () => {
    const targets: string[] = [];
    const { plan: made, view } = await plan(
      {
        url: 'unix:///run/${env:LEVEL}%20one.sock?k=${input:secret}#/${input:name}',
        headers: { Authorization: 'Bearer ${input:other}' },
      },
      workspace,
      {
        resolveInput: async (id, target) => {
          targets.push(target);
          return { value: id, isSecret: id === 'secret', isSaved: false };
        },
      },
    );
    expect(made).toMatchObject({
      kind: 'http',
      socketPath: '/run/high one.sock',
      url: new URL('http://localhost/name?k=secret'),
    });
    expect(view).toMatchObject({
      url: 'unix:///run/high%20one.sock?k=${input:secret}#/name',
      host: 'unix:///run/high%20one.sock',
      socketPath: '/run/high one.sock',
    });
    expect(targets.at(-1)).toBe('unix:///run/high%20one.sock');
    const linked = await plan({ url: 'unix:///w/my.sock' }, workspace, { realPath: async () => '/run/docker.sock' });
    expect([linked.plan, linked.view]).toMatchObject([
      { socketPath: '/run/docker.sock' },
      { url: 'unix:///w/my.sock', socketPath: '/run/docker.sock' },
    ]);
    const tooLong = plan({ url: 'unix:///w/my.sock' }, workspace, { realPath: async () => `/${'x'.repeat(200)}` });
    await expect(tooLong).rejects.toThrow('a link to a path that is too long for a socket');
    const { plan: piped } = await plan({ url: 'pipe:///pipe/one#/mcp' }, workspace, { pathSeparator: '\\' });
    expect(piped).toMatchObject({ socketPath: '\\\\.\\pipe\\one', url: new URL('http://localhost/mcp') });
  });

  it('replaces variables in the settings for signing in, and shows none of their secrets', async () => {
    const auth = {
      flow: 'enterprise',
      clientId: '${env:LEVEL}-client',
      clientSecret: '${input:secret}',
      scopes: ['a', '${env:LEVEL}:${input:secret}', '${env:UNSET}'],
      privateKey: 'written out',
      dpop: true,
      idp: { issuer: 'https://idp.example', idToken: '${input:name}' },
    } as const;
    const { plan: made, view } = await plan({ url: 'https://a.example/', patchbay: { auth } });
    expect(made).toMatchObject({
      secrets: ['value of secret', 'value of name'],
      secretNames: ['${input:secret}', '${input:name}'],
      auth: {
        ...auth,
        clientId: 'high-client',
        clientSecret: 'value of secret',
        scopes: ['a', 'high:value', 'of', 'secret'],
        idp: { issuer: 'https://idp.example', idToken: 'value of name' },
      },
    });
    expect(view).toMatchObject({
      auth: [
        { name: 'flow', value: 'enterprise' },
        { name: 'clientId', value: 'high-client' },
        { name: 'clientSecret', value: '${input:secret}', written: '${input:secret}' },
        { name: 'scopes', value: '["a","high:${input:secret}",""]', written: JSON.stringify(auth.scopes) },
        { name: 'privateKey', value: secretMask },
        { name: 'dpop', value: 'true' },
        { name: 'idp.issuer', value: 'https://idp.example' },
        { name: 'idp.idToken', value: '${input:name}' },
      ],
    });
  });

  it.each<[string, string]>([
    ['hunter2', secretMask],
    ['Bearer hunter2', secretMask],
    ['Bearer ${GONE}', 'Bearer ${GONE}'],
    ['${GONE}', '${GONE}'],
    ['Bearer ${input:key}', 'Bearer ${input:key}'],
    ['hunter2${GONE}', secretMask],
    ['${workspaceFolder}', secretMask],
  ])('shows a reference, and no secret that is written out: %s', async (value, shown) => {
    const resolveInput = async (id: string) => ({ value: `\${input:${id}}`, isSecret: true, isSaved: true });
    const definition = { url: 'https://a.example', headers: { Authorization: value } };
    const { view } = await plan(definition, { ...workspace, kind: 'mcpJson' }, { resolveInput });
    expect(view).toMatchObject({ headers: [{ name: 'Authorization', value: shown }] });
  });

  it('hides a password that begins like a variable', async () => {
    const definition = { url: 'https://a.example', headers: { Authorization: '$ecret', 'X-Token': '$TOKEN' } };
    const { view } = await plan(definition, { ...workspace, kind: 'copilot' });
    expect(view).toMatchObject({ headers: [{ value: secretMask }, { value: '$TOKEN' }] });
  });

  it('asks for each input with the place its value goes to', async () => {
    const asked: string[][] = [];
    const resolveInput = async (id: string, target: string) => {
      asked.push([id, target]);
      return { value: id, isSecret: true, isSaved: false };
    };
    const auth = { issuer: 'https://login.example', clientSecret: '${input:c}' };
    const headers = { Authorization: 'Bearer ${input:b}' };
    await plan({ url: 'https://a.example/${input:a}', headers, patchbay: { auth } }, workspace, { resolveInput });
    await plan({ command: 'npx', args: ['-y', 'server@1.0.0', '--key=${input:d}'] }, workspace, { resolveInput });
    expect(asked).toEqual([
      ['a', 'https://a.example/${input:a}'],
      ['b', 'a.example'],
      ['c', 'https://login.example, to sign in to a.example'],
      ['d', 'npx server'],
    ]);
  });

  it('knows of each variable whether it is in the address, also beside a header, and whether it has a value', async () => {
    const { view } = await plan(
      {
        url: 'https://a.example/${env:LEVEL}/${UNSET:-default}',
        headers: { X: '${env:LEVEL}', Y: '${env:UP}' },
      },
      { ...workspace, kind: 'mcpJson' },
    );
    const sent = { kind: 'environment', isSecret: false, isSaved: false };
    expect(view.variables).toEqual([
      { ...sent, name: 'LEVEL', reference: '${env:LEVEL}', isInAddress: true },
      { ...sent, name: 'UNSET', reference: '${UNSET:-default}', isInAddress: true, isDefault: true },
      { ...sent, name: 'UP', reference: '${env:UP}' },
    ]);
    expect(launchWarnings(view, false, { isOfFolder: true }).map(({ text }) => text)).toEqual([
      'Sends your environment variables LEVEL, UP to a.example in the address and the headers X, Y.',
    ]);
  });

  it('shows the host as the wire has it', async () => {
    const { view } = await plan({ url: 'https://аpple.example/' });
    expect(view).toMatchObject({ kind: 'http', host: 'xn--pple-43d.example' });
  });

  it.each<[ServerDefinition, RegExp]>([
    [
      { command: 'x', args: ['a', '${file}'] },
      /^Server "db" cannot be started: "args\[1\]" uses the variable \$\{file\}/,
    ],
    [{ command: 'x', envFile: 'gone.env' }, /"envFile" \/w\/backend\/gone\.env cannot be read \(no such file\)/],
    [{ command: '${env:NOTHING}' }, /"command" is empty/],
    [{ command: '${input:secret}' }, /"command" comes from a hidden value/],
    [
      { command: 'x', envFile: '${input:secret}/.env' },
      /"envFile" \/w\/backend\/\$\{input:secret\}\/\.env cannot be read/,
    ],
    [{ command: 'x', args: ['a\0b'] }, /NUL/],
    [{ url: '${env:LEVEL}' }, /"url" must be an address that starts with/],
    [
      { url: 'https://${env:GONE}/mcp' },
      /"url" uses \$\{env:GONE\}, but .* GONE is not set\. Set it and restart the editor\.$/,
    ],
    [{ url: 'https://${env:LEVEL}.${env:GONE}:8080' }, /"url" uses \$\{env:GONE\}/],
    [{ url: 'file:///etc/passwd' }, /"url" must be an address that starts with "https:\/\/"/],
    [{ url: 'unix:///run/${input:secret}/my.sock' }, /path of the socket in "url" comes from a hidden value/],
    [{ url: '${input:secret socket}' }, /path of the socket in "url" comes from a hidden value/],
    [{ url: 'unix:///run/${env:UP}/my.sock' }, /the absolute path of a socket without "\.\."/],
    [{ url: 'unix://${env:LEVEL}/my.sock' }, /the absolute path of a socket without "\.\."/],
    [{ url: 'pipe:///pipe/my-server' }, /of another platform; here it must be a Unix socket, as in "unix:\/\/\//],
    [{ url: 'https://x', headers: { 'bad name': 'x' } }, /"bad name" is not a valid/],
    [{ url: 'https://x', headers: { Cookie: 'a\r\nB: c' } }, /the value of the header "Cookie" holds a line break/],
  ])('refuses %j', async (definition, message) => {
    await expect(plan(definition)).rejects.toEqual(problem('configuration', message));
  });
});
