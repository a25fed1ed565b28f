import type { ResultFromPanel, ResultToPanel, ResultView } from '../../shared/resultMessages.ts';
import { type Child, element, fill, formatBytes, formatDuration, inlineText, plainText } from '../dom.ts';
import { connectToExtension } from '../extensionConnection.ts';
import { ResultArea } from './resultArea.ts';

export class ResultPage {
  readonly #host = connectToExtension<ResultFromPanel>((message: ResultToPanel) => this.#show(message));
  readonly #header = element('header', { class: 'page-header' });
  readonly #area = new ResultArea((message) => this.#host.send(message));

  constructor(root: HTMLElement) {
    root.append(this.#header, element('main', {}, this.#area.element));
  }

  start(): void {
    this.#host.send({ type: 'ready' });
  }

  #show({ type, view, textStyle, isUpdate }: ResultToPanel): void {
    if (type !== 'show') return;
    fill(this.#header, headerElements(view));
    this.#area.show(view, textStyle);
    if (isUpdate !== true) window.scrollTo(0, 0);
  }
}

function headerElements({ title, server, description = '', durationMs, size }: ResultView): Child {
  // " · took 1.2 s · 3.4 kB"
  const facts = [
    durationMs !== undefined && ` · took ${formatDuration(durationMs)}`,
    size !== undefined && ` · ${formatBytes(size)}`,
  ];
  return [
    element('div', { class: 'title-row' }, element('h1', {}, inlineText(title))),
    element('p', { class: 'lead' }, 'From ', inlineText(server, 'strong'), facts),
    description !== '' && plainText(description),
  ];
}
