import type { ResultFromPanel, ResultToPanel, ResultView } from '../../shared/resultMessages.ts';
import { element, exactText, plainText, formatBytes, formatDuration } from '../dom.ts';
import { connectToExtension, type ExtensionConnection } from '../extensionConnection.ts';
import { ResultArea } from './resultArea.ts';

export class ResultPage {
  readonly #host: ExtensionConnection<ResultFromPanel>;
  readonly #header = element('header', { class: 'page-header' });
  readonly #area: ResultArea;

  constructor(root: HTMLElement) {
    this.#host = connectToExtension<ResultToPanel, ResultFromPanel>(['show'], ({ view, textStyle, isUpdate }) => {
      this.#header.replaceChildren(...headerElements(view));
      this.#area.show(view, textStyle);
      if (isUpdate !== true) window.scrollTo(0, 0);
    });
    this.#area = new ResultArea((message) => this.#host.send(message));
    root.append(this.#header, element('main', {}, this.#area.element));
  }

  start(): void {
    this.#host.send({ type: 'ready' });
  }
}

function headerElements(view: ResultView): readonly HTMLElement[] {
  const { title, server, description } = view;
  const about = description === undefined || description === '' ? [] : [plainText(description)];
  return [
    element('div', { class: 'title-row' }, element('h1', {}, exactText(title, 'exact inline'))),
    element('p', { class: 'lead' }, 'From ', exactText(server, 'exact inline strong'), factsOf(view)),
    ...about,
  ];
}

/** " · took 1.2 s · 3.4 kB" */
function factsOf({ durationMs, size }: ResultView): string {
  const facts = [
    durationMs === undefined ? undefined : `took ${formatDuration(durationMs)}`,
    size === undefined ? undefined : formatBytes(size),
  ].filter((fact) => fact !== undefined);
  return facts.map((fact) => ` · ${fact}`).join('');
}
