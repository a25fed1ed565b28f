import { describe, expect, it } from 'vitest';
import { differingFields, readFrontmatter } from '../../../../src/client/skills/frontmatter.ts';

describe('the frontmatter of SKILL.md', () => {
  it.each([
    ['---\nname: a\n---\nbody', { name: 'a' }],
    ['\uFEFF---\r\nname: a\r\n---\r\nbody', { name: 'a' }],
    [
      '---\nname: a\nversion: 1.10\nwhen: 2026-01-02\nyes: yes\n---\n',
      { name: 'a', version: 1.1, when: '2026-01-02', yes: 'yes' },
    ],
    [
      '---\ndescription: >-\n  one\n  two\nmetadata: { a: [1, null] }\n---',
      { description: 'one two', metadata: { a: [1, null] } },
    ],
    ['---\n__proto__: { x: 1 }\n---\n', JSON.parse('{"__proto__":{"x":1}}')],
    ['---\na: |\n  ---x\n---\n', { a: '---x\n' }],
  ])('is read from %j', (text, expected) => {
    const read = readFrontmatter(text);
    expect(differingFields(read, expected as Record<string, unknown>)).toEqual([]);
    expect(Object.keys(read)).toEqual(Object.keys(expected as object));
  });

  it.each([
    ['name: a\n', 'does not begin with a frontmatter'],
    ['---\nname: a\n', 'does not begin with a frontmatter'],
    [`---\nname: ${'a'.repeat(70_000)}\n---\n`, 'does not begin with a frontmatter'],
    ['---\n- a\n---\n', 'not a list of fields'],
    ['---\na: 1\na: 2\n---\n', 'not valid YAML'],
    ['---\na: [\n---\n', 'not valid YAML'],
    [
      `---\na: &a [x, x, x]\n${Array.from({ length: 9 }, (_, i) => `${'bcdefghij'[i]}: &${'bcdefghij'[i]} [${`*${'abcdefghi'[i]}, `.repeat(9)}]`).join('\n')}\n---\n`,
      'cannot be read',
    ],
  ])('is refused: %.60j', (text, reason) => expect(() => readFrontmatter(text)).toThrow(reason));

  it.each([
    [{ a: 1 }, { a: '1' }, ['a']],
    [{ a: [1, 2] }, { a: [2, 1] }, ['a']],
    [{ a: { b: 1 } }, { a: { b: 1, c: undefined } }, ['a']],
    [{ a: null }, {}, ['a']],
    [{}, { toString: 1 }, ['toString']],
    [{ a: 1, b: { c: [] } }, { b: { c: [] }, a: 1 }, []],
  ])('%j and %j differ in %j', (one, other, fields) => expect(differingFields(one, other)).toEqual(fields));
});
