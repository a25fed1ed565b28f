import { type JsonPreview, printPreview } from '../base/jsonPreview.ts';
import type {
  BlockView,
  ContentView,
  JsonView,
  LinkView,
  MediaView,
  MessageView,
  ResourceView,
  TextView,
} from '../shared/content.ts';
import { type Child, element, exactText, formatBytes, icon, inlineText } from './dom.ts';

/** How a panel draws text, JSON and links; the rest looks the same in every panel. */
export interface ContentRenderer {
  /** Draws text. Only embedded resources have a MIME type. */
  readonly text: (text: string, mimeType?: string) => HTMLElement;
  readonly json: (json: JsonPreview) => HTMLElement;
  /** Draws a text that is JSON; where absent, it is drawn like other texts. */
  readonly jsonText?: (view: JsonView, text: string) => HTMLElement;
  /** Draws a text that repeats the structured content; where absent, it is drawn like other texts. */
  readonly repeatedText?: (text: string) => HTMLElement;
  /** Draws a picture; where absent, it is as large as fits. */
  readonly image?: (view: MediaView) => HTMLElement;
  /** Draws an address, as plain text if the panel cannot open it. */
  readonly link: (uri: string, title: string) => HTMLElement;
}

/** Exact text everywhere and nothing to click, for the consent panel. */
export const exactRenderer: ContentRenderer = {
  text: (text) => exactText(text),
  json: (json) => exactText(printPreview(json), 'exact code'),
  link: (uri, title) => element('span', {}, title !== uri && `${title}: `, inlineText(uri)),
};

/** Draws one block of content, read-only, with the server's annotations above it. */
export function contentElement(view: ContentView, drawing: ContentRenderer): HTMLElement {
  const drawn = blockElement(view, drawing);
  const { annotations } = view;
  if (annotations === undefined) return drawn;
  const { isForAssistantOnly, texts } = annotations;
  const sign = icon(isForAssistantOnly ? 'hubot' : 'tag');
  const line = element('div', { class: 'annotations muted' }, sign, inlineText(texts.join(' · ')));
  return element('div', { class: isForAssistantOnly ? 'annotated for-assistant' : 'annotated' }, line, drawn);
}

function blockElement(view: BlockView, drawing: ContentRenderer): HTMLElement {
  switch (view.kind) {
    case 'text':
      return textElement(view, drawing);
    case 'image':
    case 'audio':
    case 'video':
      return mediaElement(view, drawing);
    case 'resource':
      return resourceElement(view, drawing);
    case 'link':
      return linkElement(view, drawing);
    case 'toolUse':
      return labelled('tools', `Calls the tool ${view.name}`, drawing.json(view.input));
    case 'toolResult':
      return labelled(
        view.isError ? 'error' : 'output',
        view.isError ? 'Tool failed' : 'Tool result',
        view.content.map((part) => contentElement(part, drawing)),
        view.structured && [
          element('div', { class: 'muted', text: 'Structured content' }),
          drawing.json(view.structured),
        ],
      );
    case 'json':
      return labelled('json', 'Content of an unknown kind', drawing.json(view.json));
    case 'omitted':
      return blockLine(
        icon('file-media'),
        element('span', {}, inlineText(view.mimeType), `, ${formatBytes(view.bytes)}. ${view.reason}`),
      );
  }
}

function linkElement(view: LinkView, drawing: ContentRenderer): HTMLElement {
  const { uri, title, description, mimeType, bytes, icon: picture } = view;
  const draw = (source: string, theme: string): HTMLElement =>
    element('img', { class: `link-icon ${theme}`, src: source, alt: 'Icon of the resource' });
  const facts = [mimeType, bytes === undefined ? undefined : formatBytes(bytes)].filter((fact) => fact !== undefined);
  const line = blockLine(
    picture === undefined ? icon('link') : [draw(picture.light, 'on-light'), draw(picture.dark, 'on-dark')],
    drawing.link(uri, title),
    facts.length > 0 && inlineText(facts.join(', '), 'muted'),
  );
  if (description === undefined) return line;
  return element('div', { class: 'link-block' }, line, exactText(description, 'exact muted'));
}

function textElement({ text, json, isRepeated }: TextView, drawing: ContentRenderer): HTMLElement {
  if (json !== undefined && drawing.jsonText !== undefined) return drawing.jsonText(json, text);
  if (isRepeated === true && drawing.repeatedText !== undefined) return drawing.repeatedText(text);
  return drawing.text(text);
}

function mediaElement(view: MediaView, drawing: ContentRenderer): HTMLElement {
  if (view.kind === 'image' && drawing.image !== undefined) return drawing.image(view);
  const media = mediaPlayer(view);
  replaceIfDamaged(media);
  return element('figure', { class: 'media' }, media, element('figcaption', { text: view.mimeType }));
}

function mediaPlayer({ kind, source, mimeType }: MediaView): HTMLElement {
  if (kind === 'image') return element('img', { src: source, alt: `Image from the server, ${mimeType}` });
  const name = kind === 'audio' ? 'Audio' : 'Video';
  return element(kind, { src: source, controls: true, 'aria-label': `${name} from the server, ${mimeType}` });
}

/** Shows a sentence in place of media that the browser cannot read. @param shown what to replace: by default the media */
export function replaceIfDamaged(media: HTMLElement, shown: HTMLElement = media): void {
  media.addEventListener('error', () => {
    shown.replaceWith(blockLine(icon('warning'), 'This media is damaged and cannot be shown.'));
  });
}

function resourceElement(view: ResourceView, drawing: ContentRenderer): HTMLElement {
  const facts = `${view.mimeType}, ${formatBytes(view.bytes)}`;
  const title = [
    blockLine(icon('file'), drawing.link(view.uri, view.uri)),
    element('span', { class: 'muted', text: facts }),
  ];
  return blockSection('Embedded resource', title, resourceBody(view, drawing));
}

function resourceBody({ media, json, text, mimeType }: ResourceView, drawing: ContentRenderer): Child {
  if (media !== undefined) return mediaElement(media, drawing);
  if (text === undefined) return undefined;
  if (json !== undefined && drawing.jsonText !== undefined) return drawing.jsonText(json, text);
  return drawing.text(text, mimeType);
}

function labelled(iconName: string, label: string, ...content: readonly Child[]): HTMLElement {
  return blockSection(label, blockLine(icon(iconName), inlineText(label)), content);
}

function blockLine(...content: readonly Child[]): HTMLElement {
  return element('div', { class: 'block-line' }, content);
}

function blockSection(label: string, title: Child, content: Child): HTMLElement {
  const header = element('div', { class: 'block-header' }, title);
  return element('section', { class: 'block', 'aria-label': label }, header, content);
}

/** A message below a line with its role. @param name for screen readers */
export function messageCard(role: MessageView['role'], content: Child, name?: string, isNew = false): HTMLElement {
  const [iconName, label] = role === 'user' ? ['account', 'User'] : ['hubot', 'Assistant'];
  const header = element('div', { class: 'message-role' }, icon(iconName), element('span', { text: label }));
  if (isNew) header.append(element('span', { class: 'new', text: 'New' }));
  return element('li', { class: `message ${role}`, 'aria-label': name }, header, content);
}
