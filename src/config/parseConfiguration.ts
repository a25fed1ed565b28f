import { isRecord, isString } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import {
  type ConfigurationFix,
  type ConfigurationProblem,
  EntryReport,
  ProblemList,
  type ReportProblem,
} from './configurationProblem.ts';
import type { TextRange } from './configuredServer.ts';
import { type InputDefinition, inputIds, readInputs } from './inputs.ts';
import { type JsonNode, type JsonProperty, nodeAt, parseJsonDocument } from './jsonDocument.ts';
import { findExceededLimit } from './jsonLimits.ts';
import { ownName } from './entryKeys.ts';
import { oauthKeys } from './readOAuth.ts';
import { nestedKeys, readServerEntry } from './readServerEntry.ts';
import { type OptionsEntry, type OptionsScope, readServerOptions } from './readServerOptions.ts';
import type { ServerDefinition, ServerOptions } from './serverDefinition.ts';
import {
  entriesOf,
  type FileKind,
  findServerSection,
  holdsServers,
  limitsOf,
  mayHaveServers,
  reportSections,
  type ServerSection,
  variableSyntax,
} from './serverSection.ts';
import {
  findVariables,
  knownVariable,
  replacementFor,
  unsupportedAdvice,
  type VariableMeaning,
  type VariableSyntax,
} from './variables.ts';

export interface ParsedEntry {
  readonly label: string;
  readonly definition: ServerDefinition;
  readonly options: ServerOptions;
  /** The range of the entry's key; `undefined` for settings. */
  readonly range: TextRange | undefined;
}

export interface ParsedConfiguration {
  readonly servers: readonly ParsedEntry[];
  /** All labels, including those of unusable entries. */
  readonly labels: readonly string[];
  readonly inputs: readonly InputDefinition[];
  readonly problems: readonly ConfigurationProblem[];
}

/**
 * Parses one configuration file, such as `.mcp.json`, by `kind`.
 * Never throws: valid parts are used, invalid ones are reported with their range. If a label occurs twice, the last entry is
 * used, as in JSON.
 */
export function parseConfiguration(text: string, kind: FileKind): ParsedConfiguration {
  if (!mayHaveServers(text, kind)) return { servers: [], labels: [], inputs: [], problems: [] };
  return parse(text, kind, 'workspace');
}

/**
 * Parses the settings `patchbay.servers` (an object like "servers" of a file) and `patchbay.inputs` (a list).
 * Never throws. Problems have no range, since the text of settings is not available.
 * @param scope who wrote them: entries of other clients' files are read the same way
 */
export function parseServersSetting(
  servers: unknown,
  inputs: unknown,
  scope: OptionsScope = 'user',
): ParsedConfiguration {
  const text = settingText({ servers: servers ?? {}, inputs: inputs ?? [] });
  const parsed = parse(text, undefined, scope);
  return {
    ...parsed,
    servers: parsed.servers.map((server) => ({ ...server, range: undefined })),
    problems: parsed.problems.map(withoutPlace),
  };
}

/** Parses the setting `patchbay.serverOptions`: an object of options by server label. Never throws. */
export function parseServerOptionsSetting(value: unknown, scope: OptionsScope) {
  const { root, problems } = parseJsonDocument(settingText(isRecord(value) ? value : {}));
  const list = new ProblemList(problems);
  const options: ReadonlyMap<string, OptionsEntry> = new Map(
    root?.properties.map((property) => {
      const report = new EntryReport(property, [], list.report);
      return [property.key, readServerOptions(property.value, report, scope)];
    }),
  );
  return { options, problems: list.problems.map(withoutPlace) };
}

function settingText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Stack overflow: nested too deeply. The result exceeds the depth limit too, which is then reported.
    return '['.repeat(limits.configuration.depth + 1);
  }
}

function withoutPlace({ code, severity, message }: ConfigurationProblem): ConfigurationProblem {
  return { code, severity, message, range: undefined };
}

const sectionOfSettings: ServerSection = { kind: 'top', path: ['servers'], inputsPath: ['inputs'] };

