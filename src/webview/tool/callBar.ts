import type { CallView, ConfirmReason, ToolFromPanel, ToolView } from '../../shared/toolMessages.ts';
import { acceptButton, createDecisionGuard } from '../decisionGuard.ts';
import { button, checkBox, element, fill, formatDuration, icon, inlineText, relabel } from '../dom.ts';
import { createMenuButton } from '../form/fieldMenu.ts';

const confirmWords: Readonly<Record<ConfirmReason, string>> = {
  destructive: 'The server says this tool may delete or change data. Press again to call it.',
  changed: 'The server has changed this tool since you pressed Call. Check it and press again to call it.',
};

/**
 * The bar with *Call* and what a running call says, always in sight; without a call at first.
 * @param onCall calls with what the page shows
 */
export function createCallBar(onCall: () => void, send: (message: ToolFromPanel) => void) {
  const call = acceptButton('Call', 'play', () => press());
  const cancel = button({ label: 'Cancel', icon: 'debug-stop', onClick: () => send({ type: 'cancel' }) });
  const json = { label: 'Open JSON', icon: 'json', kind: 'quiet', onClick: () => send({ type: 'openJson' }) } as const;
  const more = createMore(send);
  const meter = createMeter(send);
  const note = element('span', { class: 'call-note muted' });
  const question = createSecondPress();
  const bar = { class: 'call-bar', role: 'group', 'aria-label': 'Call' };
  const again = createAgain(send);
  const parts = [call, cancel, button(json), more.element, again.element, meter.element, note, question.element];
  const group = element('div', bar, ...parts);
  let view: CallView = { kind: 'idle' };
  let state: ToolView['state'] = 'running';
  // Not disabled, which would take the focus away.
  const guard = createDecisionGuard(
    (isEnabled) => call.setAttribute('aria-disabled', String(view.kind === 'confirm' && !isEnabled)),
    () => (view.kind === 'confirm' ? group : undefined),
  );
  cancel.hidden = true;
  // A key that is held presses a button again and again.
  call.addEventListener('keydown', (event) => event.repeat && event.preventDefault());
  // The tool may have answered between the two clicks of a double click.
  call.addEventListener('click', (event) => event.detail > 1 && event.stopImmediatePropagation(), { capture: true });
  // Without words while nothing is wanted.
  call.setAttribute('aria-describedby', question.id);

  function press(): void {
    if (view.kind === 'idle') onCall();
    else if (view.kind === 'confirm' && guard.isEnabled)
      send({ type: 'confirm', id: view.id, remember: question.isTicked });
  }

  const showLabel = (): void => relabel(call, labelOf(view, state));

  return {
    element: group,
    press,
    isIdle: (): boolean => view.kind === 'idle',
    isConfirming: (): boolean => view.kind === 'confirm',
    focus: () => (call.hidden ? cancel : call).focus(),
    /** Removes what was said of the last press. */
    clearNote: () => note.replaceChildren(),
    showCallsAgain: (isOffered: boolean, isOn: boolean): void => again.show(isOffered, isOn),
    showState(shown: ToolView['state']) {
      state = shown;
      showLabel();
    },
    /** @returns what a screen reader says */
    showCall(shown: CallView): string {
      const focused = document.activeElement;
      const isOfBar = [call, cancel, meter.element, question.element].some((each) => each.contains(focused));
      const hadFocus = isOfBar || (focused === document.body && document.hasFocus());
      const wasConfirming = view.kind === 'confirm';
      view = shown;
      const isConfirming = shown.kind === 'confirm';
      call.hidden = shown.kind !== 'idle' && !isConfirming;
      cancel.hidden = shown.kind === 'idle';
      const words = question.show(isConfirming ? shown : undefined);
      note.textContent = (shown.kind === 'idle' && shown.note) || '';
      showLabel();
      meter.show(isConfirming ? { kind: 'idle' } : shown, state !== 'running');
      if (isConfirming || wasConfirming) guard.restartDelay();
      // One button takes the place of the other.
      if (isConfirming ? hadFocus : isOfBar) (call.hidden ? cancel : call).focus();
      return isAsked(shown) ? askedWords : isConfirming ? words : note.textContent;
    },
  };
}

