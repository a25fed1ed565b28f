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
import { contentElement, type ContentRenderer, messageCard } from '../contentElement.ts';
import {
  append,
  banner,
  button,
  type Child,
  countOf,
  element,
  exactText,
  fill,
  inlineText,
  linkButton,
  linkPlaces,
  plainText,
} from '../dom.ts';
import { createJsonPanel } from './jsonPanel.ts';
import { createMarkdownRenderer } from './markdown.ts';
import { type Mark, toTreePath } from './treePaths.ts';
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
    // Before the toolbar, whose switch depends on it.
    const body = this.#body(view);
    fill(
      this.element,
      this.#toolbar(view),
      view.notices.map((notice) => banner('info', inlineText(notice))),
      this.#arguments(view),
      body,
      this.#raw(view),
    );
    const content = this.element.querySelectorAll('.content');
    for (const part of content)
      linkPlaces(part, view.places ?? [], (index) => this.#send({ type: 'openPlace', index }));
  }

  #toolbar(view: ResultView): HTMLElement {
    const actions = view.actions.map(({ id, label, icon }) => this.#button(label, icon, { type: 'action', id }));
    const attributes = { class: 'toolbar', role: 'toolbar', 'aria-label': 'Actions for this result' };
    return element('div', attributes, actions, this.#textSwitch());
  }

  #button(label: string, icon: string, message: ResultFromPanel): HTMLElement {
    return button({ label, icon, kind: 'quiet', onClick: () => this.#send(message) });
  }

  /** The button that draws texts in the other way; none where no text has a choice. */
  #textSwitch(): HTMLElement | undefined {
    if (this.#drawnAs.size === 0) return undefined;
    const style: TextStyle = this.#drawnAs.has('markdown') ? 'text' : 'markdown';
    const [label, icon] = style === 'text' ? ['Show as Text', 'list-flat'] : ['Show as Markdown', 'markdown'];
    const made = button({ label, icon, kind: 'quiet', onClick: () => this.#showTextAs(style) });
    made.dataset['role'] = 'textStyle';
    return made;
  }

  #showTextAs(style: TextStyle): void {
    this.#textStyle = style;
    this.#draw();
    this.element.querySelector<HTMLElement>('[data-role="textStyle"]')?.focus();
    this.#send({ type: 'showTextAs', style });
  }

  /** @param index the number of the block, for what the extension does with it */
  #drawing({ opensResources }: ResultView, index: number): ContentRenderer {
    const json = (view: JsonView, label: string, text?: () => HTMLElement): HTMLElement =>
      createJsonPanel(view, { label, source: index, text }, this.#send).element;
    return {
      text: (text, mimeType) => this.#text(text, mimeType),
      json: (value) => json({ json: value, tables: [] }, 'JSON'),
      jsonText: (view, text) => json(view, 'JSON text', () => codeText(text)),
      repeatedText: (text) => folded('Text, also in the structured content', () => codeText(text)),
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
    const note = 'Shown as plain text, because it is too large to show as Markdown.';
    return element('div', {}, hint(note), plainText(text));
  }

  #link(uri: string, title: string, opensResources: boolean): HTMLElement {
    if (isWebAddress(uri)) return element('a', { href: uri, title: uri }, inlineText(title));
    if (!opensResources) return element('span', {}, inlineText(title === uri ? uri : `${title} (${uri})`));
    const open = linkButton(() => this.#send({ type: 'openResource', uri }), inlineText(title));
    open.title = uri;
    return open;
  }

  #body(view: ResultView): Child {
    const { body } = view;
    switch (body.kind) {
      case 'text':
        return element('section', { class: 'part content' }, this.#text(body.text, body.mimeType));
      case 'messages': {
        if (body.messages.length === 0) return hint('The prompt returned no messages.');
        // Each message has one block, so the number of the message is that of the block.
        const drawn = (content: readonly ContentView[], index: number) =>
          content.map((block) => this.#block(block, index, view));
        const cards = body.messages.map(({ role, content }, index) => messageCard(role, drawn(content, index)));
        return element('ol', { class: 'messages' }, cards);
      }
      case 'toolResult':
        return this.#toolResult(body, view);
    }
  }

  #toolResult(body: ToolResultBody, view: ResultView): Child {
    const { isError, content, structured } = body;
    const failure = banner('error', 'The tool reported an error:');
    failure.role = 'alert';
    return [
      isError && failure,
      content.length === 0 && structured === undefined && hint('The tool returned no content.'),
      content.map((block, index) => element('section', { class: 'part content' }, this.#block(block, index, view))),
      structured && this.#structured(structured, body, view),
    ];
  }

  #structured(json: JsonPreview, { tables = [], ...body }: ToolResultBody, view: ResultView): HTMLElement {
    const { differences = [] } = view;
    if (body.isStructuredRepeated === true && differences.length === 0) {
      const tree = (): HTMLElement => createJsonPanel({ json, tables }, structuredOptions, this.#send).element;
      return folded('Structured content, the same as the text', tree);
    }
    const marks = differences.map(({ path, message }) => ({ path: toTreePath(json, path), message }));
    const heading = element(this.#heading, { text: 'Structured content' });
    const text = (): HTMLElement => codeText(printPreview(json));
    const panel = createJsonPanel({ json, tables }, { ...structuredOptions, marks, text }, this.#send);
    const listed = differenceElements(differences, marks, (mark) => panel.reveal(mark.path));
    return element('section', { class: 'part' }, heading, listed, panel.element);
  }

  /** @param index the number of the block or message, which `save` and `open` send to the extension */
  #block(block: ContentView, index: number, view: ResultView): HTMLElement {
    const drawn = contentElement(block, this.#drawing(view, index));
    if (block.canOpen !== true && block.canSave !== true) return drawn;
    const actions = [
      block.canOpen === true && this.#button('Open', 'go-to-file', { type: 'open', index }),
      block.canSave === true && this.#button('Save As…', 'save-as', { type: 'save', index }),
    ];
    return element('div', { class: 'with-actions' }, drawn, element('div', { class: 'block-actions' }, actions));
  }

  #arguments({ arguments: args }: ResultView): HTMLElement | undefined {
    if (args === undefined || args.kind === 'leaf') return undefined;
    if (args.size === 0) return hint('Called without arguments.');
    return folded('Arguments', () => this.#tree(args, 'Arguments', 'arguments'));
  }

  #raw({ raw }: ResultView): HTMLElement | undefined {
    if (raw === undefined) return undefined;
    const { id, label, icon } = openWholeAction;
    const whole = [hint('Long texts are cut here.'), this.#button(label, icon, { type: 'action', id })];
    return folded('Raw', () => [this.#tree(raw.json, 'Raw', 'raw', rawLevels), raw.isCut && whole]);
  }

  #tree(json: JsonPreview, label: string, source: JsonSource, open = 2): HTMLElement {
    return createJsonPanel({ json, tables: [] }, { label, source, open }, this.#send).element;
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

const structuredOptions = { label: 'Structured content', source: 'structured' } as const;

type ToolResultBody = Extract<ResultBody, { readonly kind: 'toolResult' }>;

/**
 * A list of the places where the structured content is not what the tool promises.
 * @param show moves the focus to a place
 */
function differenceElements(
  differences: readonly DifferenceView[],
  marks: readonly Mark[],
  show: (mark: Mark) => void,
): Child {
  if (differences.length === 0) return undefined;
  const items = marks.map((mark, index) => {
    const whole = differences[index]?.path ?? [];
    // The steps that are not in the tree: the value has no such member, or it is left out.
    const place = jsonPath([...mark.path, ...whole.slice(mark.path.length)]);
    const link = linkButton(() => show(mark), inlineText(place));
    return element('li', {}, link, ': ', inlineText(mark.message));
  });
  const text = `The structured content does not match the tool's output schema in ${countOf(items.length, 'place')}:`;
  return banner('warning', element('div', {}, element('p', { text }), element('ul', {}, items)));
}

/** Text in a monospaced font that scrolls, by keyboard too. */
function codeText(text: string): HTMLElement {
  return exactText(text, 'exact code');
}

/** A collapsed part of the page; its content is created when it is first opened. */
function folded(title: string, make: () => Child): HTMLElement {
  const details = element('details', { class: 'part folded' }, element('summary', { text: title }));
  details.addEventListener('toggle', () => append(details, make()), { once: true });
  return details;
}

function hint(text: string): HTMLElement {
  return element('p', { class: 'hint', text });
}
