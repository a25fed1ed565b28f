import type { CallView, ToolFromPanel, ToolView } from '../../shared/toolMessages.ts';
import { acceptButton } from '../decisionGuard.ts';
import { button, element, fill, formatDuration, inlineText, relabel } from '../dom.ts';
import { createMenuButton } from '../form/fieldMenu.ts';

/** The bar with *Call* and what a running call says, always in sight; without a call at first. */
export function createCallBar(onCall: () => void, send: (message: ToolFromPanel) => void) {
  const call = acceptButton('Call', 'play', onCall);
  const cancel = button({ label: 'Cancel', icon: 'debug-stop', onClick: () => send({ type: 'cancel' }) });
  const json = { label: 'Open JSON', icon: 'json', kind: 'quiet', onClick: () => send({ type: 'openJson' }) } as const;
  const more = createMenuButton('More for this call', () => [
    { label: 'Fill In Defaults', run: () => send({ type: 'fillDefaults' }) },
    { label: 'Fill In the Last Call', run: () => send({ type: 'fillLast' }) },
    undefined,
    { label: 'Save Call…', run: () => send({ type: 'saveCall' }) },
    { label: 'Copy Call As…', run: () => send({ type: 'copyAs' }) },
  ]);
  const meter = createMeter();
  cancel.hidden = true;
  const bar = { class: 'call-bar', role: 'group', 'aria-label': 'Call' };
  return {
    element: element('div', bar, call, cancel, button(json), more.element, meter.element),
    get isIdle() {
      return cancel.hidden;
    },
    focus: () => call.focus(),
    showState: (state: ToolView['state']) => relabel(call, state === 'stopped' ? 'Start and Call' : 'Call'),
    showCall(view: CallView) {
      const hadFocus = document.activeElement === cancel || document.activeElement === call;
      const isIdle = view.kind === 'idle';
      call.hidden = !isIdle;
      cancel.hidden = isIdle;
      meter.show(view);
      // One button takes the place of the other.
      if (hadFocus) (isIdle ? call : cancel).focus();
    },
  };
}

/** What a running call says, and for how long it has been running. */
function createMeter() {
  const meter = element('progress', { 'aria-label': 'Progress of the call', max: 100 });
  const words = element('span', { class: 'progress-words' });
  const elapsed = element('span', { class: 'muted' });
  const running = element('div', { class: 'running', hidden: true }, meter, words, elapsed);
  let timer: ReturnType<typeof setInterval> | undefined;

  return {
    element: running,
    show(view: CallView) {
      running.hidden = view.kind === 'idle';
      if (view.kind === 'idle') {
        clearInterval(timer);
        timer = undefined;
        return;
      }
      const began = performance.now();
      const tick = (): void => {
        const seconds = Math.max(0, Math.floor((performance.now() - began) / 1_000));
        elapsed.textContent = formatDuration(seconds * 1_000);
      };
      if (timer === undefined) {
        tick();
        timer = setInterval(tick, 1_000);
      }
      const { message, percent } = (view.kind === 'running' ? view.progress : undefined) ?? { message: undefined };
      const silent = view.kind === 'waiting' ? 'Waiting to be sent…' : 'Running…';
      fill(words, message === undefined ? silent : inlineText(message));
      if (percent === undefined) meter.removeAttribute('value');
      else meter.value = percent;
    },
  };
}
