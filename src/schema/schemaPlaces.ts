import { isRecord, type UnknownRecord } from '../base/json.ts';
import { own } from './schemaNode.ts';

export const mapKeywords = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
export const listKeywords = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
export const singleKeywords = ['additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];

const keywords = [...mapKeywords, ...listKeywords, ...singleKeywords, 'items'];

/** Schemas within one schema that are looked at. */
const maximumSchemas = 1_000;

/** A schema within another. */
export interface SchemaPlace {
  readonly schema: UnknownRecord;
  /** For instance `properties`, `city`; empty for the outer schema itself. */
  readonly path: readonly string[];
  /** It is the schema of a property. */
  readonly isProperty: boolean;
}

/** A schema and those within it, the outer ones first, up to 1,000. Follows no reference. */
export function schemaPlaces(schema: UnknownRecord): readonly SchemaPlace[] {
  const places: SchemaPlace[] = [{ schema, path: [], isProperty: false }];
  // The list grows while it is walked.
  for (const place of places) {
    for (const below of placesBelow(place)) {
      if (places.length >= maximumSchemas) return places;
      places.push(below);
    }
  }
  return places;
}

function* placesBelow({ schema, path }: SchemaPlace): Iterable<SchemaPlace> {
  for (const keyword of keywords) {
    const value = own(schema, keyword);
    if (!isRecord(value) && !Array.isArray(value)) continue;
    const isOne = isRecord(value) && !mapKeywords.includes(keyword);
    if (isOne) yield { schema: value, path: [...path, keyword], isProperty: false };
    else
      for (const [name, below] of Object.entries(value))
        if (isRecord(below))
          yield { schema: below, path: [...path, keyword, name], isProperty: keyword === 'properties' };
  }
}
