import { countTokens as countExactly } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import type { LintFacts } from '../../src/workshop/lint/lintFacts.ts';
import { lintServer } from '../../src/workshop/lint/lintServer.ts';
import { toolForModel, toolTokens } from '../../src/workshop/lint/modelView.ts';
import { openHeadless } from '../fixtures/headlessServer.ts';
import { createFolder, officialProgram, officialServers } from '../fixtures/officialServers.ts';

async function factsOf(name: string): Promise<LintFacts> {
  const folder = await createFolder();
  const { args, env } = officialServers[name] ?? {};
  const server = openHeadless({
    command: process.execPath,
    args: [officialProgram(name), ...(args?.(folder) ?? [])],
    env: env?.(folder) ?? {},
  });
  await server.start();
  return { label: name, tools: server.tools, prompts: [], resources: [], resourceTemplates: [] };
}

describe('the lint of an official server', { timeout: 60_000 }, () => {
  it.each(['everything', 'filesystem', 'memory'])(
    '%s: nothing is refused, and tokens are within a tenth of o200k',
    async (name) => {
      const facts = await factsOf(name);
      expect(facts.tools.length).toBeGreaterThan(5);
      const results = lintServer(facts);
      expect(results.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
      const estimated = facts.tools.reduce((sum, tool) => sum + toolTokens(tool), 0);
      const exact = facts.tools.reduce(
        (sum, tool) => sum + countExactly(JSON.stringify(toolForModel(tool, 'anthropic'))),
        0,
      );
      expect(Math.abs(estimated / exact - 1)).toBeLessThan(0.1);
    },
  );
});
