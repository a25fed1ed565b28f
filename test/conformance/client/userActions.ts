import type { HeadlessServer } from '../../../src/headless.ts';
import type { ToolCall } from './configuration.ts';

/** The actions of a user on a server that is connected and whose lists are complete. */
type UserActions = (server: HeadlessServer, toolCalls: readonly ToolCall[]) => Promise<void>;

const userActions: Readonly<Record<string, UserActions>> = {
  initialize: useAll,
  tools_call: (server) => call(server, 'add_numbers', { a: 5, b: 3 }),
  'elicitation-sep1034-client-defaults': useAll,
  'sse-retry': useAll,
  'request-metadata': useAll,
  'sep-2322-client-request-state': useAll,
  'http-standard-headers': useAll,
  'http-custom-headers': async (server, toolCalls) => {
    for (const { name, arguments: args } of toolCalls) await call(server, name, args);
  },
  'http-invalid-tool-headers': useAll,
  'json-schema-ref-no-deref': look,
  'json-schema-2020-12-preservation': (server) => {
    const schema = server.tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema;
    return call(server, 'json_schema_echo', { schema });
  },
  'sep-2640-client-no-prefetch': look,
  'sep-2640-client-verify-digest': openSkills,
  'sep-2640-client-verify-size': openSkills,
  'sep-2640-client-verify-frontmatter': openSkills,
};

/** @throws for an unknown scenario: some pass without any action */
export function findUserActions(scenario: string): UserActions {
  if (scenario.startsWith('auth/')) return useAll;
  const found = userActions[scenario];
  if (found === undefined) throw new Error(`What a user does in the scenario "${scenario}" is not known here.`);
  return found;
}

/** Everything was listed at the start. */
async function look(): Promise<void> {}

/** Calls every tool, reads every resource, gets every prompt, one after the other. */
async function useAll(server: HeadlessServer): Promise<void> {
  for (const { name } of server.tools) await call(server, name);
  for (const { uri } of server.resources) await server.readResource(uri);
  for (const { name } of server.prompts) await server.getPrompt(name);
}

/** Opens each skill, then its other files. */
async function openSkills(server: HeadlessServer): Promise<void> {
  for (const { uri, files } of server.skills) {
    await server.readSkill(uri);
    for (const file of files === 'dynamic' ? [] : files) await server.readSkillFile(uri, file.uri);
  }
}

async function call(server: HeadlessServer, name: string, args: object = {}): Promise<void> {
  await server.callTool(name, args);
}
