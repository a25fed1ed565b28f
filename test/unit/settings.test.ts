import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { parseServerOptionsSetting } from '../../src/config/parseConfiguration.ts';
import { folderSetting, isSwitchedOn, personalSetting } from '../../src/host/platform/settings.ts';

const values = vi.hoisted((): Record<string, unknown> => ({}));
vi.mock('vscode', () => ({
  workspace: { getConfiguration: () => ({ inspect: (name: string) => ({ ...values, name }) }) },
}));

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Who decides on a setting, and so how the code reads it:
 * - `person`: `personalSetting`; a folder has no say.
 * - `narrowed`: `isSwitchedOn`; a folder may turn it off, and does not overrule a person's `false`.
 * - `shared`: `personalSetting` and `folderSetting`; a table of its own says what a folder may set.
 */
type Road = 'person' | 'narrowed' | 'shared';

type Rule = readonly [scope: 'application' | 'window', road: Road, reason: string];

/** Every setting. */
const settings: Readonly<Record<string, Rule>> = {
  servers: [
    'window',
    'person',
    'A folder defines servers in files, which need trust. The scope lets a remote machine have servers.',
  ],
  inputs: ['window', 'person', 'They are the values of the person, for their own servers.'],
  serverOptions: ['window', 'shared', 'A folder may set options of its own servers that give no permission.'],
  demoServer: [
    'window',
    'narrowed',
    'A folder may list it, and has no say in what it runs or when. A false of the person holds.',
  ],
  'icons.fetch': ['window', 'narrowed', 'It sends requests. A folder may want none, and must not cause any.'],
  'signIn.redirect': ['application', 'person', 'It decides where codes of sign-ins arrive.'],
  models: ['application', 'person', 'It decides where requests and keys go.'],
  'sampling.maxTokens': ['application', 'person', 'It bounds what a server may spend.'],
  'sampling.dailyTokens': ['application', 'person', 'It bounds what rules may spend.'],
  'sampling.maxRounds': ['application', 'person', 'It bounds what a conversation may spend.'],
  'audit.bodies': ['application', 'person', 'It decides what of the person is recorded.'],
  'apps.enabled': ['window', 'narrowed', 'Apps run code of servers. A folder may want none, and must not bring any.'],
  'apps.openWithCall': [
    'window',
    'narrowed',
    'An app that opens by itself runs code. A folder may prefer that it does not.',
  ],
  'apps.blockedDomains': ['application', 'person', 'A folder could empty the list.'],
  'apps.evaluation': ['application', 'person', 'It allows apps to run code that they make.'],
  'apps.ownOrigin': ['application', 'person', 'It gives apps storage, and opens a local port.'],
  'history.enabled': ['application', 'person', 'It decides what of the person is kept.'],
  'history.results': ['application', 'person', 'It decides what of the person is kept.'],
};