/** @param kind of the file; `undefined` for settings */
function parse(text: string, kind: FileKind | undefined, scope: OptionsScope): ParsedConfiguration {
  const { root, problems } = parseJsonDocument(text, kind && limitsOf(kind));
  const collected = new ProblemList(problems);
  const { report } = collected;
  if (root !== undefined && root.type !== 'object')
    report('badType', 'error', 'The file must hold an object with the servers.', root.range);
  if (root?.type !== 'object') return { servers: [], labels: [], inputs: [], problems: collected.problems };
  const section = kind === undefined ? sectionOfSettings : findServerSection(root, kind);
  const holder = nodeAt(root, section.path.slice(0, -1));
  // The limits of a file that is about more are wider than those of what is read of it.
  const exceeded = holder === undefined || holder === root ? undefined : exceededIn(text, holder);
  if (exceeded !== undefined) return { servers: [], labels: [], inputs: [], problems: [exceeded] };
  if (kind !== undefined) reportSections(root, kind, section, report);
  const list = nodeAt(root, section.inputsPath);
  const inputs = readInputs(list, report);
  const object = nodeAt(root, section.path);
  if (object !== undefined && object.type !== 'object' && object.type !== 'null') {
    const message = `"${section.path.join('.')}" must be an object with one server for each label.`;
    report('badType', 'error', message, object.range);
  }
  const entries = object?.type === 'object' ? entriesOf(section, object) : [];
  const syntax = variableSyntax(kind ?? 'user');
  const hasPlace = list === undefined || list.type === 'array' || list.type === 'null';
  const known = { text, syntax, ids: inputIds(list), inputsPath: hasPlace ? section.inputsPath : undefined, section };
  const servers = entries.flatMap((property) => readEntry(property, known, scope, report));
  return { servers, labels: entries.map(({ key }) => key), inputs, problems: collected.problems };
}

function exceededIn(text: string, { range }: JsonNode): ConfigurationProblem | undefined {
  const part = text.slice(range.offset, range.offset + range.length);
  const exceeded = findExceededLimit(part, limits.configuration);
  return exceeded && { ...exceeded, range };
}

