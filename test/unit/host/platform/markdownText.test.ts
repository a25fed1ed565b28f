import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { markdownText } from '../../../../src/host/platform/displayText.ts';
import { plainDescriptions, plainTexts } from '../../../fixtures/plainTexts.ts';

const renderer = new MarkdownIt({ html: true, linkify: true });

/** The visible text of Markdown that has only paragraphs and lines. */
function shown(text: string): string {
  const html = renderer.render(markdownText(text));
  const paragraphs = [...html.matchAll(/<p>([^]*?)<\/p>\n/g)];
  expect(paragraphs.map(([whole]) => whole).join('')).toBe(html);
  return paragraphs
    .map(([, inner = '']) => inner.replaceAll('<br>\n', '\n').replaceAll('\u00a0', ' '))
    .join('\n\n')
    .replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name] ?? '');
}

describe('markdownText', () => {
  it.each([
    'See http://127.0.0.1:8080/mcp?a=b (status 401). Write to me@example.com, www.example.com.',
    '[Sign in](command:workbench.action.terminal.new) ![x](https://example.com/x.png)',
    '<a href="command:x">x</a> <img src=x> <https://example.com>',
    '**bold** _it_ `code` ~~no~~ # no $(icon) &amp; &#42; \\* a | b',
    '- list',
    '1. list',
    '# heading',
    '> quote',
    '---',
    '```',
    '[x]: https://example.com',
    'grüße 🧵 日本',
  ])('shows exactly this: %s', (text) => {
    expect(shown(text)).toBe(text);
  });

  it('keeps lines apart, with what they begin with, and lets none of them be code', () => {
    expect(shown('one\r\n\r\n    two\n\tthree\n===\n')).toBe('one\n\n    two\n    three\n===');
    expect(shown('\n\n \n  a\rb\n\n\n\nc\\\nd  \n')).toBe('  a\nb\n\nc\\\nd');
  });

  it.each(Object.entries({ ...plainTexts, ...plainDescriptions }))(
    'keeps the lines and columns of %s',
    (_name, text) => {
      const lines = text.split('\n').map((line) => line.trimEnd().replaceAll('\t', '    '));
      expect(shown(text)).toBe(lines.join('\n').trimEnd());
    },
  );
});
