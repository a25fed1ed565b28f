import { isRecord, isString } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { type ConfigurationProblem, createProblemList, type ReportProblem } from './configurationProblem.ts';
import type { TextRange } from './configuredServer.ts';
import { createEntryReport, type EntryReport } from './entryReport.ts';
import { type InputDefinition, readInputs } from './inputs.ts';
import { type JsonDocument, type JsonNode, type JsonProperty, parseJsonDocument, propertyOf } from './jsonDocument.ts';
import { readServerEntry } from './readServerEntry.ts';
import { type OptionsScope, readOptionsTarget, readServerOptions } from './readServerOptions.ts';
import type { ServerDefinition, ServerOptions } from './serverDefinition.ts';
import { entriesOf, type FileKind, findServerSection, propertyAt, type ServerSection } from './serverSection.ts';
import { reportSections } from './sectionProblems.ts';
import { findVariables, usesShellVariables, variableMeaning } from './variables.ts';

/** One server of a file or setting. */
export interface ParsedEntry {
  readonly label: string;
  readonly definition: ServerDefinition;
  readonly options: ServerOptions;
  /** The range of the entry's key; `undefined` for settings. */
  readonly range: TextRange | undefined;
}

/** The content of one file or setting. */
export interface ParsedConfiguration {
  readonly servers: readonly ParsedEntry[];
  /** All labels, including those of unusable entries. */
  readonly labels: readonly string[];
  readonly inputs: readonly InputDefinition[];
  readonly problems: readonly ConfigurationProblem[];
}

/** The options for one label in the setting `patchbay.serverOptions`. */
export interface OptionsEntry {
  readonly options: ServerOptions;
  /** The definition that they are bound to (`for`). */
  readonly target: string | undefined;
}

/**
 * Parses one configuration file: `.vscode/mcp.json`, `.mcp.json`, `.cursor/mcp.json` or `.github/mcp.json`, by `kind`.
 * Never throws: valid parts are used, invalid ones are reported with their range. If a label occurs twice, the last entry is
 * used, as in JSON.
 */
export function parseConfiguration(text: string, kind: FileKind): ParsedConfiguration {
  return readDocument(text, parseJsonDocument(text), {
    section: (root, report) => {
      const section = findServerSection(root, kind);
      reportSections(text, root, { kind, section }, report);
      return section;
    },
    shellStyle: usesShellVariables(kind),
    scope: 'workspace',
  });
}

/**
 * Parses the settings `patchbay.servers` (an object like "servers" of a file) and `patchbay.inputs` (a list).
 * Never throws. Problems have no range, since the text of settings is not available.
 */
export function parseServersSetting(servers: unknown, inputs: unknown): ParsedConfiguration {
  const text = settingText({ servers: servers ?? {}, inputs: inputs ?? [] });
  const section = { kind: 'own', path: ['servers'], inputsPath: ['inputs'] } as const;
  const parsed = readDocument(text, parseJsonDocument(text), {
    section: () => section,
    shellStyle: false,
    scope: 'user',
  });
  return {
    inputs: parsed.inputs,
    labels: parsed.labels,
    servers: parsed.servers.map((server) => ({ ...server, range: undefined })),
    problems: parsed.problems.map(withoutPlace),
  };
}

/** Parses the setting `patchbay.serverOptions`: an object of options by server label. Never throws. */
export function parseServerOptionsSetting(
  value: unknown,
  scope: OptionsScope,
): {
  readonly options: ReadonlyMap<string, OptionsEntry>;
  readonly problems: readonly ConfigurationProblem[];
} {
  const document = parseJsonDocument(settingText(isRecord(value) ? value : {}));
  const list = createProblemList(document.problems);
  const options = new Map(
    (document.root?.properties ?? []).map((property): [string, OptionsEntry] => {
      const report = createEntryReport(property, [], list.report);
      const entry = readServerOptions(property.value, report, scope);
      return [property.key, { options: entry, target: readOptionsTarget(property.value, report) }];
    }),
  );
  return { options, problems: list.problems.map(withoutPlace) };
}

/** Serializes a setting, so that settings and files are checked by the same code. */
function settingText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Stack overflow: nested too deeply. The result exceeds the depth limit too, which is then reported.
    return '['.repeat(limits.configuration.depth + 1);
  }
}

/** How a source is read. */
interface ReadOptions {
  /** Finds the servers, and reports what is wrong with the place. */
  readonly section: (root: JsonNode, report: ReportProblem) => ServerSection;
  readonly shellStyle: boolean;
  readonly scope: OptionsScope;
}

function readDocument(text: string, { root, problems }: JsonDocument, reading: ReadOptions): ParsedConfiguration {
  const list = createProblemList(problems);
  const found = root === undefined ? emptyConfiguration : readRoot(text, root, reading, list.report);
  return { ...found, problems: list.problems };
}

const emptyConfiguration = { servers: [], labels: [], inputs: [] } as const;

function readRoot(
  text: string,
  root: JsonNode,
  reading: ReadOptions,
  report: ReportProblem,
): Omit<ParsedConfiguration, 'problems'> {
  if (root.type !== 'object') {
    const message = 'The file must hold an object with the servers.';
    report({ code: 'badType', severity: 'error', message, range: root.range });
    return emptyConfiguration;
  }
  const section = reading.section(root, report);
  const inputs = readInputs(propertyAt(root, section.inputsPath)?.value, report);
  const object = section.path.length === 0 ? root : propertyAt(root, section.path)?.value;
  if (object === undefined) return { ...emptyConfiguration, inputs };
  if (object.type !== 'object') {
    const message = `"${section.path.join('.')}" must be an object with one server for each label.`;
    report({ code: 'badType', severity: 'error', message, range: object.range });
    return { ...emptyConfiguration, inputs };
  }
  const entries = entriesOf(section, object);
  const context = { section, inputIds: new Set(inputs.map(({ id }) => id)), reading };
  return { servers: readEntries(text, entries, context, report), labels: entries.map(({ key }) => key), inputs };
}

