import type { ConsentEdits, ConsentView, GrantOffer } from '../../shared/consentMessages.ts';
import { acceptKeys } from '../decisionGuard.ts';
import { button, element, exactText, icon } from '../dom.ts';
import type { QuestionStep } from '../questionPage.ts';
import { createTextEditor } from '../textEditor.ts';
import type { ModelChoice } from './consentFields.ts';
import { createGrantForm } from './grantForm.ts';
import { createRequestContent } from './requestContent.ts';

/** What the person can decide about a request. */
export interface RequestActions {
  readonly onApprove: (edits: ConsentEdits, model: ModelChoice, grant: GrantOffer | undefined) => void;
  readonly onAnswer: (text: string) => void;
  readonly onDecline: () => void;
  /** Other buttons than before are shown: they must stay disabled until the person has seen them. */
  readonly onDidChangeQuestion: () => void;
}

/** The first step: the request, which the person can edit, and the buttons to decide. */
export interface RequestStep extends QuestionStep {
  /** Shows that the model failed; the person decides again. */
  showFailure(message: string): void;
}

/** What is shown under the request: the buttons, the form of a grant, or the form for a manual answer. */
type RequestSection = 'decide' | 'grant' | 'manualAnswer';

/** Without models, or if the request cannot be reviewed, the person can only decline or write the answer. */
export function createRequestStep(view: ConsentView, actions: RequestActions): RequestStep {
  const canApprove = view.models.length > 0 && view.unreviewable === undefined;
  const content = createRequestContent(view, canApprove);
  const failure = element('div', { role: 'alert' });
  const manualAnswer = createManualAnswer({ onSend: actions.onAnswer, onCancel: () => open('decide') });
  const grant = createGrantForm({
    server: view.server,
    maxTokens: view.maxTokens,
    textCharacters: view.textCharacters,
    modelName: () => content.model.modelName,
    onGrant: approve,
    onCancel: () => open('decide'),
  });
  const bar = createDecisionBar(canApprove, { onApprove: () => approve(), onDecline: actions.onDecline, onOpen: open });
  let section: RequestSection = 'decide';

  function approve(offer?: GrantOffer): void {
    const problem = content.findProblem();
    bar.showProblem(problem?.text ?? '');
    open('decide');
    if (problem !== undefined) return problem.focus();
    failure.replaceChildren();
    actions.onApprove(content.edits(), content.model, offer);
  }

  function open(next: RequestSection): void {
    const previous = section;
    section = next;
    for (const [name, { element: part }] of Object.entries(sections)) part.hidden = name !== next;
    if (next === previous) return;
    actions.onDidChangeQuestion();
    grant.refresh();
    if (next === 'grant') grant.focus();
    else if (next === 'manualAnswer') manualAnswer.focus();
    else (previous === 'grant' ? bar.grant : bar.manualAnswer).focus();
  }

  const sections = {
    grant: { element: grant.element, decisive: grant.confirm, accept: () => grant.submit() },
    manualAnswer: { element: manualAnswer.element, decisive: manualAnswer.send, accept: () => manualAnswer.submit() },
    decide: { element: bar.element, decisive: bar.decline, accept: () => canApprove && approve() },
  };
  open('decide');
  const parts = Object.values(sections).map((one) => one.element);
  return {
    element: element('div', { class: 'step' }, failure, content.element, ...parts),
    shortcuts: {
      accept: () => void sections[section].accept(),
      refuse: () => (section === 'decide' ? actions.onDecline() : open('decide')),
      leaveField: () => sections[section].decisive.focus(),
    },
    setDecisionsEnabled(isEnabled) {
      for (const one of [bar.approve, ...Object.values(sections).map(({ decisive }) => decisive)])
        one.disabled = !isEnabled;
    },
    showFailure: (message) => failure.replaceChildren(failureBanner(message)),
  };
}

interface DecisionActions {
  readonly onApprove: () => void;
  readonly onDecline: () => void;
  readonly onOpen: (section: RequestSection) => void;
}

function createDecisionBar(canApprove: boolean, actions: DecisionActions) {
  const { onApprove, onDecline, onOpen } = actions;
  const problem = element('p', { class: 'problem', role: 'alert' });
  const approve = button({ label: 'Approve', icon: 'check', kind: 'primary', title: acceptKeys(), onClick: onApprove });
  const decline = button({ label: 'Decline', title: 'Escape', onClick: onDecline });
  const grant = button({ label: 'Allow for This Session…', kind: 'quiet', onClick: () => onOpen('grant') });
  const manualAnswer = button({
    label: 'Write the Answer Myself…',
    kind: 'quiet',
    onClick: () => onOpen('manualAnswer'),
  });
  const buttons = canApprove ? [approve, decline, grant, manualAnswer] : [decline, manualAnswer];
  const keys = element('span', {
    class: 'keys',
    text: canApprove ? `${acceptKeys()} approves, Esc declines` : 'Esc declines',
  });
  return {
    element: element('div', { class: 'decision-bar' }, problem, element('div', { class: 'buttons' }, ...buttons, keys)),
    approve,
    decline,
    grant,
    manualAnswer,
    showProblem: (text: string) => (problem.textContent = text),
  };
}

function failureBanner(message: string): HTMLElement {
  const text = element(
    'span',
    {},
    element('strong', { text: 'The model did not answer. ' }),
    exactText(message, 'exact inline'),
  );
  return element('div', { class: 'banner error' }, icon('error'), text);
}

interface ManualAnswerOptions {
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

/** A form in which the person writes the answer; no model is asked. */
interface ManualAnswer {
  readonly element: HTMLElement;
  readonly send: HTMLButtonElement;
  /** Sends the text, or says that it is empty. */
  submit(): void;
  focus(): void;
}

function createManualAnswer(options: ManualAnswerOptions): ManualAnswer {
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
