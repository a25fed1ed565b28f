import { describe, expect, it } from 'vitest';
import type { LaunchView } from '../../../../src/config/launchView.ts';
import type { ResolvedCode, ResolvedFile, UncoveredCode } from '../../../../src/config/resolvedCode.ts';
import { analyzeCommandLine } from '../../../../src/config/commandLineAnalysis.ts';
import { limits } from '../../../../src/base/limits.ts';
import type { LaunchSubject } from '../../../../src/host/configuration/launchSummary.ts';
import { type TrustQuestion, trustQuestion } from '../../../../src/host/configuration/trustQuestion.ts';
import { fileSource, remoteView, setting, stdioView, userSource } from '../../../fixtures/launches.ts';

const source = { ...fileSource, uri: 'file:///w/my%20app/.vscode/mcp.json' };
const stdio = stdioView(['npx', '-y', 'a b', 'x\u202Ey', ''], {
  cwd: '/w/my app',
  env: [
    { name: 'TOKEN', value: '••••••••', written: 'hunter2' },
    { name: 'GONE', value: null, written: null },
  ],
  envFile: '/w/.env',
  envFileValues: { A: 'hunter3', B: '' },
});
const remote = remoteView('http://аpple.example/mcp', 'xn--pple-43d.example', { headers: [setting('X', '1')] });

function viewOf(...line: readonly string[]) {
  return stdioView(line, { cwd: '/w/my app' });
}

function factsOf(line: string, changes: Partial<ResolvedCode> = {}): ResolvedCode {
  const nothing = { program: undefined, interpreter: undefined, files: [], searchedFolders: [], uncovered: [] };
  return { code: analyzeCommandLine(line.split(' ')), ...nothing, ...changes };
}

const loadedFiles: UncoveredCode = { what: 'Files that these files load' };
const notesModule = {
  what: 'The module notes in the working folder',
  warning: 'Where Python finds the module notes is not checked.',
} as const satisfies UncoveredCode;

function ask(view: LaunchView, changes: Partial<LaunchSubject> = {}): TrustQuestion {
  return trustQuestion({
    label: 'db',
    lookAlike: undefined,
    source,
    view,
    changes: undefined,
    roots: { folders: ['/w/my app'], includesLaterFolders: true },
    facts: undefined,
    filesMayChange: false,
    isRestricted: false,
    isWindows: false,
    ...changes,
  });
}

/** The document, without the breaks that were put into its lines. */
const unwrapped = ({ text }: TrustQuestion): string => text.replace(/ ↩\n/g, '');

const token = {
  kind: 'environment',
  name: 'GITHUB_TOKEN',
  reference: '${env:GITHUB_TOKEN}',
  isSecret: true,
  isSaved: false,
} as const;

