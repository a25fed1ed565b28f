import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import { getOrMake, memoize } from '../base/memoize.ts';
import { percentDecoded, truncateWithEllipsis } from '../base/truncate.ts';
import { isSchema, own, schemasBelow } from './schemaNode.ts';

export type Target =
  /** `name` is what the reference calls the schema. */
  | { readonly kind: 'found'; readonly schema: boolean | UnknownRecord; readonly name: string | undefined }
  /** `reason` is a sentence. */
  | { readonly kind: 'missing'; readonly reason: string };

/** The address of a schema that states none. */
const ownAddress = 'https://schema.invalid/';

/** Schemas that are looked through for `$id` and `$anchor`. */
const maximumSchemas = 200_000;

/** Characters of an address or a name; longer ones count as absent, since each one below would be compared with them. */
const maximumAddress = 2_000;

const references = ['$ref', '$dynamicRef', '$recursiveRef'];

const none: readonly Target[] = [];

const dynamicReason = 'Its schema has a reference that depends on where it is used.';

/** What the references within a schema mean. */
export class SchemaRefs {
  readonly #root: UnknownRecord;
  readonly #start: Resource;
  readonly #known = new WeakMap<UnknownRecord, readonly Target[]>();
  readonly #addresses: () => Addresses;

  /** @param root which references start from; it is not changed */
  constructor(root: UnknownRecord) {
    this.#root = root;
    this.#start = { address: ownAddress, schema: root, anchors: new Map() };
    this.#addresses = memoize(() => findAddresses(this.#start));
  }

