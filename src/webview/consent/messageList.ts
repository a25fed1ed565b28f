import type { ConsentView } from '../../shared/consentMessages.ts';
import { contentElement, exactRenderer, messageCard } from '../contentElement.ts';
import { countOf, element } from '../dom.ts';
import type { Masking } from './masking.ts';

/** The messages of earlier rounds are folded together, those of this round are marked as new. */
export function createMessageList({ messages, round }: ConsentView, masking: Masking) {
  const name = (index: number): string =>
    `Message ${index + 1} of ${messages.length}, ${messages[index]?.role}${isNew(index) ? ', new' : ''}`;
  const isNew = (index: number): boolean => round !== undefined && index >= round.newFrom;
  const placeholder = 'Empty: left out of the request';
  // An editor for each block of each message, none for blocks that are not text.
  const editors = messages.map(({ content }, index) =>
    content.map((block) =>
      block.kind === 'text'
        ? masking.createEditor({ label: name(index), hideLabel: true, text: block.text, placeholder })
        : undefined,
    ),
  );
  const cards = messages.map(({ role, content }, index) => {
    const blocks = content.map((block, at) => editors[index]?.[at]?.element ?? contentElement(block, exactRenderer));
    return messageCard(role, blocks, name(index), isNew(index));
  });
  return {
    element: element('section', { class: 'part' }, element('h2', { text: 'Messages' }), listElements(cards, round)),
    /** One entry for each block of each message, `undefined` for blocks that are not text. */
    texts: () => editors.map((row) => row.map((editor) => editor?.value)),
    /** False if every text is empty and there are no other blocks. */
    get hasContent() {
      return editors.flat().some((editor) => editor === undefined || editor.value !== '');
    },
  };
}

function listElements(cards: readonly HTMLElement[], round: ConsentView['round']): readonly HTMLElement[] {
  if (round === undefined) return [element('ol', { class: 'messages' }, cards)];
  const { number, newFrom } = round;
  const added = countOf(cards.length - newFrom, 'new message');
  const earlier = countOf(newFrom, 'message');
  return [
    element('p', { class: 'round', text: `Round ${number} of a conversation: ${added}` }),
    element(
      'details',
      { class: 'earlier' },
      element('summary', { text: `${earlier} of earlier rounds, sent again` }),
      element('ol', { class: 'messages' }, cards.slice(0, newFrom)),
    ),
    element('ol', { class: 'messages', start: newFrom + 1 }, cards.slice(newFrom)),
  ];
}
