import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import { truncateWithEllipsis } from '../base/truncate.ts';
import { isSchema, own } from './schemaNode.ts';

/** What a reference means. */
export type Target =
  /** `name` is what the reference calls the schema. */
  | { readonly kind: 'found'; readonly schema: boolean | UnknownRecord; readonly name: string | undefined }
  /** `reason` is a sentence. */
  | { readonly kind: 'missing'; readonly reason: string };

/** The references of one schema. */
export interface SchemaRefs {
  /** What the references of a schema mean: `$ref`, and `$dynamicRef` or `$recursiveRef` where only one schema can be meant. */
  targetsOf(schema: UnknownRecord): readonly Target[];
}

/** The address of a schema that states none. */
const ownAddress = 'https://schema.invalid/';

/** Schemas that are looked through for `$id` and `$anchor`. */
const maximumSchemas = 200_000;

/** Members of a schema that are values, not schemas. */
const valueKeywords = new Set(['enum', 'const', 'default', 'examples', 'required', 'dependentRequired', 'type']);

/** Members of a schema that are schemas by names of their own. */
const mapKeywords = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

const references = ['$ref', '$dynamicRef', '$recursiveRef'];

const none: readonly Target[] = [];

/** @param root which references start from; it is not changed */
export function createSchemaRefs(root: UnknownRecord): SchemaRefs {
  const known = new WeakMap<UnknownRecord, readonly Target[]>();
  let addresses: Addresses | undefined;

  function find(schema: UnknownRecord, reference: unknown): Target {
    if (!isString(reference)) return { kind: 'missing', reason: 'Its schema has a reference that is no text.' };
    const shown = truncateWithEllipsis(reference, 200);
    addresses ??= findAddresses(root);
    const url = tryUrl(reference, addresses.bases.get(schema) ?? ownAddress);
    const fragment = decode(url?.hash.slice(1) ?? '');
    if (url !== undefined) url.hash = '';
    const resource = url === undefined ? undefined : addresses.resources.get(url.href);
    const found = resource === undefined ? undefined : within(resource, fragment, addresses.anchors, url?.href ?? '');
    if (isSchema(found)) return { kind: 'found', schema: found, name: nameIn(fragment, url) };
    const isElsewhere = resource === undefined && url !== undefined && !url.href.startsWith(ownAddress);
    return {
      kind: 'missing',
      reason: isElsewhere
        ? `Its schema is at ${shown}, which is not read.`
        : `Its schema refers to ${shown}, which is not there.`,
    };
  }

  function within(
    resource: UnknownRecord,
    fragment: string,
    anchors: ReadonlyMap<string, UnknownRecord>,
    address: string,
  ): unknown {
    if (fragment === '') return resource;
    if (!fragment.startsWith('/')) return anchors.get(`${address}#${fragment}`);
    // Some generators count from the root, whatever `$id` is on the way.
    return pointedAt(resource, fragment) ?? pointedAt(root, fragment);
  }

  /** Which schema a dynamic reference means depends on the way to it, unless there is only one of that name. */
  function findDynamic(schema: UnknownRecord, reference: unknown): Target {
    addresses ??= findAddresses(root);
    const name = isString(reference) && reference.startsWith('#') ? reference.slice(1) : undefined;
    const sameName = name === undefined ? undefined : addresses.dynamic.get(name);
    const [only] = sameName ?? [];
    if (sameName?.length === 1 && only !== undefined) return { kind: 'found', schema: only, name };
    if (sameName === undefined) return find(schema, reference);
    return { kind: 'missing', reason: 'Its schema has a reference that depends on where it is used.' };
  }

  return {
    targetsOf(schema) {
      if (!references.some((name) => Object.hasOwn(schema, name))) return none;
      const before = known.get(schema);
      if (before !== undefined) return before;
      const targets = [
        ...(Object.hasOwn(schema, '$ref') ? [find(schema, own(schema, '$ref'))] : none),
        ...(Object.hasOwn(schema, '$dynamicRef') ? [findDynamic(schema, own(schema, '$dynamicRef'))] : none),
        ...(Object.hasOwn(schema, '$recursiveRef') ? [findRecursive(schema)] : none),
      ];
      known.set(schema, targets);
      return targets;
    },
  };

  function findRecursive(schema: UnknownRecord): Target {
    addresses ??= findAddresses(root);
    if (!addresses.hasRecursiveAnchor || addresses.resources.size === 1) return find(schema, '#');
    return { kind: 'missing', reason: 'Its schema has a reference that depends on where it is used.' };
  }
}

