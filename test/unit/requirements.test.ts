import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { requirements } from '../requirements.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** The ids that tests name in brackets at the end of their names, and features of the matrix in their lists. */
function citedIds(): ReadonlySet<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(unit|process|conformance|host|webview|ui)\b.*\.ts$/.test(name),
  );
  const texts = files.map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
  const tags = texts.flatMap((text) => [
    ...text.matchAll(/(?<=[^,] )\[((?:[a-z-]+\/)?[a-z][a-z0-9]*(?:-[a-z0-9]+)*)\](?=(?: \[|['"`]))/g),
  ]);
  const lists = texts.flatMap((text) => [...text.matchAll(/^\s+shows: \[([^\]]*)\]/gm)]);
  const listed = lists.flatMap(([, ids = '']) => [...ids.matchAll(/'([^']+)'/g)]);
  return new Set([...tags, ...listed].map(([, id = '']) => id));
}

describe('the behaviours that the specification asks for', () => {
  const known = new Set(requirements.map(({ id }) => id));

  it('have names of their own', () => {
    expect(known.size).toBe(requirements.length);
  });

  it('are each shown by a test', () => {
    const cited = citedIds();
    expect([...known].filter((id) => !cited.has(id))).toEqual([]);
  });

  it('are the only ones that tests name', () => {
    expect([...citedIds()].filter((id) => !known.has(id))).toEqual([]);
  });
});
