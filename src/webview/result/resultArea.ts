import { printPreview } from '../../base/jsonPreview.ts';
import type { ContentView } from '../../shared/content.ts';
import {
  isWebAddress,
  openWholeAction,
  type ResultBody,
  type ResultFromPanel,
  type ResultView,
} from '../../shared/resultMessages.ts';
import { contentElement, type ContentRenderer, messageHeader } from '../contentElement.ts';
import { button, element, exactText, icon } from '../dom.ts';
import { jsonTree } from './jsonTree.ts';
import { createMarkdownRenderer } from './markdown.ts';

/** Open levels of the raw JSON at first: enough to show a content block with its annotations. */
const rawLevels = 5;

/** What an area needs of its page. */
export interface ResultAreaOptions {
  readonly send: (message: ResultFromPanel) => void;
}

/** The result of a prompt or a tool, with its buttons. A page has one area, or shows it below something else. */
export interface ResultArea {
  readonly element: HTMLElement;
  show(view: ResultView): void;
  clear(): void;
}

/** Creates an empty area. */
export function createResultArea(options: ResultAreaOptions): ResultArea {
  return new DrawnResult(options);
}

class DrawnResult implements ResultArea {
  readonly element = element('div', { class: 'result' });
  readonly #send: ResultAreaOptions['send'];
  readonly #renderMarkdown = createMarkdownRenderer();
  #view: ResultView | undefined;
  #isRaw = false;

  constructor({ send }: ResultAreaOptions) {
    this.#send = send;
    this.element.addEventListener('click', (event) => this.#followLink(event));
  }

  show(view: ResultView): void {
    this.#view = view;
    this.#draw();
  }

  clear(): void {
    this.#view = undefined;
    this.element.replaceChildren();
  }

  #draw(): void {
    const view = this.#view;
    if (view === undefined) return;
    const drawing = this.#drawing(view);
    this.element.replaceChildren(
      this.#toolbar(view),
      ...noticeElements(view),
      ...argumentElements(view),
      ...this.#body(view.body, drawing),
      ...this.#raw(view),
    );
  }

