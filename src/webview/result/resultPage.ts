import { printJson } from '../../base/shownJson.ts';
import type { ContentView } from '../../shared/content.ts';
import type { ResultBody, ResultFromPanel, ResultToPanel, ResultView } from '../../shared/resultMessages.ts';
import { isWebAddress } from '../../shared/webAddress.ts';
import { contentElement, type ContentDrawing } from '../contentElement.ts';
import { button, element, icon } from '../dom.ts';
import { exactText } from '../exactText.ts';
import { connectPanel, type PanelHost } from '../panelHost.ts';
import { messageHeader } from '../messageHeader.ts';
import { jsonTree } from './jsonTree.ts';
import { createMarkdownRenderer } from './markdown.ts';

/** Shows the result of a prompt or a tool. */
export class ResultPage {
  readonly #host: PanelHost<ResultFromPanel>;
  readonly #renderMarkdown = createMarkdownRenderer();
  readonly #root: HTMLElement;
  #view: ResultView | undefined;
  #isRaw = false;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#host = connectPanel<ResultToPanel, ResultFromPanel>(['show'], ({ view }) => {
      this.#view = view;
      this.#draw();
      window.scrollTo(0, 0);
    });
    root.addEventListener('click', (event) => this.#followLink(event));
  }

  /** Tells the extension that the page listens. */
  start(): void {
    this.#host.send({ type: 'ready' });
  }

  #draw(): void {
    const view = this.#view;
    if (view === undefined) return;
    const drawing = this.#drawing(view);
    this.#root.replaceChildren(
      this.#header(view),
      element('main', {}, ...noticeElements(view), ...bodyElements(view.body, drawing)),
    );
  }

  #header(view: ResultView): HTMLElement {
    const raw = button({ label: 'Raw Text', icon: 'code', kind: 'quiet', onClick: () => this.#toggleRaw() });
    raw.setAttribute('aria-pressed', String(this.#isRaw));
    raw.dataset['role'] = 'raw';
    const actions = view.actions.map(({ id, label, icon: iconName }) =>
      button({ label, icon: iconName, kind: 'quiet', onClick: () => this.#host.send({ type: 'action', id }) }),
    );
    const description =
      view.description === undefined || view.description === ''
        ? []
        : [exactText(view.description, 'exact description')];
    return element(
      'header',
      { class: 'page-header' },
      element('div', { class: 'title-row' }, element('h1', {}, exactText(view.title, 'exact inline'))),
      element('p', { class: 'lead' }, 'From ', exactText(view.server, 'exact inline strong')),
      ...description,
      element('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'Actions for this result' }, ...actions, raw),
    );
  }

  #toggleRaw(): void {
    this.#isRaw = !this.#isRaw;
    this.#draw();
    this.#root.querySelector<HTMLElement>('[data-role="raw"]')?.focus();
  }

  #drawing(view: ResultView): ContentDrawing {
    return {
      text: (text, mimeType) => {
        const isMarkdown = mimeType === undefined || /^text\/(x-)?markdown\b/i.test(mimeType);
        if (this.#isRaw || !isMarkdown) return exactText(text, isMarkdown ? 'exact' : 'exact code');
        const drawn = this.#renderMarkdown(text);
        if (drawn !== undefined) return element('div', { class: 'markdown', dir: 'auto' }, drawn);
        return element('div', {}, plainNote(), exactText(text));
      },
      json: (json) => (this.#isRaw ? exactText(printJson(json), 'exact code') : jsonTree(json)),
      link: (uri, title) => this.#link(uri, title, view.opensResources),
    };
  }

  #link(uri: string, title: string, opensResources: boolean): HTMLElement {
    if (isWebAddress(uri)) return element('a', { href: uri, title: uri }, exactText(title, 'exact inline'));
    if (!opensResources)
      return element('span', {}, exactText(title === uri ? uri : `${title} (${uri})`, 'exact inline'));
    const open = element('button', { type: 'button', class: 'link', title: uri }, exactText(title, 'exact inline'));
    open.addEventListener('click', () => this.#host.send({ type: 'openResource', uri }));
    return open;
  }

  /** Every link goes through the extension, which checks it again; nothing is opened from here. */
  #followLink(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null) return;
    event.preventDefault();
    // VS Code listens further out and would open it as well.
    event.stopPropagation();
    if (isWebAddress(link.href)) this.#host.send({ type: 'openLink', uri: link.href });
  }
}

function noticeElements(view: ResultView): HTMLElement[] {
  return view.notices.map((notice) =>
    element('p', { class: 'banner info' }, icon('info'), exactText(notice, 'exact inline')),
  );
}

function bodyElements(body: ResultBody, drawing: ContentDrawing): HTMLElement[] {
  if (body.kind === 'messages') {
    if (body.messages.length === 0) return [emptyNote('The prompt gave no messages.')];
    const cards = body.messages.map((message) =>
      element(
        'li',
        { class: `message ${message.role}` },
        messageHeader(message.role),
        ...message.content.map((block) => contentElement(block, drawing)),
      ),
    );
    return [element('ol', { class: 'messages' }, ...cards)];
  }
  const parts: HTMLElement[] = [];
  if (body.isError) {
    const text = 'The tool reports that it failed. What it says about it:';
    parts.push(element('p', { class: 'banner error', role: 'alert' }, icon('error'), element('span', { text })));
  }
  if (body.content.length === 0 && body.structured === undefined) parts.push(emptyNote('The tool gave nothing back.'));
  parts.push(...body.content.map((block) => contentCard(block, drawing)));
  if (body.structured !== undefined) {
    parts.push(
      element(
        'section',
        { class: 'part' },
        element('h2', { text: 'Structured content' }),
        drawing.json(body.structured),
      ),
    );
  }
  return parts;
}

function contentCard(block: ContentView, drawing: ContentDrawing): HTMLElement {
  return element('section', { class: 'part content' }, contentElement(block, drawing));
}

function plainNote(): HTMLElement {
  const text = 'Shown as it is: drawn as Markdown, this text would be too large for a page.';
  return element('p', { class: 'hint', text });
}

function emptyNote(text: string): HTMLElement {
  return element('p', { class: 'hint', text });
}
