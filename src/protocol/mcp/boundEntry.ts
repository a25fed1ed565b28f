import { isRecord, isString, jsonLength, type UnknownRecord } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithCount } from '../../base/truncate.ts';

/** A list entry within `limits.item`. */
export interface BoundEntry {
  /** `undefined` where it is left out. */
  readonly entry: UnknownRecord | undefined;
  /** What was left out or cut; each text completes "tools[3] …". */
  readonly problems: readonly string[];
}

const schemaKeys = ['inputSchema', 'outputSchema'] as const;
const none: readonly string[] = [];
const { item } = limits;

/** Texts for people: longer ones are cut. */
const texts = { title: item.title, description: item.description } as const;
/** Identifiers: an entry with a longer one is left out, since a cut one would identify something else. */
const identifiers = { name: item.name, uri: item.uri, uriTemplate: item.uri, mimeType: item.name } as const;

const boundTexts = Object.entries({ ...texts, ...identifiers });

/** Members with their own limits; all others share `limits.item.rest`. */
const boundKeys: readonly string[] = [
  ...Object.keys(texts),
  ...Object.keys(identifiers),
  ...schemaKeys,
  'icons',
  'arguments',
];

/** Applies `limits.item`. @param isSmall the whole page is too short to exceed those for schemas and the rest */
export function boundEntry(entry: UnknownRecord, isSmall: boolean): BoundEntry {
  if (isSmall && isWithinLimits(entry)) return { entry, problems: none };
  const problem = reasonToLeaveOut(entry, isSmall);
  if (problem !== undefined) return { entry: undefined, problems: [problem] };
  const changes: Record<string, unknown> = {};
  const problems = [
    ...cutTexts(entry, changes),
    ...(Array.isArray(entry['icons']) ? boundIcons(entry['icons'], changes) : []),
    ...(Array.isArray(entry['arguments']) ? boundArguments(entry['arguments'], changes) : []),
    ...(isSmall ? [] : leaveOutSchemas(entry, changes)),
  ];
  return { entry: problems.length === 0 ? entry : { ...entry, ...changes }, problems };
}

/** True for nearly all entries: a fast check without allocations, for lists of ten thousand entries. */
function isWithinLimits(entry: UnknownRecord): boolean {
  for (const [key, maximum] of boundTexts) if (isTooLong(entry[key], maximum)) return false;
  return entry['icons'] === undefined && entry['arguments'] === undefined;
}

function reasonToLeaveOut(entry: UnknownRecord, isSmall: boolean): string | undefined {
  for (const [key, maximum] of Object.entries(identifiers)) {
    const value = entry[key];
    if (isString(value) && value.length > maximum)
      return `was left out: its ${key} is longer than ${maximum} characters`;
  }
  if (isSmall) return undefined;
  const rest = Object.entries(entry).filter(([key]) => !boundKeys.includes(key));
  return jsonLength(rest) > item.rest ? `was left out: it is longer than ${item.rest} characters` : undefined;
}

function cutTexts(entry: UnknownRecord, changes: Record<string, unknown>): string[] {
  return Object.entries(texts).flatMap(([key, maximum]) => {
    const value = entry[key];
    if (!isString(value) || value.length <= maximum) return [];
    changes[key] = truncateWithCount(value, maximum);
    return [`has a ${key} that was cut at ${maximum} characters`];
  });
}

/** The first icons up to `limits.item.icons`, without those that are too large. */
export function usableIcons(icons: readonly unknown[]): readonly unknown[] {
  return icons.slice(0, item.icons).filter((icon) => !isRecord(icon) || !isTooLong(icon['src'], item.icon));
}

function boundIcons(icons: readonly unknown[], changes: Record<string, unknown>): string[] {
  const usable = usableIcons(icons);
  if (usable.length === icons.length) return [];
  changes['icons'] = usable;
  return [`has ${icons.length - usable.length} icons too many or too large, which were left out`];
}

function boundArguments(list: readonly unknown[], changes: Record<string, unknown>): string[] {
  const kept = list
    .slice(0, item.arguments)
    .filter((entry) => !isRecord(entry) || !isTooLong(entry['name'], item.name))
    .map((entry) => (isRecord(entry) ? boundEntry(entry, true).entry : entry));
  const isSame = kept.length === list.length && kept.every((entry, index) => entry === list[index]);
  if (isSame) return [];
  changes['arguments'] = kept;
  return ['has arguments that are too many or too long, of which some were left out or cut'];
}

function leaveOutSchemas(entry: UnknownRecord, changes: Record<string, unknown>): string[] {
  const omittedSchemas = schemaKeys.filter((key) => jsonLength(entry[key]) > item.schema);
  if (omittedSchemas.length === 0) return [];
  for (const key of omittedSchemas) changes[key] = undefined;
  changes['omittedSchemas'] = omittedSchemas;
  return [`has a schema of more than ${item.schema} characters, which was left out (${omittedSchemas.join(', ')})`];
}

function isTooLong(value: unknown, maximum: number): boolean {
  return isString(value) && value.length > maximum;
}
