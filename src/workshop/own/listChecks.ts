import { isRecord } from '../../base/json.ts';
import { ErrorCodes } from '../../protocol/jsonRpc.ts';
import type { CheckSubject } from '../checks/checkResult.ts';
import { failed, nothing, passed, warning } from './ownChecks.ts';
import { type Check, refusedWith } from './requestChecks.ts';
import { namesIn, type ReadList } from './serverFacts.ts';

/** Checks of what the server lists. */
export const listChecks: Readonly<Record<string, Check>> = {
  lists(_probe, { lists, capabilities }) {
    const declared = lists.filter(({ capability }) => capability in capabilities);
    if (declared.length === 0) return nothing('The server declares no tools, resources or prompts.');
    const faults = declared.flatMap(({ fault, name, outcome }) =>
      // Many servers have resources and no templates.
      fault === undefined || (name === 'templates' && isUnknownMethod(outcome)) ? [] : [fault],
    );
    return faults.length === 0 ? passed : failed(faults.join(' '));
  },

  names(_probe, facts) {
    const kinds = ['tools', 'resources', 'templates', 'prompts'] as const;
    if (facts.lists.every(({ entries }) => entries.length === 0)) return nothing('The lists of the server are empty.');
    for (const kind of kinds) {
      const seen = new Set<string>();
      const twice = namesIn(facts, kind).find((name) => seen.size === seen.add(name).size);
      if (twice !== undefined) return failed('Its name or URI is listed twice.', subjectOf(kind, twice));
    }
    const nameless = facts.lists.find(({ name, entries }) => namesIn(facts, name).length < entries.length);
    return nameless === undefined ? passed : failed(`${nameless.method} has an entry without its name or URI.`);
  },

  'undeclared-lists'(_probe, { lists, capabilities }) {
    const undeclared = lists.filter(({ capability }) => !(capability in capabilities));
    if (undeclared.length === 0) return nothing('The server declares tools, resources and prompts.');
    const offered = undeclared.filter(({ entries }) => entries.length > 0);
    if (offered.length === 0) return passed;
    const named = offered.map(
      ({ capability, method }) => `${method} has entries, and "${capability}" is not declared.`,
    );
    return failed(`${named.join(' ')} Clients will not ask for them.`);
  },

  async 'unknown-cursor'(probe, { lists, capabilities }) {
    const list = lists.find(({ capability, pages }) => capability in capabilities && pages > 1);
    if (list === undefined) return nothing('No list of the server has a second page.');
    const answer = await probe.request(list.method, { cursor: 'patchbay-check-of-an-unknown-cursor' });
    if (answer.kind === 'result') return warning(`${list.method} took a cursor that it has not given.`);
    return refusedWith(answer, ErrorCodes.invalidParams, true);
  },

  'input-schemas'(_probe, { lists }) {
    const tools = lists.find(({ name }) => name === 'tools')?.entries ?? [];
    if (tools.length === 0) return nothing('The server lists no tools.');
    const wrong = tools.find(({ inputSchema }) => !isRecord(inputSchema) || inputSchema['type'] !== 'object');
    if (wrong === undefined) return passed;
    const name = typeof wrong['name'] === 'string' ? wrong['name'] : '';
    return failed('"inputSchema" must be an object with "type": "object".', { kind: 'tool', name });
  },
};

function isUnknownMethod(outcome: ReadList['outcome']): boolean {
  return outcome.kind === 'error' && outcome.code === ErrorCodes.methodNotFound;
}

function subjectOf(kind: ReadList['name'], name: string): CheckSubject {
  const kinds = { tools: 'tool', resources: 'resource', templates: 'resourceTemplate', prompts: 'prompt' } as const;
  return { kind: kinds[kind], name };
}
