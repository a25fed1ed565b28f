import type { CallView, ToolView } from '../../shared/toolMessages.ts';
import { button, element, exactText, formatDuration } from '../dom.ts';

/** What the buttons of the bar do. */
export interface CallBarActions {
  readonly onCall: () => void;
  readonly onCancel: () => void;
  readonly onOpenJson: () => void;
}

/** The bar with *Call* and what a running call says, always in sight. */
export interface CallBar {
  readonly element: HTMLElement;
  showState(state: ToolView['state']): void;
  showCall(call: CallView): void;
  readonly isIdle: boolean;
}

const labels: Readonly<Record<ToolView['state'], string>> = {
  running: 'Call',
  starting: 'Call',
  stopped: 'Start and Call',
  missing: 'Call',
};

/** Creates the bar without a call. */
export function createCallBar(actions: CallBarActions): CallBar {
  const isMac = /Mac/.test(navigator.userAgent);
  const call = button({
    label: 'Call',
    icon: 'play',
    kind: 'primary',
    title: isMac ? '⌘Enter' : 'Ctrl+Enter',
    onClick: actions.onCall,
  });
  const cancel = button({ label: 'Cancel', icon: 'debug-stop', onClick: actions.onCancel });
  const json = button({ label: 'Open JSON', icon: 'json', kind: 'quiet', onClick: actions.onOpenJson });
  const meter = element('progress', { 'aria-label': 'Progress of the call', max: 100 });
  const words = element('span', { class: 'progress-words' });
  const elapsed = element('span', { class: 'muted' });
  const running = element('div', { class: 'running', hidden: true }, meter, words, elapsed);
  let current: CallView = { kind: 'idle' };
  let began = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  function tick(): void {
    elapsed.textContent = formatDuration(Math.max(0, Math.floor((performance.now() - began) / 1_000)) * 1_000);
  }

  function showRunning(view: Exclude<CallView, { readonly kind: 'idle' }>): void {
    const { message, percent } = (view.kind === 'running' ? view.progress : undefined) ?? { message: undefined };
    words.replaceChildren(
      message === undefined
        ? view.kind === 'waiting'
          ? 'Waiting to be sent…'
          : 'Running…'
        : exactText(message, 'exact inline'),
    );
    if (percent === undefined) meter.removeAttribute('value');
    else meter.value = percent;
  }

  return {
    element: element('div', { class: 'call-bar', role: 'group', 'aria-label': 'Call' }, call, cancel, json, running),
    get isIdle() {
      return current.kind === 'idle';
    },
    showState(state) {
      call.querySelector('span:last-child')?.replaceChildren(labels[state]);
    },
    showCall(view) {
      const hadFocus = document.activeElement === cancel || document.activeElement === call;
      const isIdle = view.kind === 'idle';
      if (current.kind === 'idle' && !isIdle) {
        began = performance.now();
        tick();
        timer = setInterval(tick, 1_000);
      }
      if (isIdle) clearInterval(timer);
      current = view;
      call.hidden = !isIdle;
      cancel.hidden = isIdle;
      running.hidden = isIdle;
      if (view.kind !== 'idle') showRunning(view);
      // One button takes the place of the other.
      if (hadFocus) (isIdle ? call : cancel).focus();
    },
  };
}
