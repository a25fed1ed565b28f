import type { ConsentApproval, ConsentModels, ConsentView, RuleOffer } from '../../shared/consentMessages.ts';
import { acceptKeys } from '../decisionGuard.ts';
import { button, element, exactText } from '../dom.ts';
import type { QuestionStep } from '../questionPage.ts';
import { createTextEditor } from '../textEditor.ts';
import { banner, requestBanners } from './banners.ts';
import { createDecisionBar, type DecisionBar, type RequestForm } from './decisionBar.ts';
import { createRequestContent, type RequestContent } from './requestContent.ts';
import { createRuleForm, type RuledRequest, type RuleForm } from './ruleForm.ts';

/** The approval of one request, without its id. */
export type RequestApproval = Omit<ConsentApproval, 'type' | 'id'>;

/** What the person can decide about a request. */
export interface RequestActions {
  readonly onApprove: (approval: RequestApproval, modelName: string) => void;
  readonly onAnswer: (text: string) => void;
  readonly onDecline: () => void;
  readonly onAddModel: () => void;
  /** Other buttons than before are shown: they must stay disabled until the person has seen them. */
  readonly onDidChangeQuestion: () => void;
}

/** The first step: the request, which the person can edit, and the buttons to decide. */
export interface RequestStep extends QuestionStep {
  /** Shows that the model failed; the person decides again. */
  showFailure(message: string): void;
  /** Offers other models than before; what the person edited stays. */
  showModels(models: ConsentModels): void;
}

/** Without models, or if the request cannot be reviewed, the person can only decline or write the answer. */
export function createRequestStep(view: ConsentView, actions: RequestActions): RequestStep {
  const content = createRequestContent(view, { onAddModel: actions.onAddModel, onChange: refresh });
  const failure = element('div', { role: 'alert' });
  const close = (): void => sections.open('decide');
  const manualAnswer = createManualAnswer({ onSend: actions.onAnswer, onCancel: close });
  const current = (): RuledRequest => content.current();
  const findProblem = (): string | undefined => findRuleProblem(content);
  const rule = createRuleForm({ view, current, findProblem, onConfirm: approve, onCancel: close });
  const bar = createDecisionBar(view, {
    onApprove: () => approve(),
    onDecline: actions.onDecline,
    onOpen: (form) => sections.open(form),
  });
  const sections = createSections({ bar, rule, manualAnswer }, () => {
    refresh();
    actions.onDidChangeQuestion();
  });
  let canApprove = false;

  function approve(offer?: RuleOffer): void {
    if (!canApprove) return;
    const problem = content.findProblem();
    bar.showProblem(problem?.text ?? '');
    close();
    if (problem !== undefined) return problem.focus();
    failure.replaceChildren();
    const { model, masked } = content;
    const { remembersModel } = model;
    const approval = { edits: content.edits(), model: model.model, remembersModel, masked, rule: offer };
    actions.onApprove(approval, model.modelName);
  }

  function refresh(): void {
    if (!rule.element.hidden) rule.refresh();
    bar.showUnmasked(canApprove ? content.unmasked : 0);
  }

  function showModels({ models }: ConsentModels): void {
    canApprove = models.length > 0 && view.unreviewable === undefined;
    bar.setCanApprove(canApprove);
    refresh();
  }

  showModels(view);
  return {
    element: element('div', { class: 'step' }, ...requestBanners(view), failure, content.element, ...sections.elements),
    shortcuts: {
      accept: () =>
        rule.element.hidden ? (manualAnswer.element.hidden ? approve() : manualAnswer.submit()) : rule.submit(),
      refuse: () => (bar.element.hidden ? close() : actions.onDecline()),
      leaveField: () => sections.decisive.focus(),
    },
    setDecisionsEnabled(isEnabled) {
      for (const one of [bar.approve, bar.decline, rule.confirm, manualAnswer.send]) one.disabled = !isEnabled;
    },
    showFailure: (message) => failure.replaceChildren(failureBanner(message)),
    showModels(models) {
      content.showModels(models);
      showModels(models);
      actions.onDidChangeQuestion();
    },
  };
}

/** The extension makes no rule of a request with anything that may be secret: say so instead of making none. */
function findRuleProblem(content: RequestContent): string | undefined {
  if (content.unmasked === 0) return undefined;
  content.focusMarks();
  return 'Mask what may be secret first: no rule covers a request that contains it.';
}

/** What is shown under the request: the buttons, or a form. */
type SectionName = 'decide' | RequestForm;

interface Sections {
  readonly elements: readonly HTMLElement[];
  /** The button of the section that is shown which a person is to think about. */
  readonly decisive: HTMLButtonElement;
  open(name: SectionName): void;
}

interface SectionParts {
  readonly bar: DecisionBar;
  readonly rule: RuleForm;
  readonly manualAnswer: ManualAnswer;
}

/** Shows the buttons at first. @param onChange called when another section is shown, before it gets the focus */
function createSections({ bar, rule, manualAnswer }: SectionParts, onChange: () => void): Sections {
  const sections = {
    rule: { element: rule.element, decisive: rule.confirm, focus: () => rule.focus() },
    manualAnswer: {
      element: manualAnswer.element,
      decisive: manualAnswer.send,
      focus: () => manualAnswer.focus(),
    },
    decide: { element: bar.element, decisive: bar.decline, focus: () => {} },
  };
  let shown: SectionName = 'decide';
  const show = (): void => {
    for (const [name, { element: section }] of Object.entries(sections)) section.hidden = name !== shown;
  };

  show();
  return {
    elements: Object.values(sections).map((section) => section.element),
    get decisive() {
      return sections[shown].decisive;
    },
    open(name) {
      const previous = shown;
      shown = name;
      show();
      if (name === previous) return;
      onChange();
      if (previous === 'decide') sections[name].focus();
      else bar.opener(previous).focus();
    },
  };
}

function failureBanner(message: string): HTMLElement {
  const text = element(
    'span',
    {},
    element('strong', { text: 'The model did not answer. ' }),
    exactText(message, 'exact inline'),
  );
  return banner('error', text);
}

interface ManualAnswerOptions {
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

function createManualAnswer(options: ManualAnswerOptions) {
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
      { class: 'request-form', 'aria-label': 'Write the answer myself' },
      element('p', {
        class: 'hint',
        text: 'No model is asked. The server gets exactly this text, marked as written by a person.',
      }),
      editor.element,
      problem,
      element('div', { class: 'buttons' }, send, button({ label: 'Cancel', onClick: options.onCancel })),
    ),
    send,
    /** Sends the text, or says that it is empty. */
    submit,
    focus: () => editor.area.focus(),
  };
}

type ManualAnswer = ReturnType<typeof createManualAnswer>;
