import DOMPurify, { type Config } from 'dompurify';
import MarkdownIt from 'markdown-it';
import { limits } from '../../base/limits.ts';
import { readableText } from '../../base/visibleText.ts';
import { isWebAddress } from '../../shared/webAddress.ts';
import { markedText } from '../exactText.ts';

/** Everything Markdown needs and nothing that acts: no styles, no scripts, no media, no forms. */
const allowed: Config & { readonly RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: [
    'a',
    'blockquote',
    'br',
    'code',
    'em',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'hr',
    'li',
    'ol',
    'p',
    'pre',
    's',
    'span',
    'strong',
    'table',
    'tbody',
    'td',
    'th',
    'thead',
    'tr',
    'ul',
  ],
  ALLOWED_ATTR: ['align', 'class', 'href', 'start', 'title'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

/**
 * Draws Markdown a server wrote. HTML in it stays text, links lead to the web only, pictures become links.
 * @returns a function that yields `undefined` for Markdown too large to be drawn, or that the parser fails at
 */
export function createMarkdownRenderer(): (source: string) => DocumentFragment | undefined {
  const markdown = new MarkdownIt({ html: false, linkify: false, breaks: false });
  markdown.validateLink = isWebAddress;
  markdown.renderer.rules['image'] = (tokens, index) => {
    const token = tokens[index];
    const address = markdown.utils.escapeHtml(String(token?.attrGet('src') ?? ''));
    return `<a href="${address}">Image: ${markdown.utils.escapeHtml(token?.content || address)}</a>`;
  };
  // The style attribute markdown-it aligns cells with is not allowed on our pages; the old attribute does the same.
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
    markHidden(fragment);
    return fragment;
  };
}

/** Texts with hidden characters that get marks; the others have them written out. */
const maximumMarked = 200;

/** What turns the reading order would turn that of a whole paragraph. */
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

/** Parsing is bounded by the length of the source; a page by the elements that come of it, a thousand times as many. */
function renderBounded(markdown: InstanceType<typeof MarkdownIt>, source: string): string | undefined {
  try {
    const environment = {};
    const tokens = markdown.parse(source, environment);
    const count = tokens.reduce((total, { children }) => total + 1 + (children?.length ?? 0), 0);
    return count > limits.shown.markdown.tokens
      ? undefined
      : markdown.renderer.render(tokens, markdown.options, environment);
  } catch {
    // Parsers that call themselves run out of stack. The text is shown all the same.
    return undefined;
  }
}
