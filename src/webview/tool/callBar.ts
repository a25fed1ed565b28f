import type { CallView, ToolView } from '../../shared/toolMessages.ts';
import { button, element, exactText, formatDuration } from '../dom.ts';
import { createMenuButton } from '../form/fieldMenu.ts';

/** What the buttons of the bar do. */
export interface CallBarActions {
  readonly onCall: () => void;
  readonly onCancel: () => void;
  readonly onOpenJson: () => void;
  readonly onFillLast: () => void;
  readonly onSave: () => void;
  readonly onCopy: () => void;
}

/** The bar with *Call* and what a running call says, always in sight. */
export interface CallBar {
  readonly element: HTMLElement;
  showState(state: ToolView['state']): void;
  showCall(call: CallView): void;
  readonly isIdle: boolean;
  /** Moves the focus to *Call*. */
  focus(): void;
}

const labels: Readonly<Record<ToolView['state'], string>> = {
  running: 'Call',
  starting: 'Call',
  stopped: 'Start and Call',
  missing: 'Call',
  replaced: 'Call',
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
  cancel.hidden = true;
  const json = button({ label: 'Open JSON', icon: 'json', kind: 'quiet', onClick: actions.onOpenJson });
  const more = createMenuButton('More for this call', () => [
    { label: 'Fill In the Last Call', run: actions.onFillLast },
    undefined,
    { label: 'Save Call…', run: actions.onSave },
    { label: 'Copy Call As…', run: actions.onCopy },
  ]);
  const meter = createMeter();
  let current: CallView = { kind: 'idle' };
  const bar = { class: 'call-bar', role: 'group', 'aria-label': 'Call' };
  return {
    element: element('div', bar, call, cancel, json, more.element, meter.element),
    get isIdle() {
      return current.kind === 'idle';
    },
    focus: () => call.focus(),
    showState(state) {
      call.querySelector('span:last-child')?.replaceChildren(labels[state]);
    },
    showCall(view) {
      const hadFocus = document.activeElement === cancel || document.activeElement === call;
      const isIdle = view.kind === 'idle';
      current = view;
      call.hidden = !isIdle;
      cancel.hidden = isIdle;
      meter.show(view);
      // One button takes the place of the other.
      if (hadFocus) (isIdle ? call : cancel).focus();
    },
  };
}

/** What a running call says, and for how long it has been running. */
function createMeter(): { readonly element: HTMLElement; show(view: CallView): void } {
  const meter = element('progress', { 'aria-label': 'Progress of the call', max: 100 });
  const words = element('span', { class: 'progress-words' });
  const elapsed = element('span', { class: 'muted' });
  const running = element('div', { class: 'running', hidden: true }, meter, words, elapsed);
  let began: number | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;

  function tick(): void {
    const seconds = Math.max(0, Math.floor((performance.now() - (began ?? 0)) / 1_000));
    elapsed.textContent = formatDuration(seconds * 1_000);
  }

  return {
    element: running,
    show(view) {
      running.hidden = view.kind === 'idle';
      if (view.kind === 'idle') {
        clearInterval(timer);
        began = undefined;
        return;
      }
      if (began === undefined) {
        began = performance.now();
        tick();
        timer = setInterval(tick, 1_000);
      }
      const { message, percent } = (view.kind === 'running' ? view.progress : undefined) ?? { message: undefined };
      const silent = view.kind === 'waiting' ? 'Waiting to be sent…' : 'Running…';
      words.replaceChildren(message === undefined ? silent : exactText(message, 'exact inline'));
      if (percent === undefined) meter.removeAttribute('value');
      else meter.value = percent;
    },
  };
}
