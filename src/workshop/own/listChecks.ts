import { isRecord } from '../../base/json.ts';
import { ErrorCodes } from '../../protocol/jsonRpc.ts';
import { failed, nothing, passed, warning } from './ownChecks.ts';
import { type Check, refusedWith } from './requestChecks.ts';
import { entriesOf, namesIn, type ReadList } from './serverFacts.ts';

/** Checks of what the server lists. */
export const listChecks: Readonly<Record<string, Check>> = {
  lists(_probe, { lists, capabilities }) {
    const declared = lists.filter(({ owner }) => owner in capabilities);
    if (declared.length === 0) return nothing('The server declares no tools, resources or prompts.');
    const faults = declared.flatMap(({ fault, kind, outcome }) =>
      // Many servers have resources and no templates.
      fault === undefined || (kind === 'resourceTemplates' && isUnknownMethod(outcome)) ? [] : [fault],
    );
    return faults.length === 0 ? passed : failed(faults.join(' '));
  },

  names(_probe, facts) {
    if (facts.lists.every(({ entries }) => entries.length === 0)) return nothing('The lists of the server are empty.');
    for (const { kind, subject } of facts.lists) {
      const seen = new Set<string>();
      const twice = namesIn(facts, kind).find((name) => seen.size === seen.add(name).size);
      if (twice !== undefined) return failed('Its name or URI is listed twice.', { kind: subject, name: twice });
    }
    const nameless = facts.lists.find(({ kind, entries }) => namesIn(facts, kind).length < entries.length);
    return nameless === undefined ? passed : failed(`${nameless.method} has an entry without its name or URI.`);
  },

  'undeclared-lists'(_probe, { lists, capabilities }) {
    const undeclared = lists.filter(({ owner }) => !(owner in capabilities));
    if (undeclared.length === 0) return nothing('The server declares tools, resources and prompts.');
    const offered = undeclared.filter(({ entries }) => entries.length > 0);
    if (offered.length === 0) return passed;
    const named = offered.map(({ owner, method }) => `${method} has entries, and "${owner}" is not declared.`);
    return failed(`${named.join(' ')} Clients will not ask for them.`);
  },

  async 'unknown-cursor'(probe, { lists, capabilities }) {
    const list = lists.find(({ owner, pages }) => owner in capabilities && pages > 1);
    if (list === undefined) return nothing('No list of the server has a second page.');
    const answer = await probe.request(list.method, { cursor: 'patchbay-check-of-an-unknown-cursor' });
    if (answer.kind === 'result') return warning(`${list.method} took a cursor that it has not given.`);
    return refusedWith(answer, ErrorCodes.invalidParams, true);
  },

  'input-schemas'(_probe, facts) {
    const tools = entriesOf(facts, 'tools');
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
