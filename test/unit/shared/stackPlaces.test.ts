import { describe, expect, it } from 'vitest';
import { findStackPlaces } from '../../../src/shared/stackPlaces.ts';

const placesOf = (text: string): readonly string[] =>
  findStackPlaces(text).map(({ path, line, column }) => [path, line, column ?? '-'].join(' '));

describe('places in stack traces', () => {
  it.each<readonly [text: string, ...places: string[]]>([
    ['    at add (/w/server.mjs:3:5)', '/w/server.mjs 3 5'],
    ['    at async Server.call (/w/my server/index.js:12:34)', '/w/my server/index.js 12 34'],
    ['    at file:///w/server.mjs:3:5', 'file:///w/server.mjs 3 5'],
    ['    at run (file:///w/a%20b.ts:3:5)', 'file:///w/a%20b.ts 3 5'],
    ['file:///w/server.mjs:7\n  throw new Error();\n  ^', 'file:///w/server.mjs 7 -'],
    ['/w/server.cjs:7\nconst x = ;', '/w/server.cjs 7 -'],
    ['    at add (C:\\w\\server.js:3:5)', 'C:\\w\\server.js 3 5'],
    ['  File "/w/my server.py", line 3, in add', '/w/my server.py 3 -'],
    ['  File "server.py", line 3', 'server.py 3 -'],
    ['    at node:internal/process:3:5'],
    ['see https://example.com/a.js:3:5 and http://localhost:3000/x'],
    ['at 10:30:15, ratio 1/2:3, ../up.js:3:5'],
  ])('of %j', (text, ...places) => {
    expect(placesOf(text)).toEqual(places);
  });

  it('are found once each, in a bounded part of a text, and no more than are of use', () => {
    expect(placesOf('at (/w/a.js:1:1)\nat (/w/a.js:1:1)')).toHaveLength(1);
    expect(placesOf(`${'x'.repeat(20_000)} at (/w/a.js:1:1)`)).toEqual([]);
    expect(placesOf(Array.from({ length: 200 }, (_, line) => `at (/w/a.js:${line}:1)`).join('\n'))).toHaveLength(50);
  });

  it.each(['/', '(/', '(C:\\', 'file:///', '(file:///a', 'File "', '/a:1', 'x/'])(
    'are looked for in a bounded time: %s',
    (part) => {
      expect(findStackPlaces(part.repeat(200_000)).length).toBeLessThanOrEqual(50);
    },
  );
});
