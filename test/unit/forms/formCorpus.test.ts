import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkTool, readTools } from '../../formCorpus/checkTool.ts';

const folder = join(import.meta.dirname, '../../fixtures/toolSchemas');

describe('the forms of real tools', () => {
  const tools = readdirSync(folder).flatMap((name) => readTools(name, readFileSync(join(folder, name), 'utf8')));
  const reports = tools.map(checkTool);
  const sum = (of: (report: (typeof reports)[number]) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);

  it('have a field for nearly every property, and give each example back unchanged', () => {
    expect(tools).toHaveLength(266);
    expect(sum((report) => report.failed)).toBe(0);
    expect(sum((report) => report.examples)).toBeGreaterThan(1_000);
    expect(sum((report) => report.fields) / sum((report) => report.properties)).toBeGreaterThanOrEqual(0.98);
  });

  it('are told apart from those that are not whole', () => {
    const broken = checkTool({
      name: 'x',
      inputSchema: { type: 'object', properties: { a: { $ref: '#/none' }, b: {} } },
    });
    expect(broken).toMatchObject({ properties: 2, fields: 1, json: 1 });
    expect(broken.problems[0]).toContain('a is JSON: Its schema refers to #/none');
  });

  it.each([
    ['{', 'is not JSON'],
    ['{}', 'has no list of tools'],
    ['[{ "name": 1 }]', 'tool 1 needs a text "name"'],
  ])('come from files that say what is wrong with them: %s', (text, message) => {
    expect(() => readTools('a.json', text)).toThrow(message);
  });
});
