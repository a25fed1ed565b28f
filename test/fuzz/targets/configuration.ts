import * as fc from 'fast-check';
import { canonicalJson } from '../../../src/base/digest.ts';
import { applyTextEdits, addServerEdits, editsForFix } from '../../../src/config/editConfiguration.ts';
import type { ConfigurationSource } from '../../../src/config/configuredServer.ts';
import { importPasted, readImport } from '../../../src/config/importServers.ts';
import { createLaunchPlan, type LaunchContext } from '../../../src/config/createLaunchPlan.ts';
import { parseJsonDocument } from '../../../src/config/jsonDocument.ts';
import { mergeConfiguration } from '../../../src/config/mergeConfiguration.ts';
import { parseConfiguration } from '../../../src/config/parseConfiguration.ts';
import { type FileKind, fileKinds, limitsOf } from '../../../src/config/serverSection.ts';
import { createTrustRecord, describeChange, readTrustRecord } from '../../../src/config/trustRecord.ts';
import { hostileValue, tellingNames, tellingTexts } from '../arbitraries.ts';
import { assertExpected, attempt, type Target } from '../target.ts';

interface ConfigurationCase {
  readonly kind: FileKind;
  readonly text: string;
}

const usual = 'server.js ~/x ${workspaceFolder} ${env:HOME} ${input:key} ${input: ${a:-${b}} TOKEN'.split(' ');
const word = fc.oneof(fc.constantFrom(...usual), fc.constantFrom(...tellingTexts), fc.string({ maxLength: 12 }));
const value = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 5, arbitrary: right }, { weight: 1, arbitrary: hostileValue });
const texts = fc.dictionary(word, value(word), { maxKeys: 4, noNullPrototype: true });
const server = fc.oneof(
  fc.record(
    {
      type: value(fc.constantFrom('stdio', 'http', 'sse', 'pigeon')),
      command: value(word),
      args: value(fc.array(word, { maxLength: 4 })),
      cwd: value(word),
      env: value(texts),
      envFile: value(word),
      url: value(fc.oneof(fc.webUrl(), word)),
      headers: value(texts),
      patchbay: value(
        fc.record(
          {
            timeouts: value(fc.dictionary(fc.constantFrom('connectMs', 'requestMs', 'maximumMs'), value(fc.double()))),
            revision: value(word),
            roots: value(fc.array(word, { maxLength: 2 })),
            autoStart: value(fc.boolean()),
            trace: value(fc.boolean()),
            auth: value(texts),
          },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
  hostileValue,
);
const label = fc.oneof(fc.constantFrom('a', 'b', ...tellingNames), fc.string({ maxLength: 6 }));
const servers = value(fc.dictionary(label, server, { maxKeys: 4, noNullPrototype: true }));
const inputs = value(fc.array(fc.oneof(texts, hostileValue), { maxLength: 3 }));

const insertions = ['', ',', '{', '}', '[', ']', '"', ':', '//', '/*', '\\', '\r', '\u0000', '\uFEFF', '🧵'];
/** A file as people write it, then damaged in some places. */
const text = fc
  .tuple(
    fc.record({ servers, mcpServers: servers, inputs }, { requiredKeys: [], noNullPrototype: true }),
    fc.constantFrom('', '  ', '\t'),
    fc.array(
      fc.record({
        place: fc.integer({ min: 0, max: 999 }),
        removed: fc.nat(4),
        inserted: fc.constantFrom(...insertions),
      }),
      { maxLength: 4 },
    ),
  )
  .map(([file, indent, damages]) =>
    damages.reduce(
      (whole, { place, removed, inserted }) => {
        const start = Math.floor((whole.length * place) / 1_000);
        return `${whole.slice(0, start)}${inserted}${whole.slice(start + removed)}`;
      },
      JSON.stringify(file, undefined, indent) ?? '',
    ),
  );

const cases: fc.Arbitrary<ConfigurationCase> = fc.record({
  kind: fc.constantFrom(...(Object.keys(fileKinds) as FileKind[])),
  text,
});

const folder = { name: 'work', uri: 'file:///work', path: '/work' };
const context: LaunchContext = {
  folders: [folder],
  userHome: '/home/me',
  pathSeparator: '/',
  environment: { HOME: '/home/me', TOKEN: 'opensesame' },
  resolveInput: (id) => Promise.resolve({ value: `value of ${id}`, isSecret: true, isSaved: false }),
  realPath: (path) => Promise.resolve(path),
  readTextFile: () => Promise.resolve('FROM_FILE=1\n'),
};

export const configurationTarget: Target<ConfigurationCase> = {
  name: 'configuration',
  title: 'configuration files, from their text to what would be started and what is remembered of it',
  open: async () => ({ cases, run, close: () => Promise.resolve([]) }),
};

async function run({ kind, text: file }: ConfigurationCase): Promise<void> {
  const parsed = parseConfiguration(file, kind);
  for (const { range, message, fix } of parsed.problems) {
    if (message === '') throw new Error('A problem says nothing.');
    if (range !== undefined && (range.offset < 0 || range.offset + range.length > file.length))
      throw new Error(`"${message}" points beyond the file.`);
    if (fix !== undefined) parseConfiguration(applyTextEdits(file, editsForFix(file, fix)), kind);
  }
  const source: ConfigurationSource = { kind, uri: 'file:///w/mcp.json', folder, title: 'mcp.json' };
  const read = { source, parsed };
  const merged = mergeConfiguration([read, read], { user: undefined, workspace: new Map() });
  for (const configured of merged.servers) await launch(configured);
  attempt(() => importPasted(file, 'pasted'));
  // Both syntaxes of other clients that are no JSON; YAML reads JSON as well.
  for (const format of ['mcpServers', 'vscode', 'continue', 'goose', 'codex'] as const)
    await readImport(file, format, { style: 'dollar' });
  edit(file, kind);
}

/** The stored record of a definition can be read again, and equals it. */
async function launch(configured: Parameters<typeof createLaunchPlan>[0]): Promise<void> {
  try {
    const { view } = await createLaunchPlan(configured, context);
    if (JSON.stringify(view).includes('opensesame')) throw new Error('A secret is shown.');
    const record = await createTrustRecord(view);
    const read = readTrustRecord(JSON.parse(JSON.stringify(record)));
    if (read === undefined) throw new Error('The record of trust cannot be read again.');
    if (canonicalJson(read) !== canonicalJson(record)) throw new Error('The record of trust changed when it was kept.');
    const changes = describeChange(read, record);
    if (changes.length > 0) throw new Error(`Nothing changed, but: ${changes.join(' ')}`);
  } catch (error) {
    assertExpected(error);
  }
}

/** An added server is in the file afterwards, if the file is readable. */
function edit(file: string, kind: FileKind): void {
  const before = parseConfiguration(file, kind);
  // Of a file about more without servers nothing is reported.
  const faults = [...before.problems, ...parseJsonDocument(file, limitsOf(kind)).problems];
  if (faults.some(({ severity }) => severity === 'error')) return;
  const added = applyTextEdits(file, addServerEdits(file, kind, 'added', { command: 'x' }));
  const { servers: after } = parseConfiguration(added, kind);
  if (!after.some(({ label: name }) => name === 'added')) throw new Error('The added server is not there.');
  if (after.length < before.servers.length) throw new Error('A server was lost.');
}
