import type { ConfigurationFix, ReportProblem } from './configurationProblem.ts';
import { type JsonNode, type JsonProperty, propertyOf } from './jsonDocument.ts';
import {
  type FileKind,
  isServer,
  otherSection,
  propertyAt,
  sectionNames,
  type ServerSection,
} from './serverSection.ts';

/** A file, and where its servers are. */
interface SectionOfFile {
  readonly kind: FileKind;
  readonly section: ServerSection;
}

/**
 * Reports servers outside the section that is read, and a section under the name or at the place of another client.
 * @param text the whole document
 */
export function reportSections(text: string, root: JsonNode, file: SectionOfFile, report: ReportProblem): void {
  const { kind, section } = file;
  const own = sectionNames[kind];
  for (const property of root.properties) {
    const { key, keyRange: range } = property;
    if (property.isOverridden && (key === own || key === 'inputs')) {
      const message = `"${key}" is given again further down; only the last one counts.`;
      report({ code: 'duplicateKey', severity: 'warning', message, range });
    } else if (key === otherSection(own) && section.kind !== 'bare') {
      reportOtherSection(root, property, file, report);
    } else if (key === 'mcp' && section.kind === 'nested') {
      const inner = section.path.at(-1) ?? own;
      const message = `Other clients expect "${inner}" at the top of this file, not in "mcp". Patchbay reads it all the same.`;
      const fix = moveOut(text, root, property);
      report({ code: 'wrongSection', severity: 'warning', message, range, ...(fix !== undefined && { fix }) });
    } else if (section.kind !== 'bare' && key !== own && isServer(property.value)) {
      const place = section.path.join('.');
      const message = `"${key}" looks like a server, but it is not in "${place}" and is not read. Move it into "${place}".`;
      report({ code: 'wrongSection', severity: 'warning', message, range });
    }
  }
}

function reportOtherSection(
  root: JsonNode,
  { key, keyRange: range }: JsonProperty,
  { kind, section }: SectionOfFile,
  report: ReportProblem,
): void {
  const own = sectionNames[kind];
  const isRead = section.path[0] === key;
  if (kind === 'mcpJson') return reportVisualStudio(root, range, isRead, report);
  if (!isRead) {
    const message = `"${key}" is not read, because "${section.path[0]}" is there too. Move its servers to "${section.path[0]}".`;
    report({ code: 'wrongSection', severity: 'warning', message, range });
    return;
  }
  const message = `Other clients expect "${own}" in this file, not "${key}". Patchbay reads it all the same.`;
  const title = `Rename to "${own}"`;
  const fix = { kind: 'replaceText', title, range, text: JSON.stringify(own) } as const;
  const canRename = propertyOf(root, own) === undefined;
  report({ code: 'wrongSection', severity: 'warning', message, range, ...(canRename && { fix }) });
}

/** Visual Studio reads "servers" in `.mcp.json`, beside other clients: nothing is to be moved or renamed. */
function reportVisualStudio(
  root: JsonNode,
  range: JsonProperty['keyRange'],
  isRead: boolean,
  report: ReportProblem,
): void {
  const labels = (section: string): string[] =>
    propertyAt(root, [section])?.value.properties.map(({ key }) => key) ?? [];
  const known = new Set(labels('mcpServers'));
  const left = labels('servers').filter((label) => !known.has(label));
  if (left.length === 0) return;
  const message = isRead
    ? 'Visual Studio and Patchbay read "servers" in this file. Other clients read "mcpServers".'
    : `Visual Studio reads "servers" in this file. Patchbay and other clients read "mcpServers", which has no ${left.map((label) => `"${label}"`).join(', ')}.`;
  report({ code: 'wrongSection', severity: 'information', message, range });
}

const movable: ReadonlySet<string> = new Set(['servers', 'mcpServers', 'inputs']);

/** @returns the fix that replaces "mcp" by its members; `undefined` where some of them have no place at the top */
function moveOut(text: string, root: JsonNode, { keyRange, value }: JsonProperty): ConfigurationFix | undefined {
  const { properties, range } = value;
  const [first, last] = [properties[0], properties.at(-1)];
  const fits = properties.every(({ key }) => movable.has(key) && propertyOf(root, key) === undefined);
  if (first === undefined || last === undefined || !fits) return undefined;
  const end = last.value.range.offset + last.value.range.length;
  // A comma after the last member goes with the brackets: one follows "mcp" where it is needed.
  const rest = withoutComma(text.slice(end, range.offset + range.length - 1));
  const [outer, inner] = [indentationAt(text, keyRange.offset), indentationAt(text, first.keyRange.offset)];
  const members = `${text.slice(range.offset + 1, end)}${rest}`.trim().replaceAll(`\n${inner}`, `\n${outer}`);
  return {
    kind: 'replaceText',
    title: 'Move Out of "mcp"',
    range: { offset: keyRange.offset, length: range.offset + range.length - keyRange.offset },
    // What follows must not become a part of a comment.
    text: rest.includes('//') ? `${members}\n${outer}` : members,
  };
}

/** Takes off the comma behind spaces and comments. */
function withoutComma(text: string): string {
  // Ends where anything else begins, and so never tries a comment in two ways: slashes in a row would take forever.
  const gap = /^(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/.exec(text)?.[0] ?? '';
  return text[gap.length] === ',' ? gap + text.slice(gap.length + 1) : text;
}

function indentationAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? '';
}
