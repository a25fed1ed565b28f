import { PatchbayError } from '../base/errors.ts';
import { truncateWithEllipsis } from '../base/truncate.ts';
import { visibleText } from '../base/visibleText.ts';
import { applyTextEdits } from './editConfiguration.ts';
import { type JsonNode, type JsonProperty, nodeAt, parseJsonDocument } from './jsonDocument.ts';
import { appendMember, insertMember, removeMember, type TextEdit } from './memberEdits.ts';
import { type ParsedConfiguration, parseConfiguration } from './parseConfiguration.ts';
import { entriesOf, type FileKind, findServerSection, limitsOf } from './serverSection.ts';

/** A configuration file, with its name for people. */
interface ManagedFile {
  readonly kind: FileKind;
  readonly title: string;
}

// Each function returns the whole text, in which all else stays as it is: comments, order, indentation, line ends. Each throws a
// PatchbayError `configuration` where the file cannot be changed so that it is read as meant.

/** @returns with the entry as it was written, for {@link putBackServer} */
export function removeServer(text: string, file: ManagedFile, label: string) {
  const { section, entry } = findEntry(text, file, label);
  const written = writtenIn(text, entry);
  const changed = applyTextEdits(text, removeMember(text, section, entry));
  return { text: check(text, changed, file, (labels) => labels.filter((each) => each !== label)), written };
}

/** Adds an entry as it was written, at the end. */
export function putBackServer(text: string, file: ManagedFile, label: string, written: string): string {
  const { section, entries } = readSection(text, file);
  if (section === undefined) throw failure(`${file.title} no longer has a place for ${named(label)}.`);
  if (entries.some(({ key }) => key === label)) throw failure(`${file.title} now has another server ${named(label)}.`);
  const changed = applyTextEdits(
    text,
    insertMember(text, section, () => written),
  );
  return check(text, changed, file, (labels) => [...labels, label]);
}

export function renameServer(text: string, file: ManagedFile, label: string, name: string): string {
  const { entry } = findEntry(text, file, label);
  const changed = applyTextEdits(text, [{ ...entry.keyRange, text: JSON.stringify(name) }]);
  const renamed = new Map([[name, label]]);
  return check(text, changed, file, (labels) => labels.map((each) => (each === label ? name : each)), renamed);
}

/** Adds a copy right after a server. */
export function duplicateServer(text: string, file: ManagedFile, label: string, name: string): string {
  const { section, entry } = findEntry(text, file, label);
  const { offset, length } = entry.value.range;
  const written = `${JSON.stringify(name)}: ${text.slice(offset, offset + length)}`;
  const changed = applyTextEdits(text, addAfter(text, section, entry, written));
  const copied = new Map([[name, label]]);
  return check(
    text,
    changed,
    file,
    (labels) => labels.flatMap((each) => (each === label ? [each, name] : [each])),
    copied,
  );
}

function addAfter(text: string, { range }: JsonNode, entry: JsonProperty, written: string): TextEdit[] {
  const end = entry.value.range.offset + entry.value.range.length;
  const isOneLine = !text.slice(range.offset, range.offset + range.length).includes('\n');
  if (isOneLine) return [{ offset: end, length: 0, text: `, ${written}` }];
  return appendMember(text, { start: entry.keyRange.offset, end }, () => written);
}

function writtenIn(text: string, { keyRange, value }: JsonProperty): string {
  return text.slice(keyRange.offset, value.range.offset + value.range.length);
}

function readSection(text: string, { kind, title }: ManagedFile) {
  const { root, problems } = parseJsonDocument(text, limitsOf(kind));
  const [problem] = problems;
  if (problem !== undefined) {
    const fault = problem.code === 'tooLarge' ? 'is too large' : 'is not valid JSON';
    throw failure(`${title} ${fault}. Nothing was changed. Fix it first.`);
  }
  const found = findServerSection(root, kind);
  const node = nodeAt(root, found.path);
  const section = node?.type === 'object' ? node : undefined;
  return { section, entries: section === undefined ? [] : entriesOf(found, section) };
}

/** Of two entries with one name only the last is used: without it, the other would take its place unseen. */
function findEntry(text: string, file: ManagedFile, label: string) {
  const { section, entries } = readSection(text, file);
  const found = entries.filter(({ key }) => key === label);
  const [entry] = found;
  if (section === undefined || entry === undefined)
    throw failure(`${file.title} no longer has a server ${named(label)}.`);
  if (found.length > 1)
    throw failure(
      `${file.title} defines ${named(label)} ${found.length} times. Remove the entries that are not used first.`,
    );
  return { section, entry };
}

/**
 * @param expected the labels afterwards
 * @param sources for the label of a new entry, that of the one whose definition it has
 * @returns `after`, in which every other server is read as before
 */
function check(
  before: string,
  after: string,
  { kind, title }: ManagedFile,
  expected: (labels: readonly string[]) => readonly string[],
  sources: ReadonlyMap<string, string> = new Map(),
): string {
  const [old, now] = [parseConfiguration(before, kind), parseConfiguration(after, kind)];
  const definitions = new Map(old.servers.map((server) => [server.label, definitionText(server)]));
  const isSame = now.servers.every((server) => {
    const known = definitions.get(sources.get(server.label) ?? server.label);
    return known === undefined || known === definitionText(server);
  });
  if (isSame && JSON.stringify(now.labels) === JSON.stringify(expected(old.labels))) return after;
  throw failure(`${title} was not changed: its servers would no longer be read as they are now.`);
}

function definitionText({ definition, options }: ParsedConfiguration['servers'][number]): string {
  return JSON.stringify([definition, options]);
}

function named(label: string): string {
  return `“${visibleText(truncateWithEllipsis(label, 60))}”`;
}

function failure(message: string): PatchbayError {
  return new PatchbayError('configuration', message);
}
