import { button, element } from '../dom.ts';
import { createTextEditor } from '../textEditor.ts';
import { acceptKeys } from '../shortcuts.ts';

/** What happens with the answer. */
export interface HandAnswerOptions {
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

/** A form to write the answer by hand; no model is asked. */
export interface HandAnswer {
  readonly element: HTMLElement;
  readonly send: HTMLButtonElement;
  /** Sends the text, or says that it is empty. */
  submit(): void;
  focus(): void;
}

/** Creates the form with an empty text. */
export function createHandAnswer(options: HandAnswerOptions): HandAnswer {
  const problem = element('p', { class: 'problem', role: 'alert' });
  const editor = createTextEditor({
    label: 'Your answer',
    text: '',
    rows: 4,
    onChange: () => (problem.textContent = ''),
  });
  const send = button({ label: 'Send My Answer', icon: 'send', kind: 'primary', title: acceptKeys(), onClick: submit });

  function submit(): void {
    if (editor.value.trim() !== '') return options.onSend(editor.value);
    problem.textContent = 'Write something first.';
    editor.area.focus();
  }

  return {
    element: element(
      'section',
      { class: 'grant', 'aria-label': 'Write the answer myself' },
      element('p', {
        class: 'hint',
        text: 'No model is asked. The server gets exactly this text, marked as written by a person.',
      }),
      editor.element,
      problem,
      element('div', { class: 'buttons' }, send, button({ label: 'Cancel', onClick: options.onCancel })),
    ),
    send,
    submit,
    focus: () => editor.area.focus(),
  };
}