  /** The targets of `$ref`, and of `$dynamicRef` or `$recursiveRef` where only one schema can be meant. */
  targetsOf(schema: UnknownRecord): readonly Target[] {
    const has = (name: string): boolean => Object.hasOwn(schema, name);
    if (!references.some(has)) return none;
    return getOrMake(this.#known, schema, () => [
      ...(has('$ref') ? [this.#find(schema, schema['$ref'])] : none),
      ...(has('$dynamicRef') ? [this.#findDynamic(schema, schema['$dynamicRef'])] : none),
      ...(has('$recursiveRef') ? [this.#findRecursive(schema)] : none),
    ]);
  }

  #find(schema: UnknownRecord, reference: unknown): Target {
    if (!isString(reference)) return missing('Its schema has a reference that is not text.');
    const isLocal = reference.startsWith('#');
    const url = isLocal ? undefined : tryUrl(reference, this.#placeOf(schema).address);
    const fragment = percentDecoded(isLocal ? reference.slice(1) : (url?.hash.slice(1) ?? ''));
    const address = url && withoutHash(url);
    const resource = isLocal ? this.#placeOf(schema, fragment) : this.#addresses().resources.get(address ?? '');
    const found = resource && within(this.#root, resource, fragment);
    if (isSchema(found)) return { kind: 'found', schema: found, name: nameIn(fragment, resource) };
    const shown = truncateWithEllipsis(reference, 200);
    const isElsewhere = resource === undefined && address !== undefined && !address.startsWith(ownAddress);
    if (isElsewhere) return missing(`Its schema is at ${shown}, which is not read.`);
    return missing(`Its schema refers to ${shown}, which is not there.`);
  }

  /** The resource that references in a schema start from. A pointer in the root needs no search for names. */
  #placeOf(schema: UnknownRecord, fragment = ''): Resource {
    if (schema === this.#root && fragment.startsWith('/')) return this.#start;
    return this.#addresses().places.get(schema) ?? this.#start;
  }

  /** Which schema a dynamic reference means depends on the way to it, unless there is only one of that name. */
  #findDynamic(schema: UnknownRecord, reference: unknown): Target {
    const name = isString(reference) && reference.startsWith('#') ? reference.slice(1) : undefined;
    const sameName = name === undefined ? undefined : this.#addresses().dynamic.get(name);
    const [only] = sameName ?? [];
    if (only === undefined) return this.#find(schema, reference);
    return sameName?.length === 1 ? { kind: 'found', schema: only, name } : missing(dynamicReason);
  }

  #findRecursive(schema: UnknownRecord): Target {
    const { hasRecursiveAnchor, resources } = this.#addresses();
    return hasRecursiveAnchor && resources.size > 1 ? missing(dynamicReason) : this.#find(schema, '#');
  }
}

function missing(reason: string): Target {
  return { kind: 'missing', reason };
}

/** A schema with an address. */
interface Resource {
  readonly address: string;
  readonly schema: UnknownRecord;
  readonly anchors: Map<string, UnknownRecord>;
}

/** The names that schemas give themselves. Of two with the same name the first counts. */
interface Addresses {
  /** The resources that references in a schema are relative to. */
  readonly places: WeakMap<UnknownRecord, Resource>;
  readonly resources: Map<string, Resource>;
  readonly dynamic: Map<string, UnknownRecord[]>;
  hasRecursiveAnchor: boolean;
}

function findAddresses(start: Resource): Addresses {
  const resources = new Map([[ownAddress, start]]);
  const found: Addresses = { places: new WeakMap(), resources, dynamic: new Map(), hasRecursiveAnchor: false };
  let left = maximumSchemas;
  const waiting = [{ schema: start.schema, above: start }];
  for (let next = waiting.pop(); next !== undefined && left > 0; next = waiting.pop()) {
    left -= 1;
    const above = note(next.schema, next.above, found);
    for (const schema of schemasBelow(next.schema)) waiting.push({ schema, above });
  }
  return found;
}

/** @returns the resource that references below the schema are relative to */
function note(schema: UnknownRecord, above: Resource, found: Addresses): Resource {
  const [id, anchor, dynamic] = ['$id', '$anchor', '$dynamicAnchor'].map((name) => shortText(own(schema, name)));
  let place = above;
  // In draft-07 an anchor is an `$id` too.
  if (id?.startsWith('#') === true) getOrMake(above.anchors, id.slice(1), () => schema);
  else if (id !== undefined) {
    const url = tryUrl(id, above.address);
    const address = url && withoutHash(url);
    if (address !== undefined)
      place = getOrMake(found.resources, address, () => ({ address, schema, anchors: new Map() }));
  }
  found.places.set(schema, place);
  if (anchor !== undefined) getOrMake(place.anchors, anchor, () => schema);
  if (dynamic !== undefined) {
    getOrMake(place.anchors, dynamic, () => schema);
    getOrMake(found.dynamic, dynamic, () => []).push(schema);
  }
  if (own(schema, '$recursiveAnchor') === true) found.hasRecursiveAnchor = true;
  return place;
}

function shortText(value: unknown): string | undefined {
  return isString(value) && value.length <= maximumAddress ? value : undefined;
}

function within(root: UnknownRecord, { schema, anchors }: Resource, fragment: string): unknown {
  if (fragment === '') return schema;
  if (!fragment.startsWith('/')) return anchors.get(fragment);
  // Some generators count from the root, whatever `$id` is on the way.
  return pointedAt(schema, fragment) ?? pointedAt(root, fragment);
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

function nameIn(fragment: string, resource: Resource | undefined): string | undefined {
  const path = fragment === '' ? resource?.address.replace(/\?.*/, '') : fragment;
  const name = path?.slice(path.lastIndexOf('/') + 1);
  return name === '' ? undefined : name?.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** @returns `undefined` for no address, and for one that is too long, also once it is resolved */
function tryUrl(reference: string, base: string): URL | undefined {
  if (reference.length > maximumAddress) return undefined;
  try {
    const url = new URL(reference, base);
    return url.href.length <= maximumAddress ? url : undefined;
  } catch {
    // No address.
    return undefined;
  }
}

function withoutHash({ href, hash }: URL): string {
  // An empty fragment leaves its sign.
  return hash === '' ? href.replace(/#$/, '') : href.slice(0, -hash.length);
}