describe('trustQuestion', () => {
  it('shows the whole command as it would be typed, and what makes it dangerous [consent-command]', () => {
    const question = ask(stdio);
    expect(question.message).toBe('Start the MCP server “db”? It will run a program on this machine.');
    expect(question).toMatchObject({ isWhole: true, isRisky: true });
    expect(question.detail).toBe(
      [
        'Before you start it:',
        '• It contains invisible characters, written as ⟨U+…⟩.',
        '• It downloads a b and runs it. No version is pinned: the code can differ from one start to the next.',
        '',
        'npx -y "a b" "x⟨U+202E⟩y" ""',
        'In folder: /w/my app',
        'Environment file: /w/.env',
        '',
        'Defined in .vscode/mcp.json',
      ].join('\n'),
    );
    // The list of answers lies over the first lines.
    expect(question.text).toMatch(/^\n{5}Start the MCP server/);
    for (const part of [
      'Command:\n    npx\n    -y\n    "a b"\n    "x⟨U+202E⟩y"\n    ""',
      'In folder:\n    /w/my app',
      'Environment:\n    TOKEN=•••••••• (written in the file)\n    GONE is removed\n    /w/.env sets A, B',
      'It can see these folders: /w/my app, and folders you add later',
      'Defined in .vscode/mcp.json, file:///w/my app/.vscode/mcp.json',
    ])
      expect(unwrapped(question)).toContain(part);
  });

  it('is three lines for a usual server', () => {
    const folder = { name: 'app', uri: '', path: '/w/app' };
    const view = stdioView(['node', 'server.js'], { cwd: '/w/app', env: [setting('LEVEL', 'high')] });
    const question = ask(view, { source: { ...source, folder } });
    expect(question).toMatchObject({
      detail: 'node server.js\n\nDefined in .vscode/mcp.json',
      isWhole: true,
      isRisky: false,
    });
    const elsewhere = ask({ ...view, cwd: '/elsewhere' }, { source: { ...source, folder } });
    expect(elsewhere.detail).toContain('node server.js\nIn folder: /elsewhere');
  });

  it('says of a server that runs files of a workspace in Restricted Mode that it does', () => {
    const question = ask(viewOf('node', 'w.js'), { source: userSource, isRestricted: true });
    expect(question.detail).toContain('• It uses files of this workspace, which is in Restricted Mode.');
    expect(question.isRisky).toBe(true);
  });

  it('names the workspace folders in its details, and first where they are shared with another machine [consent-roots]', () => {
    const line = 'It can see these folders: /w/my app, and folders you add later';
    expect(ask(stdio).detail).not.toContain('It can see');
    expect(unwrapped(ask(stdio))).toContain(line);
    expect(ask(remote).detail).toContain(line);
    const none = { folders: [], includesLaterFolders: false };
    expect(ask(remote, { roots: none }).detail).not.toContain('It can see');
    expect(unwrapped(ask(remote, { roots: none }))).toContain('It can see no workspace folder.');
    const personal = { ...source, kind: 'user' as const };
    const later = { folders: [], includesLaterFolders: true };
    expect(unwrapped(ask(stdio, { roots: later, source: personal }))).toContain(
      'It can see these folders: the folders of any other window that uses it',
    );
    const folders = Array.from({ length: 200 }, (_, index) => `/w/folder\u202E${index}`);
    const many = ask(stdio, { roots: { folders, includesLaterFolders: true } });
    expect(unwrapped(many)).toContain('/w/folder⟨U+202E⟩199');
    expect(ask(remote, { roots: { folders, includesLaterFolders: true } }).isWhole).toBe(false);
  });

  it('shows the place of a definition as the system writes it', () => {
    const place = (uri: string): string => unwrapped(ask(stdio, { source: { ...source, uri } }));
    expect(place('file:///c%3A/w/my%20app/%23%E6%BC%A2/.mcp.json')).toContain(', file:///c:/w/my app/#漢/.mcp.json');
    expect(place('file:///w/100%/.mcp.json')).toContain(', file:///w/100%/.mcp.json');
  });

  it('folds away nothing that runs code or sends data elsewhere, and cuts nothing of it', () => {
    const code = `--import=data:text/javascript,${'x'.repeat(100)};evil()`;
    const env = [setting('LEVEL', 'high'), setting('NODE_OPTIONS', code), setting('A', token.reference)];
    const local = ask({ ...stdio, env, envFileValues: { B: '1', LD_PRELOAD: 'x' }, variables: [token] });
    expect(local.isRisky).toBe(true);
    for (const part of [
      `NODE_OPTIONS=${code}`,
      'A=${env:GITHUB_TOKEN} (hidden)',
      'Environment file: /w/.env, which sets LD_PRELOAD',
      'Hands your environment variable GITHUB_TOKEN to npx a b.',
    ])
      expect(local.detail).toContain(part);
    expect(local.detail).not.toContain('LEVEL');
    const auth = [setting('issuer', 'https://login.evil.example')];
    expect(ask({ ...remote, auth }).detail).toContain('Signing in, issuer: https://login.evil.example');
    const path = 'https://аpple.example//xn--pple-43d.example/mcp';
    expect(ask({ ...remote, url: path }).detail).toContain('Host: xn--pple-43d.example');
    const what = 'What task builds or runs in this folder';
    const facts = factsOf('task mcp', { uncovered: [{ what, warning: `${what} can change.` }] });
    expect(ask(viewOf('task', 'mcp'), { facts }).detail).toContain(`• ${what} can change.`);
  });

  it.each<[string, string, LaunchSubject['source'], UncoveredCode, boolean]>([
    ['a server of a folder', 'python -m notes', source, notesModule, true],
    ['what a file loads is said of most', 'node server.js', source, loadedFiles, false],
    ['a server of the person', 'python -m notes', userSource, notesModule, false],
  ])(
    'is a risk where files of the folder decide what runs, unseen by the answer: %s, %s',
    (_what, line, from, open, isRisky) => {
      const facts = factsOf(line, { uncovered: [open] });
      expect(ask(viewOf(...line.split(' ')), { facts, source: from }).isRisky).toBe(isRisky);
    },
  );

  it('hides a key in the arguments, and nothing that runs [consent-command]', () => {
    const lines = (...line: string[]): string => unwrapped(ask(viewOf(...line)));
    expect(ask(viewOf('npx', 'c7@1.2.3', '--token=hunter2')).detail).toContain('npx c7@1.2.3 "--token=••••••••"');
    const keyed = lines('npx', 'c7@1.2.3', '--api-key', 'ctx7sk-1234', '--token=hunter2');
    expect(keyed).toContain(
      '    --api-key\n    "••••••••" (written in the file)\n    "--token=••••••••" (written in the file)',
    );
    expect(lines('npx', '--token', 'evil-package')).toContain('    evil-package\n');
    expect(lines('sh', '-c', 'TOKEN=1;evil')).toContain('TOKEN=1;evil');
    expect(lines('x', 'TOKEN=$(evil)', '••••••••')).toMatch(/TOKEN=\$\(evil\)"?\n {4}"?••••••••"?\n/);
  });

  it('says of a reference whose variable is not set what is sent', () => {
    const missing = { ...token, name: 'TICKETS', reference: '${TICKETS}', isMissing: 'kept' } as const;
    const headers = [setting('Authorization', 'Bearer ${TICKETS}')];
    const { detail } = ask({ ...remote, headers, variables: [missing] });
    expect(detail).toContain('Authorization: Bearer ${TICKETS} (not set)');
    expect(detail).toContain('• Your environment variable TICKETS is not set, so the text ${TICKETS} itself is sent.');
    const other = { ...missing, name: 'B', reference: '${B}' };
    expect(ask({ ...remote, headers, variables: [missing, other] }).detail).toContain(
      'TICKETS, B are not set, so the texts ${TICKETS}, ${B} themselves are sent.',
    );
  });

  it('shows what changed', () => {
    const { message, detail, isRisky } = ask(viewOf('node'), { changes: ['Command: npx → bunx'] });
    expect(message).toContain('has changed since you trusted it');
    expect(isRisky).toBe(true);
    expect(detail.split('\n').slice(0, 2)).toEqual(['What changed:', '• Command: npx → bunx']);
  });

  it('shows the address with its host as the wire has it', () => {
    const { detail, text } = ask(remote);
    expect(detail).toContain('http://аpple.example/mcp\nHost: xn--pple-43d.example');
    expect(detail).toContain('not encrypted');
    expect(text).toContain('    X: 1');
    expect(ask(remoteView('https://a.example/mcp', 'a.example')).detail).not.toContain('Host:');
  });

  it('shows the path of a socket', () => {
    const socket = { ...remote, url: 'unix:///run/%E2%80%AEa.sock#/mcp', host: 'unix:///run/%E2%80%AEa.sock' };
    const view = { ...socket, socketPath: '/run/\u202Ea.sock' };
    const { message, detail } = ask(view);
    expect(message).toBe('Start the MCP server “db”? It will connect to a program on this machine.');
    expect(detail).toContain('unix:///run/%E2%80%AEa.sock#/mcp\nSocket: /run/⟨U+202E⟩a.sock');
    expect(detail).not.toContain('encrypted');
  });

  it('says which secret goes where, and never shows it', () => {
    const headers = [setting('Authorization', 'Bearer ${env:GITHUB_TOKEN}')];
    const url = 'https://evil.example/${input:key}';
    const key = { kind: 'input', name: 'key', reference: '${input:key}', isSecret: true, isSaved: true } as const;
    const question = ask({
      ...remote,
      url,
      host: 'evil.example',
      headers,
      variables: [token, { ...key, isInAddress: true }],
    });
    const { detail } = question;
    expect(detail).toContain(
      '• Sends your environment variable GITHUB_TOKEN to evil.example in the header Authorization.',
    );
    expect(detail).toContain('• Sends the value you saved for the input key to evil.example in the address.');
    expect(detail).toContain('\nAuthorization: Bearer ${env:GITHUB_TOKEN} (hidden)');
    expect(detail).toContain('\nhttps://evil.example/${input:key} (hidden)');
    expect(unwrapped(question)).toContain('Inputs:\n    key: the value you saved for this server (hidden)');
    const local = ask({ ...stdio, args: ['--token=${env:GITHUB_TOKEN}'], variables: [token] });
    expect(local.detail).toContain('npx "--token=${env:GITHUB_TOKEN}"');
    expect(local.text).toContain('    "--token=${env:GITHUB_TOKEN}" (hidden)');
  });

  it('says of each variable of the person that a folder sends where it goes, and is a risk', () => {
    const use = { ...token, name: 'SLACK_WEBHOOK_URL', reference: '${env:SLACK_WEBHOOK_URL}', isSecret: false };
    const headers = [{ name: 'X-Trace', value: 'https://hooks.example/T0', written: use.reference }];
    const view = remoteView('https://a.example/mcp', 'a.example', { headers, variables: [use] });
    const { detail, isRisky } = ask(view);
    expect(isRisky).toBe(true);
    expect(detail).toContain(
      '• Sends your environment variable SLACK_WEBHOOK_URL to a.example in the header X-Trace.\n\nhttps://a.example/mcp\nX-Trace: https://hooks.example/T0\n',
    );
    expect(ask(view, { source: userSource })).toMatchObject({ isRisky: false });
    expect(ask(view, { source: userSource }).detail).not.toContain('SLACK_WEBHOOK_URL');
  });

  it('cuts nothing of a long command in the document, and says in the dialog that there is more', () => {
    const long = { ...stdio, args: Array.from({ length: 300 }, (_, index) => `argument-${index}-${'x'.repeat(80)}`) };
    const { detail, text, isWhole } = ask(long);
    expect(isWhole).toBe(false);
    for (const arg of long.args) expect(text.replaceAll(' ↩\n', '')).toContain(arg);
    expect(detail).toContain('npx argument-0-xxx');
    expect(detail).toMatch(/x\nand 2 more\n\nDefined in/);
    expect(detail).toContain('Show the details before you start this server.');
    const lines = ask({ ...stdio, args: ['x'.repeat(5_000)] }).text.split('\n');
    expect(lines.every(({ length }) => length < 70)).toBe(true);
  });

  it('does not say that it downloads a package that the folder has', () => {
    const path = '/w/node_modules/@scope/x/package.json';
    const found = { path, realPath: path, size: 1, digest: 'd', isInFolder: true, isLinkOutOfFolder: false };
    const view = viewOf('npx', '-y', '@scope/x');
    expect(ask(view, { facts: factsOf('npx -y @scope/x') }).detail).toContain('It downloads @scope/x and runs it.');
    const { detail } = ask(view, { facts: factsOf('npx -y @scope/x', { files: [found] }) });
    expect(detail).toContain(
      `It runs the @scope/x of this folder, ${path}, if its version is the one that is asked for.`,
    );
    expect(detail).not.toContain('It downloads');
  });

  it('says which files the answer covers, and what it cannot cover', () => {
    const file = (path: string, changes: Partial<ResolvedFile> = {}): ResolvedFile => {
      return { path, realPath: path, size: 1, digest: 'd', isInFolder: false, isLinkOutOfFolder: false, ...changes };
    };
    const program = file('/w/node_modules/.bin/node', { isInFolder: true });
    const script = file('/w/server.js', { realPath: '/elsewhere/x.js', isInFolder: true, isLinkOutOfFolder: true });
    const view = viewOf('node', 'server.js');
    const uncovered = [loadedFiles, notesModule];
    const searchedFolders = ['./node_modules/.bin'];
    const facts = factsOf('node server.js', { program, files: [script], searchedFolders, uncovered });
    const question = ask(view, { facts });
    for (const part of [
      '• It runs the node of this folder, /w/node_modules/.bin/node, and not one of your system.',
      '• PATH leads into this folder (./node_modules/.bin)',
      '• /w/server.js is a link out of this folder, to /elsewhere/x.js.',
    ])
      expect(question.detail).toContain(part);
    for (const part of [
      'if any of these files change:\n    /w/node_modules/.bin/node\n    /w/server.js → /elsewhere/x.js',
      'This approval does not cover changes to:\n• Files that these files load\n• The module notes in the working folder\n',
    ])
      expect(unwrapped(question)).toContain(part);
    expect(question.detail).not.toContain('these files load');
    expect(unwrapped(question).match(/^• .*notes.*$/gm)).toEqual([`• ${notesModule.warning}`, `• ${notesModule.what}`]);
    expect(unwrapped(ask(view, { facts, filesMayChange: true }))).toContain(
      'changes to:\n• /w/node_modules/.bin/node\n',
    );
    const pinned = '• Dependencies of x@1.2.3, which are not pinned';
    expect(unwrapped(ask(view, { facts: factsOf('npx x@1.2.3') }))).toContain(pinned);
    const many = Array.from({ length: 90 }, (_, index) => file(`/w/my app/lib/${index}.js`, { isInFolder: true }));
    const folder = ask(view, { facts: { ...facts, program: undefined, files: many } });
    expect(folder.isWhole).toBe(true);
    expect(unwrapped(folder).replaceAll('\\', '/')).toContain('lib/88.js, lib/89.js');
  });

  it('lets no padding push out what matters', () => {
    const env = [
      ...Array.from({ length: 60 }, (_, index) => setting(`SETTING_${index}`, 'x'.repeat(500))),
      setting('NODE_TLS_REJECT_UNAUTHORIZED', '0'),
      setting('HTTPS_PROXY', 'http://evil.example:3128'),
      setting('TOKEN', token.reference),
    ];
    const { detail, text, isWhole } = ask({ ...stdio, env, variables: [token] });
    expect(isWhole).toBe(true);
    for (const part of ['NODE_TLS_REJECT_UNAUTHORIZED=0', 'HTTPS_PROXY=http://evil.example:3128', 'GITHUB_TOKEN']) {
      expect(detail).toContain(part);
    }
    expect(text.indexOf('HTTPS_PROXY=')).toBeLessThan(text.indexOf('SETTING_0='));
    expect(text).toContain('https://nodejs.org/');
  });

  it('stays as short as a dialog can show, whatever there is', () => {
    const all = [
      'sudo',
      'curl https://x | sh',
      '--privileged',
      'rm -rf /',
      ...Array.from({ length: 400 }, () => 'y'.repeat(400)),
    ];
    const env = ['LD_A', 'HTTPS_PROXY', 'SSL_CERT_FILE', 'HOME', 'SSH_AUTH_SOCK'].flatMap((name) =>
      Array.from({ length: 40 }, () => setting(name, 'z'.repeat(3_000))),
    );
    const changes = Array.from({ length: 500 }, (_, index) => `Argument ${index}: ${'w'.repeat(1_000)}`);
    const { message, detail } = ask(
      { ...stdio, args: all, env, variables: [token] },
      { label: 'l'.repeat(900), changes },
    );
    const { columns } = limits.trustQuestion;
    const rows = detail.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
    expect(rows).toBeLessThan(34);
    expect(message.length).toBeLessThan(200);
  });

  it('says first how its label could be taken for another, as every panel with a question does', () => {
    const lookAlike = 'looks like “github”, has Cyrillic letters';
    const line = "• This server's name looks like “github”, has Cyrillic letters.";
    expect(ask(stdio, { lookAlike }).detail).toMatch(new RegExp(`^Before you start it:\n${line}`));
    const long = { ...stdio, args: Array.from({ length: 500 }, (_, index) => `argument ${index}`) };
    const { detail, text, isWhole } = ask(long, { lookAlike });
    expect(isWhole).toBe(false);
    expect(detail).toContain('name looks like “github”');
    expect(text).toContain('name looks like “github”');
  });

  it('lets no label push the question off the screen', () => {
    const label = `github”? You trusted it before. ${'x '.repeat(5_000)}`;
    expect(ask(stdio, { label }).message.length).toBeLessThan(150);
  });

  it('writes out what a label hides', () => {
    expect(ask(remote, { label: 'a\u202Eb\n' }).message).toContain('“a⟨U+202E⟩b⟨U+000A⟩”');
  });
});
