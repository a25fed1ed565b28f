import type { ContentView, MessageView } from '../../shared/content.ts';
import { contentElement, exactDrawing } from '../contentElement.ts';
import { element } from '../dom.ts';
import { messageHeader } from '../messageHeader.ts';
import { createTextEditor, type TextEditor } from '../textEditor.ts';

/** All messages of a request; each text block has its own field. */
export interface MessageList {
  readonly element: HTMLElement;
  /** One entry for each block of each message, `undefined` for blocks that are not text. */
  texts(): (string | undefined)[][];
  /** False if every text is empty and there are no other blocks. */
  readonly hasContent: boolean;
}

/** Draws `messages` in their order. */
export function createMessageList(messages: readonly MessageView[]): MessageList {
  const editors: (TextEditor | undefined)[][] = [];
  const cards = messages.map((message, index) => {
    const row: (TextEditor | undefined)[] = [];
    editors.push(row);
    const name = `Message ${index + 1} of ${messages.length}, ${message.role}`;
    const blocks = message.content.map((block) => blockElement(block, name, row));
    return element(
      'li',
      { class: `message ${message.role}`, 'aria-label': name },
      messageHeader(message.role),
      ...blocks,
    );
  });
  return {
    element: element('ol', { class: 'messages' }, ...cards),
    texts: () => editors.map((row) => row.map((editor) => editor?.value)),
    get hasContent() {
      return editors.some((row) => row.some((editor) => editor === undefined || editor.value !== ''));
    },
  };
}

function blockElement(block: ContentView, name: string, row: (TextEditor | undefined)[]): HTMLElement {
  if (block.kind !== 'text') {
    row.push(undefined);
    return contentElement(block, exactDrawing);
  }
  const editor = createTextEditor({
    label: name,
    hideLabel: true,
    text: block.text,
    placeholder: 'Empty: left out of the request',
  });
  row.push(editor);
  return editor.element;
}