/** The names that schemas give themselves. Of two with the same name the first counts. */
interface Addresses {
  /** The address that references in a schema are relative to. */
  readonly bases: WeakMap<UnknownRecord, string>;
  readonly resources: Map<string, UnknownRecord>;
  /** By address and name: `https://example.com/a#name`. */
  readonly anchors: Map<string, UnknownRecord>;
  readonly dynamic: Map<string, UnknownRecord[]>;
  hasRecursiveAnchor: boolean;
}

function findAddresses(root: UnknownRecord): Addresses {
  const found: Addresses = {
    bases: new WeakMap(),
    resources: new Map([[ownAddress, root]]),
    anchors: new Map(),
    dynamic: new Map(),
    hasRecursiveAnchor: false,
  };
  let left = maximumSchemas;
  const waiting: { readonly schema: UnknownRecord; readonly base: string }[] = [{ schema: root, base: ownAddress }];
  for (let next = waiting.pop(); next !== undefined && left > 0; next = waiting.pop()) {
    left -= 1;
    const base = note(next.schema, next.base, found);
    for (const schema of recordsBelow(next.schema)) waiting.push({ schema, base });
  }
  return found;
}

/** @returns the address that references below the schema are relative to */
function note(schema: UnknownRecord, above: string, found: Addresses): string {
  const [id, anchor, dynamic] = [own(schema, '$id'), own(schema, '$anchor'), own(schema, '$dynamicAnchor')];
  let base = above;
  if (isString(id)) {
    const url = tryUrl(id, above);
    // In draft-07 an anchor is an `$id` too.
    if (id.startsWith('#')) noteOnce(found.anchors, `${above}${id}`, schema);
    else if (url !== undefined) {
      url.hash = '';
      base = url.href;
      noteOnce(found.resources, base, schema);
    }
  }
  found.bases.set(schema, base);
  if (isString(anchor)) noteOnce(found.anchors, `${base}#${anchor}`, schema);
  if (isString(dynamic)) {
    noteOnce(found.anchors, `${base}#${dynamic}`, schema);
    found.dynamic.set(dynamic, [...(found.dynamic.get(dynamic) ?? []), schema]);
  }
  if (own(schema, '$recursiveAnchor') === true) found.hasRecursiveAnchor = true;
  return base;
}

function noteOnce(map: Map<string, UnknownRecord>, key: string, schema: UnknownRecord): void {
  if (!map.has(key)) map.set(key, schema);
}

/** Unknown keywords may hold schemas too, which references lead to. */
function* recordsBelow(schema: UnknownRecord): Iterable<UnknownRecord> {
  for (const [name, member] of Object.entries(schema)) {
    if (valueKeywords.has(name)) continue;
    if (Array.isArray(member)) yield* (member as unknown[]).filter(isRecord);
    else if (isRecord(member)) {
      if (mapKeywords.has(name)) yield* Object.values(member).filter(isRecord);
      else yield member;
    }
  }
}

/** RFC 6901. */
function pointedAt(schema: UnknownRecord, pointer: string): unknown {
  let found: unknown = schema;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(found)) found = /^\d{1,9}$/.test(key) ? (found as unknown[])[Number(key)] : undefined;
    else found = isRecord(found) ? own(found, key) : undefined;
  }
  return found;
}

function nameIn(fragment: string, url: URL | undefined): string | undefined {
  const name = (fragment === '' ? (url?.pathname ?? '') : fragment).split('/').at(-1);
  return name === '' ? undefined : name?.replaceAll('~1', '/').replaceAll('~0', '~');
}

function tryUrl(reference: string, base: string): URL | undefined {
  try {
    return new URL(reference, base);
  } catch {
    // No address.
    return undefined;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded.
    return text;
  }
}
