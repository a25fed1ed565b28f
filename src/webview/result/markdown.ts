import DOMPurify, { type Config } from 'dompurify';
import MarkdownIt from 'markdown-it';
import { limits } from '../../base/limits.ts';
import { readableText } from '../../base/visibleText.ts';
import { isWebAddress } from '../../shared/resultMessages.ts';
import { markedText } from '../dom.ts';

/** The HTML that Markdown needs; no styles, scripts, media or forms. */
const tags = 'a blockquote br code em h1 h2 h3 h4 h5 h6 hr li ol p pre s span strong table tbody td th thead tr ul';

const allowed: Config & { readonly RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: tags.split(' '),
  ALLOWED_ATTR: ['align', 'class', 'href', 'start', 'title'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

/**
 * Renders Markdown from a server. HTML in it is shown as text, links are `http:` or `https:` only, images become links.
 * @returns a function that returns `undefined` for Markdown that is too large to render, or on which the parser fails
 */
export function createMarkdownRenderer(): (source: string) => DocumentFragment | undefined {
  const markdown = new MarkdownIt({ html: false, linkify: false, breaks: false });
  markdown.validateLink = isWebAddress;
  markdown.renderer.rules['image'] = (tokens, index) => {
    const token = tokens[index];
    const address = markdown.utils.escapeHtml(String(token?.attrGet('src') ?? ''));
    return `<a href="${address}">Image: ${markdown.utils.escapeHtml(token?.content || address)}</a>`;
  };
  // markdown-it aligns table cells with `style`, which the pages do not allow. The `align` attribute has the same effect.
  markdown.core.ruler.push('alignCells', (state) => {
    for (const token of state.tokens) {
      const align = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
      token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null;
      if (align !== undefined) token.attrSet('align', align);
    }
  });
  return (source) => {
    const html = source.length > limits.shown.markdown.characters ? undefined : renderBounded(markdown, source);
    if (html === undefined) return undefined;
    const fragment = DOMPurify.sanitize(html, allowed);
    for (const link of fragment.querySelectorAll('a')) link.title = link.href;
    // What is too wide scrolls, by keyboard too.
    for (const block of fragment.querySelectorAll('pre')) block.tabIndex = 0;
    markHidden(fragment);
    return fragment;
  };
}

/** The number of texts that get marks as elements. In all others the marks are plain text. */
const maximumMarked = 200;

/** Replaces hidden characters by marks: a bidirectional control would otherwise change the order of a whole paragraph. */
function markHidden(fragment: DocumentFragment): void {
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  const hiding: Text[] = [];
  while (walker.nextNode()) {
    const { currentNode } = walker;
    if (currentNode instanceof Text && readableText(currentNode.data) !== currentNode.data) hiding.push(currentNode);
  }
  for (const [index, text] of hiding.entries()) {
    if (index < maximumMarked) text.replaceWith(...markedText(text.data));
    else text.data = readableText(text.data);
  }
}

/** Renders unless there are too many tokens: a short source can produce a thousand times as many elements. */
function renderBounded(markdown: InstanceType<typeof MarkdownIt>, source: string): string | undefined {
  try {
    const environment = {};
    const tokens = markdown.parse(source, environment);
    const count = tokens.reduce((total, { children }) => total + 1 + (children?.length ?? 0), 0);
    return count > limits.shown.markdown.tokens
      ? undefined
      : markdown.renderer.render(tokens, markdown.options, environment);
  } catch {
    // The recursive parser can run out of stack. The caller then shows the text as it is.
    return undefined;
  }
}
