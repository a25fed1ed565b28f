import { isString } from '../base/json.ts';
import type { TextRange } from './configuredServer.ts';
import type { EntryReport } from './entryReport.ts';
import { type JsonNode, propertyOf } from './jsonDocument.ts';
import { findVariables, variableMeaning } from './variables.ts';

/** The members of an entry in which variables are replaced. */
const expandedKeys = ['command', 'args', 'cwd', 'env', 'envFile', 'url', 'headers'];

/**
 * Reports variables of an entry that will not be replaced, each at its own place.
 * @param text the whole document, in which `entry` stands
 */
export function checkVariables(
  text: string,
  entry: JsonNode,
  isShellStyle: boolean,
  inputIds: ReadonlySet<string>,
  report: EntryReport,
): void {
  const options = propertyOf(entry, 'patchbay')?.value;
  const auth = options === undefined ? undefined : propertyOf(options, 'auth')?.value;
  const idp = auth === undefined ? undefined : propertyOf(auth, 'idp')?.value;
  const scopes = auth === undefined ? undefined : propertyOf(auth, 'scopes')?.value;
  const nodes = [...expandedKeys.map((key) => propertyOf(entry, key)?.value), auth, idp, scopes].flatMap(leavesOf);
  for (const node of nodes) {
    // The raw text, not the value: escapes would shift the place.
    const raw = text.slice(node.range.offset, node.range.offset + node.range.length);
    for (const { name, offset, length } of findVariables(raw)) {
      checkVariable(name, { offset: node.range.offset + offset, length }, isShellStyle, inputIds, report);
    }
  }
}

function checkVariable(
  name: string,
  range: TextRange,
  isShellStyle: boolean,
  inputIds: ReadonlySet<string>,
  report: EntryReport,
): void {
  const meaning = variableMeaning(name, isShellStyle);
  switch (meaning.kind) {
    case 'input': {
      if (inputIds.has(meaning.id)) return;
      const fix = { kind: 'addInput', title: `Add the input "${meaning.id}"`, id: meaning.id } as const;
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
