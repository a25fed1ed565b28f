import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FileKind } from '../../../src/config/serverSection.ts';
import { labelsOf, problemsOf } from '../../fixtures/configurationTexts.ts';

const root = new URL('../../fixtures/workspaces/', import.meta.url);

/** The labels of the valid servers, and each problem with the text at its place. */
function parse(path: string, kind: FileKind): { labels: string[]; problems: string[] } {
  const text = readFileSync(new URL(path, root), 'utf8');
  const problems = problemsOf(text, kind).map((problem) => problem.replace(/^\w+ (\w+) @/, '$1 '));
  return { labels: labelsOf(text, kind), problems };
}

describe('the workspace of broken configurations', () => {
  it('points at each fault of .vscode/mcp.json and keeps the usable servers', () => {
    expect(parse('broken/.vscode/mcp.json', 'vscode')).toEqual({
      labels: ['good', 'unknownType', 'undefinedInput', 'badArguments', 'duplicate'],
      problems: [
        'unknownType "pigeon"',
        'missingCommand "missingCommand"',
        'undefinedInput ${input:undefined}',
        'badType "server.js"',
        'duplicateLabel "duplicate"',
      ],
    });
  });

  it('keeps the servers before and after broken JSON in .mcp.json', () => {
    const { labels, problems } = parse('broken/.mcp.json', 'mcpJson');
    expect(labels).toEqual(['goodBeforeFault', 'brokenJson', 'goodAfterFault', 'good']);
    expect(problems.length).toBeGreaterThanOrEqual(2);
    expect(problems[0]).toBe('brokenJson "args"');
    expect(problems.every((problem) => problem.startsWith('brokenJson'))).toBe(true);
  });

  it('reads the servers of .cursor/mcp.json from the wrong section, beside bad entries', () => {
    expect(parse('broken/.cursor/mcp.json', 'cursor')).toEqual({
      labels: ['goodOfCursor', 'good'],
      problems: ['wrongSection "servers"', 'badType "node server.js"', expect.stringMatching(/^missingUrl/) as string],
    });
  });
});
