import { type JsonPreview, printPreview } from '../base/jsonPreview.ts';
import type { BlockView, ContentView, LinkView, MessageView, ResourceView } from '../shared/content.ts';
import { element, exactText, formatBytes, icon } from './dom.ts';

/** How a panel draws text, JSON and links; the rest looks the same in every panel. */
export interface ContentRenderer {
  /** Draws text. Only embedded resources have a MIME type. */
  readonly text: (text: string, mimeType?: string) => HTMLElement;
  readonly json: (json: JsonPreview) => HTMLElement;
  /** Draws an address, as plain text if the panel cannot open it. */
  readonly link: (uri: string, title: string) => HTMLElement;
}

/** Exact text everywhere and nothing to click, for the consent panel. */
export const exactRenderer: ContentRenderer = {
  text: (text) => exactText(text),
  json: (json) => exactText(printPreview(json), 'exact code'),
  link: (uri, title) => element('span', {}, title === uri ? '' : `${title}: `, exactText(uri, 'exact inline')),
};

/** Draws one block of content, read-only, with the server's annotations above it. */
export function contentElement(view: ContentView, drawing: ContentRenderer): HTMLElement {
  const drawn = blockElement(view, drawing);
  const { annotations } = view;
  if (annotations === undefined) return drawn;
  const { isForAssistantOnly, texts } = annotations;
  const line = element(
    'div',
    { class: 'annotations muted' },
    icon(isForAssistantOnly ? 'hubot' : 'tag'),
    exactText(texts.join(' · '), 'exact inline'),
  );
  return element('div', { class: isForAssistantOnly ? 'annotated for-assistant' : 'annotated' }, line, drawn);
}

function blockElement(view: BlockView, drawing: ContentRenderer): HTMLElement {
  switch (view.kind) {
    case 'text':
      return drawing.text(view.text);
    case 'image':
    case 'audio':
      return mediaElement(view);
    case 'resource':
      return resourceElement(view, drawing);
    case 'link':
      return linkElement(view, drawing);
    case 'toolUse':
      return labelled('tools', `Calls the tool ${view.name}`, drawing.json(view.input));
    case 'toolResult': {
      const content = view.content.map((part) => contentElement(part, drawing));
      if (view.structured !== undefined)
        content.push(element('div', { class: 'muted', text: 'Structured content' }), drawing.json(view.structured));
      return labelled(view.isError ? 'error' : 'output', view.isError ? 'Tool failed' : 'Tool result', ...content);
    }
    case 'json':
      return labelled('json', 'Content of an unknown kind', drawing.json(view.json));
    case 'omitted':
      return element(
        'div',
        { class: 'block-line' },
        icon('file-media'),
        element('span', {}, exactText(view.mimeType, 'exact inline'), `, ${formatBytes(view.bytes)}. ${view.reason}`),
      );
  }
}

function linkElement(view: LinkView, drawing: ContentRenderer): HTMLElement {
  const { uri, title, description, mimeType, bytes, icon: picture } = view;
  const pictures =
    picture === undefined
      ? [icon('link')]
      : [
          element('img', { class: 'link-icon on-light', src: picture.light, alt: 'Icon of the resource' }),
          element('img', { class: 'link-icon on-dark', src: picture.dark, alt: 'Icon of the resource' }),
        ];
  const facts = [mimeType, bytes === undefined ? undefined : formatBytes(bytes)].filter((fact) => fact !== undefined);
  const line = element('div', { class: 'block-line' }, ...pictures, drawing.link(uri, title));
  if (facts.length > 0) line.append(exactText(facts.join(', '), 'exact inline muted'));
  if (description === undefined) return line;
  return element('div', { class: 'link-block' }, line, exactText(description, 'exact muted'));
}

function mediaElement(view: Extract<BlockView, { readonly kind: 'image' | 'audio' }>): HTMLElement {
  const caption = element('figcaption', { text: view.mimeType });
  const media =
    view.kind === 'image'
      ? element('img', { src: view.source, alt: `Image from the server, ${view.mimeType}` })
      : element('audio', { src: view.source, controls: true, 'aria-label': `Audio from the server, ${view.mimeType}` });
  media.addEventListener('error', () => {
    media.replaceWith(
      element('div', { class: 'block-line' }, icon('warning'), 'This media is damaged and cannot be shown.'),
    );
  });
  return element('figure', { class: 'media' }, media, caption);
}

function resourceElement(view: ResourceView, drawing: ContentRenderer): HTMLElement {
  const facts = `${view.mimeType}, ${formatBytes(view.bytes)}`;
  const header = element('div', { class: 'block-line' }, icon('file'), drawing.link(view.uri, view.uri));
  const body = view.media
    ? mediaElement(view.media)
    : view.text === undefined
      ? undefined
      : drawing.text(view.text, view.mimeType);
  return element(
    'section',
    { class: 'block', 'aria-label': 'Embedded resource' },
    element('div', { class: 'block-header' }, header, element('span', { class: 'muted', text: facts })),
    ...(body === undefined ? [] : [body]),
  );
}

function labelled(iconName: string, label: string, ...children: readonly HTMLElement[]): HTMLElement {
  return element(
    'section',
    { class: 'block', 'aria-label': label },
    element(
      'div',
      { class: 'block-header' },
      element('div', { class: 'block-line' }, icon(iconName), exactText(label, 'exact inline')),
    ),
    ...children,
  );
}

/** The line above a message with its role: user or assistant. */
export function messageHeader(role: MessageView['role']): HTMLElement {
  const [iconName, label] = role === 'user' ? ['account', 'User'] : ['hubot', 'Assistant'];
  return element('div', { class: 'message-role' }, icon(iconName), element('span', { text: label }));
}
