import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { toolResultToMarkdown } from '../../../../src/host/results/contentMarkdown.ts';
import { plainTexts } from '../../../fixtures/plainTexts.ts';

function textOf(texts: readonly string[], structured?: JsonValue, isError = false): string {
  const content = texts.map((text) => ({ type: 'text', text }) as const);
  return toolResultToMarkdown({ isError, content, ...(structured !== undefined && { structuredContent: structured }) });
}

describe('the text of a result to copy, and for an editor', () => {
  it.each(Object.entries(plainTexts))('is just the one text of it: %s', (_name, text) => {
    expect(textOf([text])).toBe(text);
    expect(textOf([text], { content: text })).toBe(text);
  });

  it('has what is said twice once', () => {
    expect(textOf(['a\nb', 'c'], { result: ['a\nb', 'c'] })).toBe('a\nb\n\nc\n');
    expect(textOf(['{"a":1}'], { a: 1 })).toBe('```json\n{\n  "a": 1\n}\n```\n');
    expect(textOf(['Deleted'], { message: 'Deleted', success: true })).not.toMatch(/^Deleted/);
  });

  it('has both where they differ, and says that the tool failed', () => {
    expect(textOf(['two rows'], { rows: 2, more: 0 })).toMatch(/^two rows\n\n```json\n/);
    expect(textOf(['No such file'], undefined, true)).toBe('**The tool reported an error.**\n\nNo such file\n');
  });

  it('says where it is cut', () => {
    expect(textOf(['word '.repeat(3_000_000)])).toMatch(/cut here: it is too long/);
  });
});
