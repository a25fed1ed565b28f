import { isRecord, type UnknownRecord } from '../../base/json.ts';
import { visibleText } from '../../base/visibleText.ts';
import { failed, nothing, passed } from './ownChecks.ts';
import type { Check } from './requestChecks.ts';
import type { WireProbe } from './wireProbe.ts';

/** Checks of all that came from the server; they run after the others. */
export const wireChecks: Readonly<Record<string, Check>> = {
  async notifications(probe) {
    const before = probe.messages.length;
    await probe.notify('notifications/patchbay_check_of_an_unknown_notification');
    // Its answer would come before that of the request that follows.
    await probe.request(probe.isStateless ? 'server/discover' : 'ping');
    const answers = probe.messages.slice(before).filter((message) => isAnswer(message) && !isKnownId(probe, message));
    return answers.length === 0 ? passed : failed('A notification must not be answered, and this server did.');
  },

  'result-type'(probe) {
    const results = probe.messages.flatMap((message) =>
      isRecord(message) && isRecord(message['result']) ? [message['result']] : [],
    );
    if (results.length === 0) return nothing('The server has sent no result.');
    const missing = results.filter((result) => typeof result['resultType'] !== 'string').length;
    return missing === 0 ? passed : failed(`${missing} of ${results.length} results have no "resultType".`);
  },

  ids(probe) {
    // What could not be read has no id to be answered with.
    const answers = probe.messages.filter(isAnswer).filter(({ id }) => id !== null && id !== undefined);
    if (answers.length === 0) return nothing('The server has answered nothing.');
    const strange = answers.filter((message) => !isKnownId(probe, message));
    if (strange.length === 0) return passed;
    const [first] = strange;
    return failed(
      `${strange.length} of ${answers.length} answers have the id of no request, such as ${idText(first)}.`,
    );
  },

  messages(probe) {
    const wrong = probe.messages.filter((message) => !isRecord(message) || message['jsonrpc'] !== '2.0').length;
    return wrong === 0 ? passed : failed(`${wrong} of ${probe.messages.length} messages have no "jsonrpc": "2.0".`);
  },

  'list-changed'(probe, { capabilities }) {
    const announced = probe.messages.flatMap((message) => {
      const method = isRecord(message) ? message['method'] : undefined;
      const [, kind] = /^notifications\/(tools|resources|prompts)\/list_changed$/.exec(String(method)) ?? [];
      return kind === undefined ? [] : [kind];
    });
    if (announced.length === 0) return nothing('No list has changed during the checks.');
    const undeclared = announced.find((kind) => {
      const capability = capabilities[kind];
      return !isRecord(capability) || capability['listChanged'] !== true;
    });
    if (undeclared === undefined) return passed;
    return failed(`It announced changes of ${undeclared}, and declares no "listChanged" for them.`);
  },

  stdout({ noise }) {
    const [first] = noise;
    if (first === undefined) return passed;
    const count =
      noise.length === 1 ? 'A line on stdout is not a message' : `${noise.length} lines on stdout are not messages`;
    return failed(`${count}: “${visibleText(first)}”. Write logs to stderr: some clients end the connection.`);
  },
};

function isAnswer(message: unknown): message is UnknownRecord {
  return isRecord(message) && !('method' in message) && ('result' in message || 'error' in message);
}

function isKnownId(probe: WireProbe, { id }: UnknownRecord): boolean {
  return (typeof id === 'number' || typeof id === 'string') && probe.sentIds.has(id);
}

function idText(message: UnknownRecord | undefined): string {
  const id = message?.['id'];
  return visibleText(id === undefined ? 'none' : JSON.stringify(id).slice(0, 40));
}
