import { commands, window } from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { limits } from '../base/limits.ts';
import type { QuestionMutes } from '../client/questionMutes.ts';
import { CommandIds } from './commands/commandIds.ts';
import { notificationText } from './notificationText.ts';

/** Tells when a server is muted, which the person has not asked for in so many words, and offers to hear it again. */
export function offerQuestions(mutes: Pick<QuestionMutes, 'isMuted' | 'onDidChange'>): Disposable {
  return mutes.onDidChange((label) => {
    if (mutes.isMuted(label)) void offer(label);
  });
}

async function offer(label: string): Promise<void> {
  const allow = 'Allow Questions Again';
  const message = `You refused ${limits.questions.refusals} questions of “${label}” in a row. What it asks from now on is refused without showing it to you.`;
  const chosen = await window.showInformationMessage(notificationText(message), allow);
  if (chosen === allow) await commands.executeCommand(CommandIds.allowQuestions, label);
}