/** Whether the last call is made again after a restart on save. */
function createAgain(send: (message: ToolFromPanel) => void) {
  const { element: line, input } = checkBox('Call Again After Restart');
  line.title = 'After the server was restarted on save, makes the last call again and shows both results';
  line.hidden = true;
  input.addEventListener('change', () => send({ type: 'callsAgain', isOn: input.checked }));
  return {
    element: line,
    show(isOffered: boolean, isOn: boolean): void {
      line.hidden = !isOffered;
      input.checked = isOn;
    },
  };
}

const askedWords = 'The server has changed this tool. Answer the question about it first.';

function isAsked(view: CallView): boolean {
  return view.kind === 'waiting' && view.isAsked === true;
}

function labelOf(view: CallView, state: ToolView['state']): string {
  if (view.kind === 'confirm') return 'Call Anyway';
  return state === 'stopped' ? 'Start and Call' : 'Call';
}

function createMore(send: (message: ToolFromPanel) => void) {
  return createMenuButton('More for this call', () => [
    { label: 'Fill In Defaults', run: () => send({ type: 'fillDefaults' }) },
    { label: 'Fill In the Last Call', run: () => send({ type: 'fillLast' }) },
    undefined,
    { label: 'Save Call…', run: () => send({ type: 'saveCall' }) },
    { label: 'Copy Call As…', run: () => send({ type: 'copyAs' }) },
  ]);
}

/** Why *Call* is to be pressed once more, and whether that is wanted the next time too. */
function createSecondPress() {
  const id = 'confirm-call';
  const tick = checkBox('Don’t ask again for this tool');
  const words = element('span', { id });
  const line = element('div', { class: 'confirm', hidden: true }, icon('warning'), words, tick.element);
  return {
    element: line,
    id,
    get isTicked() {
      return !tick.element.hidden && tick.input.checked;
    },
    /** Nothing is ticked at first. @returns the words */
    show(wanted: Pick<Extract<CallView, { kind: 'confirm' }>, 'reason' | 'canRemember'> | undefined): string {
      line.hidden = wanted === undefined;
      tick.input.checked = false;
      tick.element.hidden = wanted?.canRemember !== true;
      words.textContent = wanted === undefined ? '' : confirmWords[wanted.reason];
      return words.textContent;
    },
  };
}

/** What a running call says, and for how long it has been running; and the way to the question that it waits for. */
function createMeter(send: (message: ToolFromPanel) => void) {
  const meter = element('progress', { 'aria-label': 'Progress of the call', max: 100 });
  const words = element('span', { class: 'progress-words' });
  const elapsed = element('span', { class: 'muted' });
  const asked = {
    label: 'Show Notifications',
    icon: 'bell',
    onClick: () => send({ type: 'showNotifications' }),
  } as const;
  const showQuestion = button(asked);
  const running = element('div', { class: 'running', hidden: true }, meter, words, elapsed, showQuestion);
  let timer: ReturnType<typeof setInterval> | undefined;

  return {
    element: running,
    /** @param isStarting the server does not run yet */
    show(view: Exclude<CallView, { readonly kind: 'confirm' }>, isStarting: boolean) {
      running.hidden = view.kind === 'idle';
      showQuestion.hidden = !isAsked(view);
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
      const waiting = isStarting ? 'Starting the server…' : 'Waiting for your confirmation…';
      const silent = isAsked(view) ? askedWords : view.kind === 'waiting' ? waiting : 'Running…';
      fill(words, message === undefined ? silent : inlineText(message));
      if (percent === undefined) meter.removeAttribute('value');
      else meter.value = percent;
    },
  };
}