/** A value of each leaf of `patchbay.serverOptions`, and whether a folder may set it for its own servers. */
const options: Readonly<Record<string, readonly [value: unknown, folderMay: boolean, reason: string]>> = {
  for: ['npx a', false, 'It binds options of the person to a definition.'],
  autoStart: [true, false, 'It starts a program.'],
  autoRestart: [true, true, 'Starts again what the person has started.'],
  trace: [true, true, 'Shows messages in a channel of the window, without secrets; nothing is sent or stored.'],
  'dev.watch': ['src/**', true, 'Restarts only what the person has started and approved.'],
  'dev.debug.type': ['node', true, 'Selects a debugger for a start that the person asks for.'],
  'dev.debug.debugpyPath': ['/a/debugpy', false, 'It is code that runs.'],
  revision: ['2025-11-25', true, 'Selects among the revisions that Patchbay speaks.'],
  roots: ['all', false, 'It discloses folders.'],
  'timeouts.connectMs': [1, true, 'Waits for its own server.'],
  'timeouts.requestMs': [1, true, 'Waits for its own server.'],
  'timeouts.maximumMs': [1, true, 'Waits for its own server.'],
  'timeouts.pingMs': [1, true, 'Asks its own server.'],
  'limits.messageBytes': [1, false, 'It allows more memory.'],
  'limits.members': [1, false, 'It allows more memory.'],
  'auth.flow': ['authorizationCode', true, 'The sign-in still asks, and needs what only the person has.'],
  'auth.issuer': [
    'https://a.example',
    true,
    'Refuses all others; secrets go only to the issuer that the person names.',
  ],
  'auth.clientId': ['a', true, 'Is public.'],
  'auth.scopes': [['a'], true, 'The question before the sign-in names them.'],
  'auth.resource': [false, false, 'It asks for a token for something else than the server.'],
  'auth.parameters': [{ audience: 'a' }, false, 'They can ask for a token for something else than the server.'],
  'auth.redirectUri': [
    'http://localhost:4000/callback',
    true,
    'Is an address of this machine that Patchbay listens at.',
  ],
  'auth.metadataUrl': ['https://a.example', false, 'It decides where the sign-in takes place.'],
  'auth.redirectPort': [4_000, true, 'Is a port of this machine that Patchbay listens at.'],
  'auth.clientMetadataUrl': ['https://a.example', true, 'Is public.'],
  'auth.signingAlgorithm': ['ES256', true, 'Is of no use without the key, which only the person sets.'],
  'auth.dpop': [true, true, 'Binds tokens of its own server.'],
  'auth.clientSecret': ['a', false, 'It is a secret.'],
  'auth.privateKey': ['a', false, 'It is a secret.'],
  'auth.assertion': ['a', false, 'It says who the person is.'],
  'auth.allowInsecure': [true, false, 'It lifts a protection.'],
  'auth.idp.issuer': ['https://a.example', false, 'It gets the ID token of the person.'],
  'auth.idp.tokenEndpoint': ['https://a.example', false, 'It gets the ID token of the person.'],
  'auth.idp.clientId': ['a', false, 'It is used with the identity provider of the person.'],
  'auth.idp.clientSecret': ['a', false, 'It is a secret.'],
  'auth.idp.idToken': ['a', false, 'It says who the person is.'],
};

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly object[];
  readonly scope?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
}

interface Manifest {
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: { readonly configuration: { readonly properties: Readonly<Record<string, Schema>> } };
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const { properties } = manifest.contributes.configuration;

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, 'src', path), 'utf8') }));

function leavesOf(schema: Schema | undefined, place = ''): string[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, member]) =>
    member.properties === undefined ? [`${place}${name}`] : leavesOf(member, `${place}${name}.`),
  );
}

/** True if a call of `reader` names the setting, whole or as the section of a template. */
function isReadBy(reader: string, name: string): boolean {
  const section = name.split('.').slice(0, -1).join('.');
  const calls = [`${reader}('${name}')`, ...(section === '' ? [] : [`${reader}(\`${section}.\${`])];
  return sources.some(({ text }) => calls.some((call) => text.includes(call)));
}

