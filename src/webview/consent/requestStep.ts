import type { ConsentFromPanel, ConsentModels, ConsentView, RuleOffer } from '../../shared/consentMessages.ts';
import { acceptButton, acceptKeys } from '../decisionGuard.ts';
import { banner, button, countOf, element, fill, icon, inlineText } from '../dom.ts';
import type { QuestionStep } from '../questionPage.ts';
import { createTextEditor } from '../textEditor.ts';
import { askedBanner } from './answerStep.ts';
import { RequestContent } from './requestContent.ts';
import { createRuleForm } from './ruleForm.ts';

/** A form that a button opens in place of the buttons. */
type FormName = 'rule' | 'manualAnswer';

/** The first step: the request, which the person can edit, and the buttons to decide. */
export class RequestStep implements QuestionStep {
  readonly element: HTMLElement;
  readonly shortcuts: QuestionStep['shortcuts'];
  readonly #id: number;
  readonly #view: ConsentView;
  readonly #decide: (message: ConsentFromPanel) => void;
  readonly #onDidChangeQuestion: () => void;
  readonly #content: RequestContent;
  readonly #failure = element('div', { role: 'alert' });
  readonly #problem = element('p', { class: 'problem', role: 'alert' });
  readonly #unmasked = element('p', { class: 'unmasked', role: 'status' });
  readonly #buttons = element('div', { class: 'buttons' });
  readonly #noRule: HTMLElement;
  readonly #bar: HTMLElement;
  readonly #approve = acceptButton('Approve', 'check', () => this.#send());
  readonly #decline = button({ label: 'Decline', title: 'Escape', onClick: () => this.#refuse() });
  readonly #openers = {
    rule: this.#opener('rule', 'Allow Without Asking…'),
    manualAnswer: this.#opener('manualAnswer', 'Write the Answer Myself…'),
  };
  readonly #rule: ReturnType<typeof createRuleForm>;
  readonly #forms: Readonly<Record<FormName, ReturnType<typeof createManualAnswer>>>;
  #opened: FormName | undefined;
  #canApprove = false;

  /** @param onDidChangeQuestion other buttons than before are shown: they must stay disabled until the person has seen them */
  constructor(
    id: number,
    view: ConsentView,
    decide: (message: ConsentFromPanel) => void,
    onDidChangeQuestion: () => void,
  ) {
    this.#id = id;
    this.#view = view;
    this.#decide = decide;
    this.#onDidChangeQuestion = onDidChangeQuestion;
    this.#noRule = element('p', { class: 'hint no-rule', text: view.noRuleBecause ?? '' });
    this.#bar = element('div', { class: 'decision-bar' }, this.#problem, this.#unmasked, this.#buttons, this.#noRule);
    const close = (): void => this.#open(undefined);
    const content = new RequestContent(
      view,
      () => decide({ type: 'addModel', id }),
      () => this.#refresh(),
    );
    this.#content = content;
    this.#rule = createRuleForm(view, content, (rule) => this.#send(rule), close);
    const answer = createManualAnswer((text) => decide({ type: 'answer', id, text }), close);
    this.#forms = { rule: this.#rule, manualAnswer: answer };
    this.element = element(
      'div',
      { class: 'step' },
      askedBanner(view.askedBecause),
      view.budget?.isExceeded === true && banner('warning', view.budget.text),
      this.#failure,
      content.element,
      this.#rule.element,
      answer.element,
      this.#bar,
    );
    const opened = (): ReturnType<typeof createManualAnswer> | undefined => this.#opened && this.#forms[this.#opened];
    this.shortcuts = {
      accept: () => (opened() ?? { submit: () => this.#send() }).submit(),
      refuse: () => (this.#opened === undefined ? this.#refuse() : close()),
      leaveField: () => (opened()?.confirm ?? this.#decline).focus(),
    };
    this.#open(undefined);
    this.#offer(view);
  }

  get modelName(): string {
    return this.#content.model.modelName;
  }

  setDecisionsEnabled(isEnabled: boolean): void {
    const { rule, manualAnswer } = this.#forms;
    for (const one of [this.#approve, this.#decline, rule.confirm, manualAnswer.confirm]) one.disabled = !isEnabled;
  }

  /** Shows that the model failed; the person decides again. */
  showFailure(message: string): void {
    const title = element('strong', { text: 'The model did not answer. ' });
    fill(this.#failure, banner('error', element('span', {}, title, inlineText(message))));
  }

  /** Offers other models than before; what the person edited stays. */
  showModels(models: ConsentModels): void {
    this.#content.showModels(models);
    this.#offer(models);
    this.#onDidChangeQuestion();
  }

  /** Without models, or if the request cannot be reviewed, the person can only decline or write the answer. */
  #offer({ models }: ConsentModels): void {
    // What the person asks themselves needs no rule, and no server waits for an answer that they would write.
    const { unreviewable, noRuleBecause, isOwn } = this.#view;
    const canApprove = models.length > 0 && unreviewable === undefined;
    this.#canApprove = canApprove;
    this.#noRule.hidden = !canApprove || isOwn;
    fill(
      this.#buttons,
      canApprove && this.#approve,
      this.#decline,
      canApprove && noRuleBecause === undefined && this.#openers.rule,
      !isOwn && this.#openers.manualAnswer,
      element('span', { class: 'keys', text: `${canApprove ? `${acceptKeys()} approves, ` : ''}Esc declines` }),
    );
    this.#refresh();
  }

  #send(rule?: RuleOffer): void {
    if (!this.#canApprove) return;
    this.#open(undefined);
    this.#problem.textContent = this.#content.findProblem();
    if (this.#problem.textContent !== '') return;
    this.#failure.replaceChildren();
    const { model, masking, edits } = this.#content;
    const { remembersModel } = model;
    const masked = [...masking.masked];
    this.#decide({ type: 'approve', id: this.#id, edits, model: model.model, remembersModel, masked, rule });
  }

  #refuse(): void {
    this.#decide({ type: 'decline', id: this.#id });
  }

  #refresh(): void {
    if (this.#opened === 'rule') this.#rule.refresh();
    const count = this.#canApprove ? this.#content.marks.unmasked : 0;
    const text =
      count === 0 ? '' : `${countOf(count, 'place')} may be secret and ${count === 1 ? 'is' : 'are'} not masked`;
    // A screen reader reads each change.
    if (this.#unmasked.textContent === text) return;
    fill(this.#unmasked, count > 0 && [icon('warning'), element('span', { text })]);
  }

  #opener(name: FormName, label: string): HTMLButtonElement {
    return button({ label, kind: 'quiet', onClick: () => this.#open(name) });
  }

  #open(name: FormName | undefined): void {
    const before = this.#opened;
    this.#opened = name;
    this.#bar.hidden = name !== undefined;
    this.#forms.rule.element.hidden = name !== 'rule';
    this.#forms.manualAnswer.element.hidden = name !== 'manualAnswer';
    if (name === before) return;
    this.#refresh();
    this.#onDidChangeQuestion();
    if (name !== undefined) this.#forms[name].focus();
    else if (before !== undefined) this.#openers[before].focus();
  }
}

const manualAdvice = 'Your text is sent to the server as written by you; no model is used.';

function createManualAnswer(onSend: (text: string) => void, onCancel: () => void) {
  const problem = element('p', { class: 'problem', role: 'alert' });
  const clear = (): void => problem.replaceChildren();
  const editor = createTextEditor({ label: 'Your answer', text: '', rows: 4, onChange: clear });
  const confirm = acceptButton('Send My Answer', 'send', submit);

  function submit(): void {
    if (editor.value.trim() !== '') return onSend(editor.value);
    problem.textContent = 'Write something first.';
    editor.area.focus();
  }

  return {
    element: element(
      'section',
      { class: 'request-form', 'aria-label': 'Write the answer myself' },
      element('p', { class: 'hint', text: manualAdvice }),
      editor.element,
      problem,
      element('div', { class: 'buttons' }, confirm, button({ label: 'Cancel', onClick: onCancel })),
    ),
    /** The button that a person is to think about. */
    confirm,
    /** Does what the button does, or says what is missing. */
    submit,
    focus: () => editor.area.focus(),
  };
}