  #toolbar(view: ResultView): HTMLElement {
    const raw = button({ label: 'Raw Text', icon: 'code', kind: 'quiet', onClick: () => this.#toggleRaw() });
    raw.setAttribute('aria-pressed', String(this.#isRaw));
    raw.dataset['role'] = 'raw';
    const actions = view.actions.map(({ id, label, icon: iconName }) =>
      button({ label, icon: iconName, kind: 'quiet', onClick: () => this.#send({ type: 'action', id }) }),
    );
    return element(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': 'Actions for this result' },
      ...actions,
      raw,
    );
  }

  #toggleRaw(): void {
    this.#isRaw = !this.#isRaw;
    this.#draw();
    this.element.querySelector<HTMLElement>('[data-role="raw"]')?.focus();
  }

  #drawing(view: ResultView): ContentRenderer {
    return {
      text: (text, mimeType) => {
        const isMarkdown = mimeType === undefined || /^text\/(x-)?markdown\b/i.test(mimeType);
        if (this.#isRaw || !isMarkdown) return exactText(text, isMarkdown ? 'exact' : 'exact code');
        const drawn = this.#renderMarkdown(text);
        if (drawn !== undefined) return element('div', { class: 'markdown', dir: 'auto' }, drawn);
        return element('div', {}, plainNote(), exactText(text));
      },
      json: (json) => (this.#isRaw ? exactText(printPreview(json), 'exact code') : jsonTree(json)),
      link: (uri, title) => this.#link(uri, title, view.opensResources),
    };
  }

  #link(uri: string, title: string, opensResources: boolean): HTMLElement {
    if (isWebAddress(uri)) return element('a', { href: uri, title: uri }, exactText(title, 'exact inline'));
    if (!opensResources)
      return element('span', {}, exactText(title === uri ? uri : `${title} (${uri})`, 'exact inline'));
    const open = element('button', { type: 'button', class: 'link', title: uri }, exactText(title, 'exact inline'));
    open.addEventListener('click', () => this.#send({ type: 'openResource', uri }));
    return open;
  }

  #body(body: ResultBody, drawing: ContentRenderer): readonly HTMLElement[] {
    switch (body.kind) {
      case 'text':
        return [element('section', { class: 'part content' }, drawing.text(body.text))];
      case 'messages': {
        if (body.messages.length === 0) return [emptyNote('The prompt gave no messages.')];
        // Each message has one block, so the number of the message is that of the block.
        const cards = body.messages.map(({ role, content }, index) =>
          element(
            'li',
            { class: `message ${role}` },
            messageHeader(role),
            ...content.map((block) => this.#block(block, index, drawing)),
          ),
        );
        return [element('ol', { class: 'messages' }, ...cards)];
      }
      case 'toolResult':
        return this.#toolResult(body, drawing);
    }
  }

  #toolResult(
    { isError, content, structured }: Extract<ResultBody, { readonly kind: 'toolResult' }>,
    drawing: ContentRenderer,
  ): readonly HTMLElement[] {
    const parts: HTMLElement[] = [];
    if (isError) {
      const text = 'The tool reports that it failed. What it says about it:';
      parts.push(element('p', { class: 'banner error', role: 'alert' }, icon('error'), element('span', { text })));
    }
    if (content.length === 0 && structured === undefined) parts.push(emptyNote('The tool gave nothing back.'));
    for (const [index, block] of content.entries())
      parts.push(element('section', { class: 'part content' }, this.#block(block, index, drawing)));
    if (structured !== undefined) {
      const heading = element('h2', { text: 'Structured content' });
      parts.push(element('section', { class: 'part' }, heading, drawing.json(structured)));
    }
    return parts;
  }

  /** @param index the number of the block or message, which `save` sends to the extension */
  #block(block: ContentView, index: number, drawing: ContentRenderer): HTMLElement {
    const drawn = contentElement(block, drawing);
    if (block.canSave !== true) return drawn;
    const save = button({
      label: 'Save As…',
      icon: 'save-as',
      kind: 'quiet',
      onClick: () => this.#send({ type: 'save', index }),
    });
    return element('div', { class: 'with-actions' }, drawn, element('div', { class: 'block-actions' }, save));
  }

  #raw({ raw }: ResultView): readonly HTMLElement[] {
    if (raw === undefined) return [];
    const { id, label, icon: iconName } = openWholeAction;
    const whole = button({
      label,
      icon: iconName,
      kind: 'quiet',
      onClick: () => this.#send({ type: 'action', id }),
    });
    const hint = element('p', { class: 'hint', text: 'Long texts are cut here.' });
    return [folded('Raw', () => [jsonTree(raw.json, rawLevels), ...(raw.isCut ? [hint, whole] : [])])];
  }

  /** Links are opened by the extension, which checks them again. The page opens nothing itself. */
  #followLink(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null) return;
    event.preventDefault();
    // VS Code listens on an outer element and would open the link a second time.
    event.stopPropagation();
    if (isWebAddress(link.href)) this.#send({ type: 'openLink', uri: link.href });
  }
}

function argumentElements({ arguments: args }: ResultView): readonly HTMLElement[] {
  if (args === undefined || args.kind === 'leaf') return [];
  if (args.size === 0) return [emptyNote('Called without arguments.')];
  return [folded('Arguments', () => [jsonTree(args)])];
}

/** A collapsed part of the page; its content is created when it is first opened. */
function folded(title: string, make: () => readonly HTMLElement[]): HTMLElement {
  const details = element('details', { class: 'part folded' }, element('summary', { text: title }));
  details.addEventListener('toggle', () => details.append(...make()), { once: true });
  return details;
}

function noticeElements(view: ResultView): HTMLElement[] {
  return view.notices.map((notice) =>
    element('p', { class: 'banner info' }, icon('info'), exactText(notice, 'exact inline')),
  );
}

function plainNote(): HTMLElement {
  const text = 'Shown as it is: drawn as Markdown, this text would be too large for a page.';
  return element('p', { class: 'hint', text });
}

function emptyNote(text: string): HTMLElement {
  return element('p', { class: 'hint', text });
}