/** What the entries of a section refer to. */
interface EntryContext {
  readonly section: ServerSection;
  readonly inputIds: ReadonlySet<string>;
  readonly reading: Pick<ReadOptions, 'shellStyle' | 'scope'>;
}

function readEntries(
  text: string,
  entries: readonly JsonProperty[],
  { section, inputIds, reading }: EntryContext,
  report: ReportProblem,
): ParsedEntry[] {
  return entries.flatMap((property): ParsedEntry[] => {
    const { key: label, keyRange: range, value } = property;
    if (label.trim() === '') {
      report({ code: 'emptyLabel', severity: 'error', message: 'A server needs a name that is not empty.', range });
      return [];
    }
    if (property.isOverridden) {
      const message = `The server "${label}" is defined again further down; only the last definition counts.`;
      report({ code: 'duplicateLabel', severity: 'warning', message, range });
      return [];
    }
    const entryReport = createEntryReport(property, [...section.path, label], report);
    const entry = readServerEntry(value, entryReport, reading.scope);
    checkVariables(text, value, { isShellStyle: reading.shellStyle, inputIds, section }, entryReport);
    return entry === undefined ? [] : [{ label, range, ...entry }];
  });
}

function withoutPlace({ code, severity, message }: ConfigurationProblem): ConfigurationProblem {
  return { code, severity, message, range: undefined };
}

/**
 * While a file is not valid JSON, keeps its previous servers and inputs that cannot be read now: a missing brace, auto-saved
 * while typing, must not stop running servers.
 * @param previous the last result of this function for the same file
 */
export function keepServersOfBrokenFile(
  parsed: ParsedConfiguration,
  previous: ParsedConfiguration | undefined,
): ParsedConfiguration {
  if (previous === undefined || !parsed.problems.some(({ code }) => code === 'brokenJson')) return parsed;
  const labels = new Set(parsed.labels);
  const ids = new Set(parsed.inputs.map(({ id }) => id));
  const kept = previous.servers.filter(({ label }) => !labels.has(label));
  return {
    ...parsed,
    // Their ranges are no longer valid.
    servers: [...parsed.servers, ...kept.map((server) => ({ ...server, range: undefined }))],
    inputs: [...parsed.inputs, ...previous.inputs.filter(({ id }) => !ids.has(id))],
  };
}

/** What the variables of an entry may refer to. */
interface KnownVariables {
  readonly isShellStyle: boolean;
  readonly inputIds: ReadonlySet<string>;
  readonly section: ServerSection;
}

/** The members of an entry in which variables are expanded. */
const expandedKeys = ['command', 'args', 'cwd', 'env', 'envFile', 'url', 'headers'];

/**
 * Reports variables of an entry that cannot be expanded, each with its range.
 * @param text the whole document that contains `entry`
 */
function checkVariables(text: string, entry: JsonNode, known: KnownVariables, report: EntryReport): void {
  const options = propertyOf(entry, 'patchbay')?.value;
  const auth = options === undefined ? undefined : propertyOf(options, 'auth')?.value;
  const idp = auth === undefined ? undefined : propertyOf(auth, 'idp')?.value;
  const scopes = auth === undefined ? undefined : propertyOf(auth, 'scopes')?.value;
  const nodes = [...expandedKeys.map((key) => propertyOf(entry, key)?.value), auth, idp, scopes].flatMap(leavesOf);
  for (const node of nodes) {
    // The raw text, not the value: escape sequences would shift the offsets.
    const raw = text.slice(node.range.offset, node.range.offset + node.range.length);
    for (const { name, offset, length } of findVariables(raw)) {
      checkVariable(name, { offset: node.range.offset + offset, length }, known, report);
    }
  }
}

function checkVariable(
  name: string,
  range: TextRange,
  { isShellStyle, inputIds, section }: KnownVariables,
  report: EntryReport,
): void {
  const meaning = variableMeaning(name, isShellStyle);
  switch (meaning.kind) {
    case 'input': {
      if (inputIds.has(meaning.id)) return;
      const title = `Add the input "${meaning.id}"`;
      const fix = { kind: 'addInput', title, id: meaning.id, path: section.inputsPath } as const;
      report.add('undefinedInput', 'error', `the input "${meaning.id}" is not defined in "inputs".`, range, fix);
      return;
    }
    case 'unsupported':
      report.add('unknownVariable', 'error', `the variable \${${name}} is not available to servers.`, range);
      return;
    case 'foreign':
      report.add(
        'unknownVariable',
        'warning',
        `the variable \${${name}} is not known; it is passed on as it is written.`,
        range,
      );
      return;
    case 'environment':
    case 'pathSeparator':
    case 'userHome':
    case 'workspaceFolder':
    case 'workspaceFolderBasename':
  }
}

function leavesOf(node: JsonNode | undefined): JsonNode[] {
  if (node === undefined) return [];
  if (isString(node.value)) return [node];
  return [...node.items, ...node.properties.map((property) => property.value)].filter((child) => isString(child.value));
}
