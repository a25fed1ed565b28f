import { afterEach, describe, expect, it, vi } from 'vitest';
import type { UnknownRecord } from '../../../src/base/json.ts';
import { SchemaRefs } from '../../../src/schema/schemaRefs.ts';

const long = 'x'.repeat(100_000);

/** What a reference in the root leads to. */
function targetOf(reference: UnknownRecord, more: UnknownRecord): unknown {
  const root = { ...reference, ...more };
  const [target] = new SchemaRefs(root).targetsOf(root);
  return target?.kind === 'found' ? target.schema : target?.kind;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('references', () => {
  const named = { $anchor: 'a', type: 'string' };

  it.each<[string, UnknownRecord, UnknownRecord]>([
    ['address', { $id: `https://example.com/${long}`, $defs: { named } }, { $ref: '#a' }],
    ['relative address', { $id: long, $defs: { named } }, { $ref: '#a' }],
    ['address once it is escaped', { $id: ' é'.repeat(900), $defs: { named } }, { $ref: '#a' }],
  ])('take a schema with too long an %s for one without [schema-bounds]', (_name, inner, reference) => {
    expect(targetOf(reference, { $defs: { inner } })).toBe(named);
  });

  it.each<[UnknownRecord, UnknownRecord]>([
    [{ $anchor: long }, { $ref: `#${long}` }],
    [{ $dynamicAnchor: long }, { $dynamicRef: `#${long}` }],
    [{ $id: long }, { $ref: long }],
    [{ $id: `#${long}` }, { $ref: `#${long}` }],
  ])('do not find what has too long a name [schema-bounds]', (inner, reference) => {
    expect(targetOf(reference, { $defs: { inner } })).toBe('missing');
  });

  it('in the document itself are followed without an address for each [schema-bounds]', () => {
    let addresses = 0;
    class CountedUrl extends URL {
      constructor(url: string, base?: string) {
        super(url, base);
        addresses += 1;
      }
    }
    vi.stubGlobal('URL', CountedUrl);
    const parts = Array.from({ length: 100 }, (_, index) => ({ $ref: ['#', '#/$defs/named', '#a'][index % 3] }));
    const root = { $id: 'https://example.com/a/b.json?c', $defs: { named }, allOf: parts };
    const refs = new SchemaRefs(root);
    expect(refs.targetsOf(parts[0] ?? {})).toEqual([{ kind: 'found', schema: root, name: 'b.json' }]);
    expect(refs.targetsOf(parts[1] ?? {})).toEqual([{ kind: 'found', schema: named, name: 'named' }]);
    expect(refs.targetsOf(parts[2] ?? {})).toEqual([{ kind: 'found', schema: named, name: 'a' }]);
    for (const part of parts) refs.targetsOf(part);
    expect(addresses).toBe(1);
  });

  it('lead nowhere where many have the same dynamic name', () => {
    const same = Array.from({ length: 5_000 }, () => ({ $dynamicAnchor: 'a' }));
    expect(targetOf({ $dynamicRef: '#a' }, { $defs: same })).toBe('missing');
    expect(targetOf({ $dynamicRef: '#a' }, { $defs: same.slice(0, 1) })).toBe(same[0]);
  });

  it('start from the address of the schema that they are in', () => {
    const [outer, inner] = [{ type: 'string' }, { type: 'number' }];
    const part = { $ref: '#/$defs/a' };
    const other = { $ref: 'inner.json#/$defs/a' };
    const root = { $defs: { a: outer, b: { $id: 'inner.json', $defs: { a: inner, part } } }, allOf: [other] };
    const refs = new SchemaRefs(root);
    for (const each of [part, other]) expect(refs.targetsOf(each)).toMatchObject([{ schema: inner, name: 'a' }]);
  });
});