describe('each setting', () => {
  it('is in the table with its scope, and has a reason', () => {
    const scopes = Object.entries(properties).map(([name, { scope }]) => [name, scope]);
    const expected = Object.entries(settings).map(([name, [scope]]) => [`patchbay.${name}`, scope]);
    expect(Object.fromEntries(scopes)).toEqual(Object.fromEntries(expected));
    for (const [, , reason] of Object.values(settings)) expect(reason).toMatch(/^[A-Z].{10,}\.$/);
  });

  it('that a folder can write is restricted until the folder is trusted', () => {
    const writable = Object.entries(properties).flatMap(([name, { scope }]) => (scope === 'application' ? [] : [name]));
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    expect(restrictedConfigurations.toSorted()).toEqual(writable.toSorted());
  });

  it.each(Object.entries(settings))('is read by the road that the table names: %s', (name, [, road]) => {
    // The demo server has its name in a constant, and `servers` is read by a key.
    const given = name === 'demoServer' && sources.some(({ text }) => text.includes('isSwitchedOn(demoSetting)'));
    expect(isReadBy('personalSetting', name)).toBe(road !== 'narrowed');
    expect(given || isReadBy('isSwitchedOn', name)).toBe(road === 'narrowed');
    expect(isReadBy('folderSetting', name)).toBe(road === 'shared');
  });

  it('is read in one place', () => {
    const users = sources.filter(({ text }) => text.includes('getConfiguration('));
    const writers = users.filter(({ text }) => text.includes('ConfigurationTarget.Global'));
    for (const { path, text } of writers)
      expect([path, /\.inspect\b|(?:configuration|settings)\.get\b/.test(text)]).toEqual([path, false]);
    expect(users.filter((file) => !writers.includes(file)).map(({ path }) => path)).toEqual([
      // Where VS Code opens an editor beside another one.
      'host/apps/appPanel.ts',
      // Both read `http.*` of VS Code.
      'host/diagnosis/diagnosisPages.ts',
      // Answers of a test run, which are in no manifest.
      'host/platform/dialogs.ts',
      'host/platform/httpClients.ts',
      'host/platform/settings.ts',
    ]);
  });
});

describe('a folder', () => {
  beforeEach(() => {
    for (const name of Object.keys(values)) delete values[name];
  });

  it.each([
    ['says nothing', true, undefined, undefined, true],
    ['turns off what is on', true, true, false, false],
    ['turns off the default', true, undefined, false, false],
    ['cannot turn on what the person has turned off', true, false, true, false],
    ['cannot turn it on with another value', true, false, 'true', false],
    ['turns it off with anything but true', true, true, null, false],
    ['does not help a value of the person that is none', true, 'no', true, false],
  ])('%s', (_what, defaultValue, globalValue, workspaceValue, expected) => {
    Object.assign(values, { defaultValue, globalValue, workspaceValue, workspaceFolderValue: true });
    Object.assign(values, { globalLanguageValue: true, workspaceLanguageValue: true });
    expect(isSwitchedOn('apps.enabled')).toBe(expected);
  });

  it('has no say in what is read as the person set it', () => {
    Object.assign(values, { defaultValue: 1, workspaceValue: 3, workspaceFolderValue: 4 });
    expect([personalSetting('a'), folderSetting('a')]).toEqual([1, 3]);
    Object.assign(values, { globalValue: 2 });
    expect(personalSetting('a')).toBe(2);
  });

  it('sets only options that the table allows it', () => {
    const schema = properties['patchbay.serverOptions']?.additionalProperties;
    expect(Object.keys(options).toSorted()).toEqual(leavesOf(schema).toSorted());
    for (const [path, [value, folderMay, reason]] of Object.entries(options)) {
      const entry = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
      const { problems } = parseServerOptionsSetting({ notes: entry }, 'workspace');
      const isIgnored = problems.some(({ code }) => code === 'ignoredOption');
      expect([path, isIgnored]).toEqual([path, !folderMay]);
      expect(reason).not.toBe('');
    }
  });

  it('has no value in completion that is refused, and each option of a file in the schema of files', () => {
    const { resource } =
      properties['patchbay.serverOptions']?.additionalProperties?.properties?.['auth']?.properties ?? {};
    expect(resource?.anyOf).toEqual([{ type: 'string' }, { enum: [false] }]);
    const schema = JSON.parse(readFileSync(join(root, 'media/mcpServers.schema.json'), 'utf8')) as {
      readonly definitions: { readonly options: Schema };
    };
    const ofFiles = Object.keys(schema.definitions.options.properties?.['auth']?.properties ?? {});
    const allowed = Object.entries(options).filter(([path, [, folderMay]]) => folderMay && path.startsWith('auth.'));
    // The algorithm of a key that only the person sets.
    const names = allowed.map(([path]) => path.slice('auth.'.length)).filter((name) => name !== 'signingAlgorithm');
    expect(ofFiles.toSorted()).toEqual(names.toSorted());
  });
});
