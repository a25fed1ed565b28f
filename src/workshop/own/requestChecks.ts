import { isRecord, isStringArray } from '../../base/json.ts';
import { callMissingTool } from '../../client/toolCalls/sendToolCall.ts';
import { ErrorCodes } from '../../protocol/jsonRpc.ts';
import { metaPrefix } from '../../protocol/revisions/stateless/requestMetadata.ts';
import { isHandshakeRevision } from '../../protocol/session/revision.ts';
import { failed, type Finding, note, nothing, passed, warning } from './ownChecks.ts';
import { describeOutcome, entriesOf, namesIn, type ServerFacts } from './serverFacts.ts';
import type { Outcome, WireProbe } from './wireProbe.ts';

export type Check = (probe: WireProbe, facts: ServerFacts) => Promise<Finding> | Finding;

const missingName = 'patchbay_check_of_something_that_does_not_exist';
const missingUri = 'patchbay-check://does-not-exist';

/** Checks that send a request and judge its answer. */
export const requestChecks: Readonly<Record<string, Check>> = {
  start: (_probe, { opening }) => (opening.kind === 'result' ? passed : failed(describeOutcome(opening))),

  revision(_probe, { opening }) {
    const revision = opening.kind === 'result' ? opening.result['protocolVersion'] : undefined;
    if (isHandshakeRevision(revision)) return { verdict: 'passed', message: `It speaks ${revision}.` };
    const named = typeof revision === 'string' ? `"${revision.slice(0, 40)}"` : 'none';
    return failed(`"protocolVersion" must be a revision with initialize; the server named ${named}.`);
  },

  discover({ revision }, { opening }) {
    const versions = opening.kind === 'result' ? opening.result['supportedVersions'] : undefined;
    if (!isStringArray(versions)) return failed('"supportedVersions" must be a list of revisions.');
    if (versions.includes(revision)) return passed;
    return failed(`"supportedVersions" has ${versions.slice(0, 10).join(', ')}, and not ${revision}.`);
  },

  identity({ isStateless }, { opening }) {
    const result = opening.kind === 'result' ? opening.result : {};
    const meta = isRecord(result['_meta']) ? result['_meta'] : {};
    const info = isStateless ? meta[`${metaPrefix}serverInfo`] : result['serverInfo'];
    const isGiven = isRecord(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string';
    if (isGiven && info['name'] !== '') return passed;
    if (!isStateless) return failed('"serverInfo" must have "name" and "version".');
    return warning(`"_meta" should have "${metaPrefix}serverInfo" with "name" and "version".`);
  },

  async ping(probe) {
    const answer = await probe.request('ping');
    return answer.kind === 'result' ? passed : failed(describeOutcome(answer));
  },

  'unknown-method': async (probe) =>
    refusedWith(await probe.request('patchbay/checkUnknownMethod'), ErrorCodes.methodNotFound),

  'missing-meta': async (probe) =>
    refusedWith(await probe.request('server/discover', {}, { meta: null }), ErrorCodes.invalidParams),

  async 'unknown-revision'(probe) {
    const meta = {
      [`${metaPrefix}protocolVersion`]: '1999-01-01',
      [`${metaPrefix}clientCapabilities`]: {},
    };
    const answer = await probe.request('server/discover', {}, { meta });
    const finding = refusedWith(answer, unsupportedRevision);
    // Over HTTP the header, which is right, no longer matches.
    if (answer.kind === 'error' && answer.code === ErrorCodes.headerMismatch) return passed;
    if (finding.verdict !== 'passed' || answer.kind !== 'error') return finding;
    const supported = isRecord(answer.data) ? answer.data['supported'] : undefined;
    return isStringArray(supported)
      ? passed
      : failed('The error must have "supported", a list of revisions, in "data".');
  },

  async 'unknown-tool'(probe, facts) {
    const answer = await callMissingTool((method, params) => probe.request(method, params), namesIn(facts, 'tools'));
    if (answer === undefined) return nothing('The server lists the tool that the check takes for missing.');
    // SDKs do so, and a model gets to know it either way.
    if (answer.kind === 'result' && answer.result['isError'] === true)
      return note(`The result has "isError". The specification has the error ${ErrorCodes.invalidParams} for it.`);
    if (answer.kind === 'result') return failed('The call of a tool that does not exist has a result.');
    return refusedWith(answer, ErrorCodes.invalidParams, true);
  },

  'unknown-prompt': async (probe) =>
    refusedWith(await probe.request('prompts/get', { name: missingName }), ErrorCodes.invalidParams, true),

  async 'unknown-resource'(probe) {
    const answer = await probe.request('resources/read', { uri: missingUri });
    if (answer.kind === 'result') {
      const message = 'Reading a resource that does not exist has a result.';
      return probe.isStateless ? failed(message) : warning(message);
    }
    // The code of 2026-07-28, which SDKs send in older revisions too.
    if (answer.kind === 'error' && answer.code === ErrorCodes.invalidParams) return passed;
    return refusedWith(answer, probe.isStateless ? ErrorCodes.invalidParams : ErrorCodes.resourceNotFound, true);
  },

  'missing-uri': async (probe) => refusedForm(await probe.request('resources/read')),

  async completion(probe, facts) {
    const asked = entriesOf(facts, 'prompts').flatMap(({ name, arguments: all }) => {
      const first: unknown = Array.isArray(all) ? all[0] : undefined;
      return typeof name === 'string' && isRecord(first) && typeof first['name'] === 'string'
        ? [{ ref: { type: 'ref/prompt', name }, argument: { name: first['name'], value: '' } }]
        : [];
    })[0];
    if (asked === undefined) return nothing('No prompt of the server has an argument.');
    const answer = await probe.request('completion/complete', asked);
    const subject = { kind: 'prompt', name: asked.ref.name } as const;
    if (answer.kind !== 'result') return failed(describeOutcome(answer), subject);
    const completion = isRecord(answer.result['completion']) ? answer.result['completion'] : {};
    if (!isStringArray(completion['values'])) return failed('"completion.values" must be a list of texts.', subject);
    const count = completion['values'].length;
    return count > 100 ? failed(`"completion.values" has ${count} entries; 100 are allowed.`, subject) : passed;
  },

  async 'log-level'(probe) {
    const answer = await probe.request('logging/setLevel', { level: 'warning' });
    if (answer.kind !== 'result') return failed(describeOutcome(answer));
    return refusedForm(await probe.request('logging/setLevel', { level: 'loudest' }));
  },

  async 'late-cancellation'(probe) {
    await probe.notify('notifications/cancelled', { requestId: probe.lastId, reason: 'Answered already' });
    const answer = await probe.request('ping');
    return answer.kind === 'result' ? passed : failed(`After the cancellation: ${describeOutcome(answer)}`);
  },
};

/** 2026-07-28, Basic, "Error Codes". */
const unsupportedRevision = -32022;

/** Of a request that breaks its schema: SDKs that check that by themselves answer with another code, which a server cannot change. */
function refusedForm(answer: Outcome): Finding {
  const finding = refusedWith(answer, ErrorCodes.invalidParams, true);
  return answer.kind === 'error' && answer.code === ErrorCodes.internalError ? note(finding.message ?? '') : finding;
}

/** @param isAdvice anything else is a warning: the specification says SHOULD */
export function refusedWith(answer: Outcome, code: number, isAdvice = false): Finding {
  switch (answer.kind) {
    case 'error': {
      if (answer.code === code) return passed;
      const message = `The error should be ${code}. ${describeOutcome(answer)}`;
      return isAdvice ? warning(message) : failed(message);
    }
    case 'result':
      return isAdvice
        ? warning(`It should be refused with the error ${code}, and has a result.`)
        : failed(`It must be refused with the error ${code}, and has a result.`);
    case 'failed':
      return failed(`It must be refused with the error ${code}. ${answer.message}`);
  }
}