function readEntry(
  property: JsonProperty,
  known: KnownVariables,
  scope: OptionsScope,
  report: ReportProblem,
): ParsedEntry[] {
  const { key: label, keyRange: range, value } = property;
  if (label.trim() === '') {
    report('emptyLabel', 'error', 'A server needs a name that is not empty.', range);
    return [];
  }
  if (property.isOverridden) {
    const message = `The server "${label}" is defined again further down; only the last definition counts.`;
    report('duplicateLabel', 'warning', message, range);
    return [];
  }
  const path = [...known.section.path, label];
  if (holdsServers(value)) {
    const message = `"${label}" holds what looks like servers. They belong one level up.`;
    report('wrongSection', 'warning', message, range, { kind: 'moveOut', title: `Move Out of "${label}"`, path });
    return [];
  }
  const entryReport = new EntryReport(property, path, report);
  const entry = readServerEntry(value, entryReport, scope);
  checkVariables(value, known, entryReport);
  return entry === undefined ? [] : [{ label, range, ...entry }];
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

interface KnownVariables {
  readonly text: string;
  readonly syntax: VariableSyntax;
  readonly ids: ReadonlySet<string>;
  /** `undefined` where "inputs" is no list, to which nothing can be added. */
  readonly inputsPath: readonly string[] | undefined;
  readonly section: ServerSection;
}

const expandedKeys = new Set(['command', 'args', 'cwd', 'env', 'envFile', 'url', 'headers', ...oauthKeys]);

/** @returns the members of an entry in which variables are expanded, with their names here */
function expandedMembers(entry: JsonNode): { readonly name: string; readonly value: JsonNode }[] {
  return entry.properties.flatMap(({ key, value, isOverridden }) => {
    const name = ownName(key);
    if (isOverridden) return [];
    if (nestedKeys.includes(key)) return expandedMembers(value);
    if (name === 'patchbay') return expandedMembers({ ...value, properties: value.properties.filter(isAuth) });
    return expandedKeys.has(name) ? [{ name, value }] : [];
  });
}

function isAuth({ key }: JsonProperty): boolean {
  return key === 'auth';
}

/** Reports variables of an entry that cannot be expanded, each with its range. */
function checkVariables(entry: JsonNode, known: KnownVariables, report: EntryReport): void {
  const { text, syntax } = known;
  for (const { name, value } of expandedMembers(entry)) {
    for (const { range: place } of leavesOf(value)) {
      // The raw text, not the value: escape sequences would shift the offsets.
      const raw = text.slice(place.offset, place.offset + place.length);
      // What looks like a variable in a line of code may be one of the shell that runs it.
      const isCode = name === 'args' && /\s/.test(raw);
      const found = findVariables(raw, 'shell');
      const whole = new Set(found.map(({ offset }) => offset));
      const variables = findVariables(raw, syntax);
      const read = new Set(variables.map(({ offset }) => offset));
      for (const { offset, length } of found) {
        if (read.has(offset) || !raw.startsWith('${env:', offset)) continue;
        const reference = raw.slice(offset, offset + length);
        const message = `in ${reference} only the variable inside the default is replaced, because defaults cannot contain variables here.`;
        report.add('unknownVariable', 'warning', message, { offset: place.offset + offset, length });
      }
      for (const { offset, length, meaning } of variables) {
        const range = { offset: place.offset + offset, length };
        // A variable in the default of another one is not replaced alone.
        const isFixed = !isCode && whole.has(offset);
        checkVariable(meaning, raw.slice(offset, offset + length), range, isFixed, known, report);
      }
      // Of other clients; in a line of code they may be anything.
      for (const other of name === 'args' ? [] : (['opencode', 'secrets'] as const)) {
        for (const { offset, length, meaning } of findVariables(raw, other)) {
          const range = { offset: place.offset + offset, length };
          const instead = meaning.kind === 'environment' ? `\${env:${meaning.name}}` : undefined;
          reportForeign(raw.slice(offset, offset + length), range, instead, report);
        }
      }
    }
  }
}

function checkVariable(
  meaning: VariableMeaning,
  reference: string,
  range: TextRange,
  isFixed: boolean,
  { ids, inputsPath, syntax }: KnownVariables,
  report: EntryReport,
): void {
  if (meaning.kind === 'input' && !ids.has(meaning.id)) {
    const { id } = meaning;
    const fix = inputsPath && ({ kind: 'addInput', title: `Add the input "${id}"`, id, path: inputsPath } as const);
    report.add('undefinedInput', 'error', `the input "${id}" is not defined in "inputs".`, range, fix);
  }
  if (meaning.kind === 'unsupported') {
    const message = `the variable ${reference} is not replaced here. ${unsupportedAdvice(reference, syntax)}`;
    report.add('unknownVariable', 'error', message, range, changeFix(replacementFor(reference, syntax), range));
  }
  if (meaning.kind === 'foreign') {
    reportForeign(reference, range, isFixed ? knownVariable(reference) : undefined, report);
  }
  if (meaning.kind === 'environment' && meaning.fallback?.includes('${') === true) {
    const message = `variables in the default of ${reference} are not replaced.`;
    report.add('unknownVariable', 'information', message, range);
  }
}

function reportForeign(reference: string, range: TextRange, instead: string | undefined, report: EntryReport): void {
  const message = `the variable ${reference} is not known; it is passed on as it is written.`;
  report.add('unknownVariable', 'warning', message, range, changeFix(instead, range));
}

/** @param range of the reference inside of a string: the text has no quotes */
function changeFix(text: string | undefined, range: TextRange): ConfigurationFix | undefined {
  if (text === undefined) return undefined;
  return { kind: 'replaceText', title: `Change to "${text}"`, range, text };
}

/** @returns the texts in a value, however deep */
function leavesOf(node: JsonNode): JsonNode[] {
  const inside = [...node.items, ...node.properties.map(({ value }) => value)].flatMap(leavesOf);
  return isString(node.value) ? [node] : inside;
}
