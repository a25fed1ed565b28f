import { jsonPath } from '../../base/jsonPath.ts';
import { type JsonPreview, printPreview } from '../../base/jsonPreview.ts';
import type { ContentView, JsonView } from '../../shared/content.ts';
import {
  type DifferenceView,
  isWebAddress,
  type JsonSource,
  openWholeAction,
  type ResultBody,
  type ResultFromPanel,
  type ResultView,
  type TextStyle,
} from '../../shared/resultMessages.ts';
import { contentElement, type ContentRenderer, messageHeader } from '../contentElement.ts';
import { button, countOf, element, exactText, icon, plainText } from '../dom.ts';
import { createJsonPanel, type JsonPanelOptions } from './jsonPanel.ts';
import { createMarkdownRenderer } from './markdown.ts';
import type { Mark } from './treeMarks.ts';
import { toTreePath } from './treeSearch.ts';
import { createZoomImage } from './zoomImage.ts';

/** Open levels of the raw JSON at first: enough to show a content block with its annotations. */
const rawLevels = 5;

/** The result of a prompt or a tool, with its buttons. A page has one area, or shows it below something else. */
export class ResultArea {
  readonly element = element('div', { class: 'result' });
  readonly #send: (message: ResultFromPanel) => void;
  readonly #heading: 'h2' | 'h3';
  readonly #renderMarkdown = createMarkdownRenderer();
  #view: ResultView | undefined;
  #textStyle: TextStyle | undefined;
  /** The ways in which texts that have a choice are drawn now. */
  readonly #drawnAs = new Set<TextStyle>();

  /** @param headingLevel of headings in the area, below that of the page or section */
  constructor(send: (message: ResultFromPanel) => void, headingLevel: 2 | 3 = 2) {
    this.#send = send;
    this.#heading = `h${headingLevel}`;
    this.element.addEventListener('click', (event) => this.#followLink(event));
  }

  /** @param textStyle how the person wants to see texts; `undefined`: by their type */
  show(view: ResultView, textStyle?: TextStyle): void {
    this.#view = view;
    this.#textStyle = textStyle;
    this.#draw();
  }

  clear(): void {
    this.#view = undefined;
    this.element.replaceChildren();
  }

  #draw(): void {
    const view = this.#view;
    if (view === undefined) return;
    this.#drawnAs.clear();
    const body = this.#body(view);
    this.element.replaceChildren(
      this.#toolbar(view),
      ...noticeElements(view),
      ...this.#arguments(view),
      ...body,
      ...this.#raw(view),
    );
  }

  #toolbar(view: ResultView): HTMLElement {
    const actions = view.actions.map(({ id, label, icon: iconName }) =>
      button({ label, icon: iconName, kind: 'quiet', onClick: () => this.#send({ type: 'action', id }) }),
    );
    return element(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': 'Actions for this result' },
      ...actions,
      ...this.#textSwitch(),
    );
  }

  /** The button that draws texts in the other way; none where no text has a choice. */
  #textSwitch(): readonly HTMLElement[] {
    if (this.#drawnAs.size === 0) return [];
    const style: TextStyle = this.#drawnAs.has('markdown') ? 'text' : 'markdown';
    const [label, iconName] = style === 'text' ? ['Show as Text', 'list-flat'] : ['Show as Markdown', 'markdown'];
    const made = button({ label, icon: iconName, kind: 'quiet', onClick: () => this.#showTextAs(style) });
    made.dataset['role'] = 'textStyle';
    return [made];
  }

  #showTextAs(style: TextStyle): void {
    this.#textStyle = style;
    this.#draw();
    this.element.querySelector<HTMLElement>('[data-role="textStyle"]')?.focus();
    this.#send({ type: 'showTextAs', style });
  }

  /** @param index the number of the block, for what the extension does with it */
  #drawing({ opensResources }: ResultView, index?: number): ContentRenderer {
    const json = (view: JsonView, label: string, text?: () => HTMLElement): HTMLElement =>
      this.#panel(view, { label, ...(index !== undefined && { source: index }), ...(text && { text }) }).element;
    return {
      text: (text, mimeType) => this.#text(text, mimeType),
      json: (value) => json({ json: value, tables: [] }, 'JSON'),
      jsonText: (view, text) => json(view, 'JSON text', () => codeText(text)),
      repeatedText: (text) => folded('The structured content as text', () => [codeText(text)]),
      image: createZoomImage,
      link: (uri, title) => this.#link(uri, title, opensResources),
    };
  }

  /** The protocol's texts are plain. Markdown is what says so by its type, or what the person wants to see as such. */
  #text(text: string, mimeType?: string): HTMLElement {
    const isMarkdown = mimeType !== undefined && /^text\/(x-)?markdown\b/i.test(mimeType);
    if (mimeType !== undefined && !isMarkdown) return codeText(text);
    const style = this.#textStyle ?? (isMarkdown ? 'markdown' : 'text');
    this.#drawnAs.add(style);
    if (style === 'text') return plainText(text);
    const drawn = this.#renderMarkdown(text);
    if (drawn !== undefined) return element('div', { class: 'markdown', dir: 'auto' }, drawn);
    return element('div', {}, plainNote(), plainText(text));
  }

