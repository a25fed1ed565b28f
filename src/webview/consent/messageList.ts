import type { ConsentView } from '../../shared/consentMessages.ts';
import type { ContentView, MessageView } from '../../shared/content.ts';
import { contentElement, exactRenderer, messageHeader } from '../contentElement.ts';
import { countOf, element } from '../dom.ts';
import type { TextEditor } from '../textEditor.ts';
import type { Masking } from './masking.ts';

/** The messages of earlier rounds are folded together, those of this round are marked as new. */
export function createMessageList({ messages, round }: Pick<ConsentView, 'messages' | 'round'>, masking: Masking) {
  const editors: (TextEditor | undefined)[][] = [];
  const cards = messages.map((message, index) => {
    const row: (TextEditor | undefined)[] = [];
    editors.push(row);
    const isNew = round !== undefined && index >= round.newFrom;
    const name = `Message ${index + 1} of ${messages.length}, ${message.role}${isNew ? ', new' : ''}`;
    return messageCard(message, { name, isNew, row, masking });
  });
  return {
    element: element('section', { class: 'part' }, element('h2', { text: 'Messages' }), ...arrange(cards, round)),
    /** One entry for each block of each message, `undefined` for blocks that are not text. */
    texts: () => editors.map((row) => row.map((editor) => editor?.value)),
    /** False if every text is empty and there are no other blocks. */
    get hasContent() {
      return editors.some((row) => row.some((editor) => editor === undefined || editor.value !== ''));
    },
  };
}

function arrange(cards: readonly HTMLElement[], round: ConsentView['round']): HTMLElement[] {
  if (round === undefined) return [element('ol', { class: 'messages' }, ...cards)];
  const { number, newFrom } = round;
  const added = countOf(cards.length - newFrom, 'new message');
  const earlier = countOf(newFrom, 'message');
  return [
    element('p', { class: 'round', text: `Round ${number} of a conversation: ${added}` }),
    element(
      'details',
      { class: 'earlier' },
      element('summary', { text: `${earlier} of earlier rounds, sent again` }),
      element('ol', { class: 'messages' }, ...cards.slice(0, newFrom)),
    ),
    element('ol', { class: 'messages', start: newFrom + 1 }, ...cards.slice(newFrom)),
  ];
}

interface CardOptions {
  readonly name: string;
  readonly isNew: boolean;
  /** Gets the editor of each block. */
  readonly row: (TextEditor | undefined)[];
  readonly masking: Masking;
}

function messageCard({ role, content }: MessageView, options: CardOptions): HTMLElement {
  const { name, isNew } = options;
  const header = messageHeader(role);
  if (isNew) header.append(element('span', { class: 'new', text: 'New' }));
  const blocks = content.map((block) => blockElement(block, options));
  return element('li', { class: `message ${role}`, 'aria-label': name }, header, ...blocks);
}

function blockElement(block: ContentView, { name, row, masking }: CardOptions): HTMLElement {
  if (block.kind !== 'text') {
    row.push(undefined);
    return contentElement(block, exactRenderer);
  }
  const editor = masking.createEditor({
    label: name,
    hideLabel: true,
    text: block.text,
    placeholder: 'Empty: left out of the request',
  });
  row.push(editor);
  return editor.element;
}
