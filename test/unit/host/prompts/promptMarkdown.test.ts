import { describe, expect, it } from 'vitest';
import { promptToMarkdown } from '../../../../src/host/prompts/promptFeature.ts';
import { fence, inlineCode } from '../../../../src/host/results/contentMarkdown.ts';
import type { PromptMessage } from '../../../../src/protocol/mcp/prompts.ts';

const text = (role: 'user' | 'assistant', value: string): PromptMessage => ({
  role,
  content: { type: 'text', text: value },
});

describe('promptToMarkdown', () => {
  it('is the bare text where only the user speaks', () => {
    expect(promptToMarkdown({ messages: [text('user', 'Say *hello*.'), text('user', 'Now.')] })).toBe(
      'Say *hello*.\n\nNow.\n',
    );
  });

  it('has a heading wherever the role changes', () => {
    const messages = [text('user', 'a'), text('assistant', 'b'), text('assistant', 'c'), text('user', 'd')];
    expect(promptToMarkdown({ messages })).toBe('## User\n\na\n\n## Assistant\n\nb\n\nc\n\n## User\n\nd\n');
  });

  it('includes small pictures and names what is too large, or not what it says', () => {
    const image = (mimeType: string, data: string): PromptMessage => ({
      role: 'user',
      content: { type: 'image', mimeType, data },
    });
    expect(promptToMarkdown({ messages: [image('image/png', 'aGk=')] })).toBe('![image](data:image/png;base64,aGk=)\n');
    expect(promptToMarkdown({ messages: [image('image/png', 'aGk='.repeat(100_000))] })).toBe(
      '(image, `image/png`, not included)\n',
    );
    expect(promptToMarkdown({ messages: [image('text/html', 'aGk=')] })).toBe('(image, `text/html`, not included)\n');
    expect(promptToMarkdown({ messages: [image('image/png', ')](command:x')] })).toBe(
      '(image, `image/png`, not included)\n',
    );
  });

  it('fences embedded resources so that nothing gets out', () => {
    const resource = {
      uri: 'demo://`x`',
      mimeType: 'text/x-python; charset=utf-8',
      text: '```\n# not a heading\n````',
    };
    const markdown = promptToMarkdown({ messages: [{ role: 'user', content: { type: 'resource', resource } }] });
    expect(markdown).toBe('Resource: `` demo://`x` ``\n\n`````python\n```\n# not a heading\n````\n`````\n');
  });
});

describe('fence and inlineCode', () => {
  it('never end early', () => {
    expect(fence('a')).toBe('```\na\n```');
    expect(fence('a`````b', 'no way\n')).toBe('``````\na`````b\n``````');
    expect(inlineCode('a``b')).toBe('```a``b```');
  });
});

describe('a document of too much', () => {
  it('is written for any number of backticks', () => {
    const backticks = '` '.repeat(200_000);
    expect(fence(backticks)).toBe(`\`\`\`\n${backticks}\n\`\`\``);
    expect(inlineCode(backticks).length).toBeLessThan(600);
  });

  it('is cut at a length, and says so', () => {
    const messages = Array.from({ length: 8 }, () => text('user', 'x'.repeat(1_000_000)));
    const document = promptToMarkdown({ messages });
    expect(document.length).toBeLessThan(5_100_000);
    expect(document).toMatch(/… cut here: .* Open it whole as a file\.\n$/);
  });

  it('holds deep JSON without indenting it as deep as it is', () => {
    const original: unknown = JSON.parse(`${'['.repeat(900)}${'1,'.repeat(500_000)}1${']'.repeat(900)}`);
    const document = promptToMarkdown({
      messages: [{ role: 'user', content: { type: 'unknown', original } }],
    } as never);
    expect(document.length).toBeLessThan(1_000_000);
    expect(document).toContain('not shown');
  });
});
