import type { JsonPreview } from '../../base/jsonPreview.ts';
import { type TrafficAction, trafficActions, type TrafficDetail } from '../../shared/trafficMessages.ts';
import { banner, button, element, fill, formatBytes, formatDuration, inlineText, plainText } from '../dom.ts';
import { JsonTree } from '../result/jsonTree.ts';
import { preciseTime } from '../../base/relativeTime.ts';
import { arrowOf, directionWords } from './rowElement.ts';

interface DetailPaneOptions {
  readonly act: (id: number, action: TrafficAction) => void;
  readonly copy: (text: string) => void;
}

const icons: Readonly<Record<TrafficAction, string>> = {
  again: 'debug-restart',
  edit: 'edit',
  tool: 'tools',
  call: 'history',
  log: 'output',
  copyRequest: 'copy',
  copyAnswer: 'copy',
};

/** The message of one row with its answer, and what can be done with it. */
export function createDetailPane({ act, copy }: DetailPaneOptions) {
  const body = element('div', { class: 'traffic-detail-body' });
  const pane = element(
    'section',
    { class: 'traffic-detail', 'aria-label': 'Message', tabindex: -1, hidden: true },
    body,
  );
  let shown: string | undefined;

  function tree(title: string, json: JsonPreview | undefined): HTMLElement | undefined {
    if (json === undefined) return undefined;
    const made = new JsonTree(json, title, { text: copy }, 4);
    return element('section', { class: 'traffic-message' }, element('h3', { text: title }), made.element);
  }

  return {
    element: pane,
    show(detail: TrafficDetail): void {
      // A row that has changed in nothing keeps its open nodes, and the focus.
      const next = JSON.stringify(detail);
      if (next === shown) return;
      shown = next;
      const { row, endedAt, text, request, answer, notices, actions } = detail;
      const facts = [
        `${arrowOf(row)} ${directionWords(row)} ${row.server}`,
        row.status,
        preciseTime(row.at),
        endedAt !== undefined && `answered ${preciseTime(endedAt)}`,
        row.durationMs !== undefined && formatDuration(row.durationMs),
        row.size !== undefined && formatBytes(row.size),
      ].filter((fact) => fact !== false && fact !== '');
      const heading = [row.method, row.subject].filter(Boolean).join(' · ');
      fill(
        body,
        element('h2', { class: 'traffic-title' }, inlineText(heading)),
        element('p', { class: 'muted', dir: 'auto', text: facts.join(' · ') }),
        element(
          'div',
          { class: 'traffic-actions', role: 'group', 'aria-label': 'Actions' },
          actions.map((action) =>
            button({
              label: trafficActions[action],
              icon: icons[action],
              kind: 'quiet',
              onClick: () => act(row.id, action),
            }),
          ),
        ),
        notices.map((notice) => banner('info', notice)),
        text !== undefined && plainText(text),
        element('div', { class: 'traffic-messages' }, tree('Request', request), tree('Answer', answer)),
      );
      pane.hidden = false;
    },
    hide(): void {
      shown = undefined;
      pane.hidden = true;
      body.replaceChildren();
    },
    focus: (): void => pane.querySelector<HTMLElement>('button, [tabindex="0"]')?.focus(),
  };
}
