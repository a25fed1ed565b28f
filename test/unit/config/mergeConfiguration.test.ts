import { describe, expect, it } from 'vitest';
import { fileSource as first, mcpJsonSource as second, userSource as user } from '../../fixtures/launches.ts';
import { definitionTarget, isTargetOf } from '../../../src/config/launchTarget.ts';
import { type LoadedSource, mergeConfiguration } from '../../../src/config/mergeConfiguration.ts';
import { parseConfiguration, parseServersSetting } from '../../../src/config/parseConfiguration.ts';

const secondText =
  '{"mcpServers": {"both": {"command": "2"}, "two": {"command": "2", "patchbay": {"trace": true, "timeouts": {"connectMs": 1, "requestMs": 2}}}}}';
const sources: LoadedSource[] = [
  {
    source: first,
    parsed: parseConfiguration('{"servers": {"one": {"command": "1"}, "both": {"command": "1"}}}', 'vscode'),
  },
  { source: second, parsed: parseConfiguration(secondText, 'mcpJson') },
  { source: user, parsed: parseServersSetting({ both: { command: '3' } }, []) },
];

describe('mergeConfiguration', () => {
  it('lets the first source win and names the others', () => {
    const { servers, problems } = mergeConfiguration(sources, { user: undefined, workspace: new Map() });
    expect(servers.map(({ label, source }) => [label, source.title])).toEqual([
      ['one', '.vscode/mcp.json'],
      ['both', '.vscode/mcp.json'],
      ['two', '.mcp.json'],
    ]);
    expect(servers[1]?.shadows).toEqual([second, user]);
    expect(servers[0]?.shadows).toEqual([]);
    expect(problems.map((list) => list.map(({ code }) => code))).toEqual([[], ['shadowed'], ['shadowed']]);
    expect(problems[1]?.[0]?.range?.offset).toBe(secondText.indexOf('"both"'));
  });

  it('lets the setting win over the entry, key by key', () => {
    const { servers } = mergeConfiguration(sources, {
      workspace: new Map([['two', { options: { revision: '2025-06-18', trace: false }, target: undefined }]]),
      user: {
        byLabel: new Map([['two', { options: { trace: true, timeouts: { requestMs: 3 } }, target: undefined }]]),
        definitionTarget,
        isTargetOf,
      },
    });
    const timeouts = { connectMs: 1, requestMs: 3 };
    expect(servers[2]?.options).toEqual({ trace: true, revision: '2025-06-18', timeouts });
  });
});
