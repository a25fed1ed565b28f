import { commands, window } from 'vscode';
import { CommandIds } from '../commandIds.ts';
import { singleLine } from '../platform/displayText.ts';
import type { SentRequest } from '../../client/trace/sentRequest.ts';
import type { WholePastCall } from './callRecord.ts';

type CallWithExchange = Pick<WholePastCall, 'tool' | 'durationMs' | 'sent' | 'exchange' | 'omittedExchange'>;

/**
 * Goes to the messages of a call in the traffic. Where they are no longer there, as after a reload, the text that the history has of
 * them is opened.
 */
export async function showExchange(
  call: CallWithExchange,
  showTraffic: (sent: readonly SentRequest[]) => Promise<boolean>,
): Promise<void> {
  const { tool, sent = [], exchange } = call;
  if (sent.length > 0 && (await showTraffic(sent))) return;
  if (exchange === undefined) return void window.showInformationMessage(missingExchange(call));
  const whole = { title: `${singleLine(tool, 60)}.log`, value: Buffer.from(exchange) };
  await commands.executeCommand(CommandIds.openWhole, whole);
}

function missingExchange({ durationMs, omittedExchange }: CallWithExchange): string {
  if (durationMs === undefined) return 'Nothing was sent for this call.';
  return omittedExchange ?? 'The messages of this call were not kept.';
}
