import type { ConsentEdits, ConsentView, GrantOffer } from '../../shared/consentMessages.ts';
import { button, element, icon } from '../dom.ts';
import { exactText } from '../exactText.ts';
import { createGrantForm } from './grantForm.ts';
import { createHandAnswer } from './handAnswer.ts';
import type { ModelChoice } from './modelChoice.ts';
import { createRequestContent } from './requestContent.ts';
import { acceptKeys } from '../shortcuts.ts';
import type { Step } from '../step.ts';

/** What the person can decide about a request. */
export interface RequestActions {
  readonly onApprove: (edits: ConsentEdits, model: ModelChoice, grant: GrantOffer | undefined) => void;
  readonly onAnswer: (text: string) => void;
  readonly onDecline: () => void;
  /** Other buttons than before are shown: they must stay disabled until the person has seen them. */
  readonly onDidChangeQuestion: () => void;
}

/** The first step: the request, which the person can edit, and the buttons to decide. */
export interface RequestStep extends Step {
  /** Shows that the model failed; the person decides again. */
  showFailure(message: string): void;
}

/** What is shown under the request: the buttons, the form of a grant, or the form for an answer by hand. */
type Drawer = 'decide' | 'grant' | 'hand';

/** Without models, or if the request cannot be reviewed, the person can only decline or answer by hand. */
export function createRequestStep(view: ConsentView, actions: RequestActions): RequestStep {
  const canApprove = view.models.length > 0 && view.unreviewable === undefined;
  const content = createRequestContent(view, canApprove);
  const failure = element('div', { role: 'alert' });
  const hand = createHandAnswer({ onSend: actions.onAnswer, onCancel: () => open('decide') });
  const grant = createGrantForm({
    server: view.server,
    maxTokens: view.maxTokens,
    textCharacters: view.textCharacters,
    modelName: () => content.model.modelName,
    onGrant: approve,
    onCancel: () => open('decide'),
  });
  const bar = createDecisionBar(canApprove, { onApprove: () => approve(), onDecline: actions.onDecline, onOpen: open });
  let drawer: Drawer = 'decide';

  function approve(offer?: GrantOffer): void {
    const fault = content.fault();
    bar.showProblem(fault?.text ?? '');
    open('decide');
    if (fault !== undefined) return fault.focus();
    failure.replaceChildren();
    actions.onApprove(content.edits(), content.model, offer);
  }

  function open(next: Drawer): void {
    const previous = drawer;
    drawer = next;
    bar.element.hidden = next !== 'decide';
    grant.element.hidden = next !== 'grant';
    hand.element.hidden = next !== 'hand';
    if (next === previous) return;
    actions.onDidChangeQuestion();
    grant.refresh();
    if (next === 'grant') grant.focus();
    else if (next === 'hand') hand.focus();
    else (previous === 'grant' ? bar.grant : bar.hand).focus();
  }

  const decisive = { decide: bar.decline, grant: grant.confirm, hand: hand.send };
  const accept = { decide: () => canApprove && approve(), grant: () => grant.submit(), hand: () => hand.submit() };
  open('decide');
  return {
    element: element('div', { class: 'step' }, failure, content.element, grant.element, hand.element, bar.element),
    shortcuts: {
      accept: () => void accept[drawer](),
      refuse: () => (drawer === 'decide' ? actions.onDecline() : open('decide')),
      leaveField: () => decisive[drawer].focus(),
    },
    setArmed(isArmed) {
      for (const one of [bar.approve, ...Object.values(decisive)]) one.disabled = !isArmed;
    },
    showFailure: (message) => failure.replaceChildren(failureBanner(message)),
  };
}

interface DecisionActions {
  readonly onApprove: () => void;
  readonly onDecline: () => void;
  readonly onOpen: (drawer: Drawer) => void;
}

function createDecisionBar(canApprove: boolean, actions: DecisionActions) {
  const { onApprove, onDecline, onOpen } = actions;
  const problem = element('p', { class: 'problem', role: 'alert' });
  const approve = button({ label: 'Approve', icon: 'check', kind: 'primary', title: acceptKeys(), onClick: onApprove });
  const decline = button({ label: 'Decline', title: 'Escape', onClick: onDecline });
  const grant = button({ label: 'Allow for This Session…', kind: 'quiet', onClick: () => onOpen('grant') });
  const hand = button({ label: 'Write the Answer Myself…', kind: 'quiet', onClick: () => onOpen('hand') });
  const buttons = canApprove ? [approve, decline, grant, hand] : [decline, hand];
  const keys = element('span', {
    class: 'keys',
    text: canApprove ? `${acceptKeys()} approves, Esc declines` : 'Esc declines',
  });
  return {
    element: element('div', { class: 'decision-bar' }, problem, element('div', { class: 'buttons' }, ...buttons, keys)),
    approve,
    decline,
    grant,
    hand,
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