  #panel(view: JsonView, options: Omit<JsonPanelOptions, 'send'>): ReturnType<typeof createJsonPanel> {
    return createJsonPanel(view, { ...options, send: this.#send });
  }

  #link(uri: string, title: string, opensResources: boolean): HTMLElement {
    if (isWebAddress(uri)) return element('a', { href: uri, title: uri }, exactText(title, 'exact inline'));
    if (!opensResources)
      return element('span', {}, exactText(title === uri ? uri : `${title} (${uri})`, 'exact inline'));
    const open = element('button', { type: 'button', class: 'link', title: uri }, exactText(title, 'exact inline'));
    open.addEventListener('click', () => this.#send({ type: 'openResource', uri }));
    return open;
  }

  #body(view: ResultView): readonly HTMLElement[] {
    const { body } = view;
    switch (body.kind) {
      case 'text':
        return [element('section', { class: 'part content' }, this.#text(body.text, body.mimeType))];
      case 'messages': {
        if (body.messages.length === 0) return [emptyNote('The prompt gave no messages.')];
        // Each message has one block, so the number of the message is that of the block.
        const cards = body.messages.map(({ role, content }, index) =>
          element(
            'li',
            { class: `message ${role}` },
            messageHeader(role),
            ...content.map((block) => this.#block(block, index, view)),
          ),
        );
        return [element('ol', { class: 'messages' }, ...cards)];
      }
      case 'toolResult':
        return this.#toolResult(body, view);
    }
  }

  #toolResult(body: ToolResultBody, view: ResultView): readonly HTMLElement[] {
    const { isError, content, structured } = body;
    const parts: HTMLElement[] = [];
    if (isError) {
      const text = 'The tool reports that it failed. What it says about it:';
      parts.push(element('p', { class: 'banner error', role: 'alert' }, icon('error'), element('span', { text })));
    }
    if (content.length === 0 && structured === undefined) parts.push(emptyNote('The tool returned no content.'));
    for (const [index, block] of content.entries())
      parts.push(element('section', { class: 'part content' }, this.#block(block, index, view)));
    if (structured !== undefined) parts.push(this.#structured(structured, body, view));
    return parts;
  }

  #structured(json: JsonPreview, { tables = [] }: ToolResultBody, { differences = [] }: ResultView): HTMLElement {
    const marks = differences.map(({ path, message }) => ({ path: toTreePath(json, path), message }));
    const heading = element(this.#heading, { text: 'Structured content' });
    const text = (): HTMLElement => codeText(printPreview(json));
    const panel = this.#panel({ json, tables }, { label: 'Structured content', source: 'structured', marks, text });
    const listed = differenceElements(differences, marks, (mark) => panel.reveal(mark.path));
    return element('section', { class: 'part' }, heading, ...listed, panel.element);
  }

  /** @param index the number of the block or message, which `save` and `open` send to the extension */
  #block(block: ContentView, index: number, view: ResultView): HTMLElement {
    const drawn = contentElement(block, this.#drawing(view, index));
    const actions = [
      ...(block.canOpen === true ? [this.#blockButton('Open', 'go-to-file', { type: 'open', index })] : []),
      ...(block.canSave === true ? [this.#blockButton('Save As…', 'save-as', { type: 'save', index })] : []),
    ];
    if (actions.length === 0) return drawn;
    return element('div', { class: 'with-actions' }, drawn, element('div', { class: 'block-actions' }, ...actions));
  }

  #blockButton(label: string, iconName: string, message: ResultFromPanel): HTMLElement {
    return button({ label, icon: iconName, kind: 'quiet', onClick: () => this.#send(message) });
  }

  #arguments({ arguments: args }: ResultView): readonly HTMLElement[] {
    if (args === undefined || args.kind === 'leaf') return [];
    if (args.size === 0) return [emptyNote('Called without arguments.')];
    return [folded('Arguments', () => [this.#tree(args, 'Arguments', 'arguments')])];
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
    return [folded('Raw', () => [this.#tree(raw.json, 'Raw', 'raw', rawLevels), ...(raw.isCut ? [hint, whole] : [])])];
  }

  #tree(json: JsonPreview, label: string, source: JsonSource, open = 2): HTMLElement {
    return this.#panel({ json, tables: [] }, { label, source, open }).element;
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

type ToolResultBody = Extract<ResultBody, { readonly kind: 'toolResult' }>;

/**
 * A list of the places where the structured content is not what the tool promises.
 * @param show moves the focus to a place
 */
function differenceElements(
  differences: readonly DifferenceView[],
  marks: readonly Mark[],
  show: (mark: Mark) => void,
): readonly HTMLElement[] {
  if (differences.length === 0) return [];
  const items = marks.map((mark, index) => {
    const whole = differences[index]?.path ?? [];
    // The steps that are not in the tree: the value has no such member, or it is left out.
    const place = exactText(jsonPath([...mark.path, ...whole.slice(mark.path.length)]), 'exact inline');
    const line = element('li', {}, place, ': ', exactText(mark.message, 'exact inline'));
    const link = element('button', { type: 'button', class: 'link' }, place);
    link.addEventListener('click', () => show(mark));
    line.prepend(link);
    return line;
  });
  const text = `The structured content does not match the tool's output schema in ${countOf(items.length, 'place')}:`;
  const list = element('ul', {}, ...items);
  return [
    element('div', { class: 'banner warning' }, icon('warning'), element('div', {}, element('p', { text }), list)),
  ];
}

/** Text in a monospaced font that scrolls, by keyboard too. */
function codeText(text: string): HTMLElement {
  const made = exactText(text, 'exact code');
  made.tabIndex = 0;
  return made;
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
