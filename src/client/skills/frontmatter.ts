import { parseDocument } from 'yaml';
import { messageOf } from '../../base/errors.ts';
import { isRecord, type UnknownRecord } from '../../base/json.ts';

/** Maximum characters in which the frontmatter must end. */
const maximumLength = 64 * 1024;

/** Nesting depth below which values count as different. */
const maximumDepth = 50;

/**
 * Parses the YAML between the two `---` lines at the beginning of a SKILL.md (Agent Skills specification, "SKILL.md
 * format").
 * @throws {Error} whose message is the end of a sentence
 */
export function readFrontmatter(text: string): UnknownRecord {
  const [, yaml] = /^\uFEFF?---[ \t]*\r?\n(.*?)^---[ \t]*\r?$/ms.exec(text.slice(0, maximumLength)) ?? [];
  if (yaml === undefined) throw new Error('it does not begin with a frontmatter between "---" lines');
  const document = parseDocument(yaml, { version: '1.2', prettyErrors: false });
  const [fault] = document.errors;
  if (fault !== undefined) throw new Error(`its frontmatter is not valid YAML: ${fault.message}`);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new Error(`its frontmatter cannot be read: ${messageOf(error)}`, { cause: error });
  }
  if (!isRecord(value)) throw new Error('its frontmatter is not a list of fields');
  return value;
}

/** The names of the fields that differ between two frontmatters, or that only one of them has. */
export function differingFields(one: UnknownRecord, other: UnknownRecord): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => !areSame(own(one, name), own(other, name), maximumDepth));
}

function areSame(one: unknown, other: unknown, depth: number): boolean {
  if (one === other) return true;
  if (depth === 0) return false;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => areSame(item, other[index], depth - 1));
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && areSame(one[name], other[name], depth - 1))
  );
}

function own(record: UnknownRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
