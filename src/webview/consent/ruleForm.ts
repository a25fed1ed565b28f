import { modelLimits } from '../../base/modelLimits.ts';
import { type ConsentView, type RuleEnd, ruleEnds, type RuleOffer } from '../../shared/consentMessages.ts';
import { button, countOf, element, exactText, formatNumber } from '../dom.ts';
import { createCheckBox, createNumberField, createSelectField } from './consentFields.ts';

/** The request as it is to be approved together with the rule: later requests are compared with it. */
export interface RuledRequest {
  readonly modelName: string;
  readonly hasSystemPrompt: boolean;
  readonly characters: number;
  readonly maxTokens: number;
}

/** The request that the rule starts from. */
export interface RuleFormOptions {
  readonly view: ConsentView;
  readonly current: () => RuledRequest;
  /** Why the rule cannot be made yet, as a sentence. */
  readonly findProblem: () => string | undefined;
  readonly onConfirm: (rule: RuleOffer) => void;
  readonly onCancel: () => void;
}

const defaultRequests = 10;

/** A form to approve further requests in advance. It describes everything that the rule allows. */
export function createRuleForm(options: RuleFormOptions) {
  const summary = element('p', { class: 'rule-summary', 'aria-live': 'polite' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const fields = createFields(options.view, refresh);
  const confirm = button({ label: 'Approve and Make the Rule', icon: 'check-all', kind: 'primary', onClick: submit });

  function submit(): void {
    const offer = fields.read();
    if (offer === undefined) return fields.focusInvalid();
    problem.textContent = options.findProblem() ?? '';
    if (problem.textContent === '') options.onConfirm(offer);
  }

  function refresh(): void {
    const offer = fields.read();
    problem.textContent = '';
    summary.replaceChildren(
      ...(offer === undefined
        ? ['Correct the numbers below first.']
        : describeRule(offer, options.view, options.current())),
    );
  }

  refresh();
  return {
    element: element(
      'section',
      { class: 'request-form', 'aria-label': 'Make a rule' },
      element('h2', { text: 'Make a rule' }),
      summary,
      ...fields.elements,
      problem,
      element('div', { class: 'buttons' }, confirm, button({ label: 'Cancel', onClick: options.onCancel })),
    ),
    confirm,
    /** Makes the rule that the form says, or shows what to correct first. */
    submit,
    /** Updates the description, for instance after another model was chosen. */
    refresh,
    focus: () => fields.focus(),
  };
}

export type RuleForm = ReturnType<typeof createRuleForm>;

function createFields({ estimatedTokens, maxTokens }: ConsentView, onChange: () => void) {
  const bounds = modelLimits.rule;
  const each = estimatedTokens + maxTokens;
  const requests = createNumberField({
    label: 'Requests an hour',
    value: defaultRequests,
    ...bounds.requestsPerHour,
    onChange,
  });
  const tokens = createNumberField({
    label: 'Tokens an hour',
    value: Math.min(bounds.tokensPerHour.maximum, Math.max(bounds.tokensPerHour.minimum, defaultRequests * each)),
    ...bounds.tokensPerHour,
    hint: `A request like this takes up to ${formatNumber(each)}.`,
    onChange,
  });
  const end = createSelectField<RuleEnd>({ label: 'Until', options: ruleEnds, labelOf: labelOfEnd, onChange });
  const review = createCheckBox({ label: 'Show me each answer before the server gets it', isChecked: true, onChange });
  const keep = createCheckBox({
    label: 'Keep it when the window closes or the server stops',
    isChecked: false,
    onChange,
  });
  const numbers = [requests, tokens];
  return {
    elements: [
      element('div', { class: 'field-row' }, requests.element, tokens.element, end.element),
      element('div', { class: 'checks' }, review.element, keep.element),
    ],
    /** `undefined` while a number is not valid. */
    read() {
      const [requestsPerHour, tokensPerHour] = [requests.value, tokens.value];
      if (requestsPerHour === undefined || tokensPerHour === undefined) return undefined;
      return {
        requestsPerHour,
        tokensPerHour,
        end: end.value,
        reviewsAnswer: review.isChecked,
        isKept: keep.isChecked,
      };
    },
    focusInvalid: () => numbers.find((field) => field.value === undefined)?.focus(),
    focus: () => requests.focus(),
  };
}

function labelOfEnd(end: RuleEnd): string {
  return end === 'end of today' ? 'End of today' : `${end} from now`;
}

function describeRule(offer: RuleOffer, view: ConsentView, request: RuledRequest): (Node | string)[] {
  const { requestsPerHour, tokensPerHour, end, reviewsAnswer, isKept } = offer;
  const model = request.modelName === '' ? 'the chosen model' : exactText(request.modelName, 'exact inline strong');
  const amounts = `${countOf(requestsPerHour, 'request')} and ${countOf(tokensPerHour, 'token')} an hour`;
  const frame = [
    request.hasSystemPrompt ? 'with this system prompt' : 'without a system prompt',
    ...(view.metadata === undefined ? [] : ['with this metadata']),
  ].join(' and ');
  return [
    'This request is approved as it stands. After it, ',
    exactText(view.server, 'exact inline strong'),
    ' may send to ',
    model,
    ` up to ${amounts}, ${end === 'end of today' ? 'until the end of today' : `for ${end}`}: each ${frame}, `,
    `no longer than this one (${countOf(request.characters, 'character')}), `,
    `asking for at most ${countOf(request.maxTokens, 'token')}, without tools, images, sound or context. `,
    reviewsAnswer
      ? 'You do not see those requests first, but each answer before the server gets it. '
      : 'You see neither those requests nor their answers first. ',
    'A request with anything that may be secret is shown to you, and so is every other one that the rule does not cover. ',
    isKept
      ? 'The rule stays when the window closes or the server stops; it ends at its time, or when you end it. '
      : 'The rule ends at its time, when the window closes, when the server stops, or when you end it. ',
    'You can see and end it in the view ',
    element('em', { text: 'Approvals' }),
    '; the status bar shows it.',
  ];
}
