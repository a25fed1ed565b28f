import { expect } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import type { QuestionSurface } from '../../../../src/host/consent/questionQueue.ts';

/** The panel of a queue; a test takes the place of its page. */
export function createQuestionPanel<ToPanel>() {
  const panels: { posted: ToPanel[]; message: Emitter<unknown>; close: Emitter<void>; isOpen: boolean }[] = [];
  /** What happened to all panels, in order. */
  const seen: string[] = [];
  const panel = () => panels.at(-1) ?? expect.unreachable('No panel was opened.');
  const openSurface = (): QuestionSurface<ToPanel & { readonly type: string }> => {
    const opened = {
      posted: [] as ToPanel[],
      message: new Emitter<unknown>(),
      close: new Emitter<void>(),
      isOpen: true,
    };
    panels.push(opened);
    return {
      post(message) {
        opened.posted.push(message);
        seen.push(message.type);
      },
      reveal: (takesFocus) => seen.push(takesFocus ? 'focused' : 'revealed'),
      onMessage: opened.message.event,
      onDidClose: opened.close.event,
      dispose() {
        opened.isOpen = false;
        seen.push('disposed');
      },
    };
  };
  return { panels, panel, seen, openSurface, say: (message: unknown): void => panel().message.fire(message) };
}
