import { commands, window } from 'vscode';
import { CommandIds } from '../commandIds.ts';
import { singleLine } from '../platform/displayText.ts';
import type { WholePastCall } from './callRecord.ts';

type CallWithExchange = Pick<WholePastCall, 'tool' | 'durationMs' | 'exchange' | 'omittedExchange'>;

/** Opens the messages of a call, or says why there are none. */
export async function showExchange(call: CallWithExchange): Promise<void> {
  const { tool, exchange } = call;
  if (exchange === undefined) return void window.showInformationMessage(missingExchange(call));
  const whole = { title: `${singleLine(tool, 60)}.log`, value: Buffer.from(exchange) };
  await commands.executeCommand(CommandIds.openWhole, whole);
}

function missingExchange({ durationMs, omittedExchange }: CallWithExchange): string {
  if (durationMs === undefined) return 'Nothing was sent for this call.';
  return omittedExchange ?? 'The messages of this call were not kept.';
}
