import { modelLimits } from '../../base/modelLimits.ts';
import { type ConsentView, type RuleEnd, ruleEndNames, type RuleOffer } from '../../shared/consentMessages.ts';
import {
  button,
  checkBox,
  type Child,
  countOf,
  element,
  fill,
  formatNumber,
  inlineText,
  selectBox,
  uniqueId,
} from '../dom.ts';
import { createNumberField } from './numberField.ts';
import type { RequestContent } from './requestContent.ts';

const defaultRequests = 10;

/**
 * A form to approve further requests in advance. It describes everything that the rule allows.
 * @param content the request as it is to be approved together with the rule: later requests are compared with it
 */
export function createRuleForm(
  view: ConsentView,
  content: RequestContent,
  onConfirm: (rule: RuleOffer) => void,
  onCancel: () => void,
) {
  const summary = element('p', { class: 'rule-summary', 'aria-live': 'polite' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const fields = createFields(view, refresh);
  const confirm = button({ label: 'Approve and Make the Rule', icon: 'check-all', kind: 'primary', onClick: submit });

  function submit(): void {
    const offer = fields.read();
    if (offer === undefined) return fields.focusInvalid();
    if (content.marks.unmasked === 0) return onConfirm(offer);
    // The extension makes no rule of a request with anything that may be secret: say so instead of making none.
    content.marks.focus();
    problem.textContent = 'Mask what may be secret first: no rule covers a request that contains it.';
  }

  function refresh(): void {
    const offer = fields.read();
    problem.textContent = '';
    fill(summary, offer === undefined ? 'Correct the numbers below first.' : describeRule(offer, view, content));
  }

  return {
    element: element(
      'section',
      { class: 'request-form', 'aria-label': 'Make a rule' },
      element('h2', { text: 'Make a rule' }),
      summary,
      fields.elements,
      problem,
      element('div', { class: 'buttons' }, confirm, button({ label: 'Cancel', onClick: onCancel })),
    ),
    confirm,
    /** Makes the rule that the form says, or shows what to correct first. */
    submit,
    /** Updates the description, for instance after another model was chosen. */
    refresh,
    focus: () => fields.focus(),
  };
}

function createFields({ estimatedTokens, maxTokens }: ConsentView, onChange: () => void) {
  const { requestsPerHour, tokensPerHour } = modelLimits.rule;
  const each = estimatedTokens + maxTokens;
  const requests = createNumberField('Requests an hour', defaultRequests, requestsPerHour, '', onChange);
  const value = Math.min(tokensPerHour.maximum, Math.max(tokensPerHour.minimum, defaultRequests * each));
  const hint = `A request like this takes up to ${formatNumber(each)}.`;
  const tokens = createNumberField('Tokens an hour', value, tokensPerHour, hint, onChange);
  const id = uniqueId('end');
  const wordsOf = (name: RuleEnd): string => (name === 'end of today' ? 'End of today' : `${name} from now`);
  const ends = ruleEndNames.map((name) => element('option', { value: name, text: wordsOf(name) }));
  const end = element('select', { id, onchange: onChange }, ends);
  const review = checkBox('Show me each answer before the server gets it', true);
  const keep = checkBox('Keep it when the window closes or the server stops');
  const endLabel = element('label', { for: id, class: 'field-label', text: 'Until' });
  const endField = element('div', { class: 'field' }, endLabel, selectBox(end));
  return {
    elements: [
      element('div', { class: 'field-row' }, requests.element, tokens.element, endField),
      element('div', { class: 'checks', onchange: onChange }, review.element, keep.element),
    ],
    /** `undefined` while a number is not valid. */
    read(): RuleOffer | undefined {
      if (requests.value === undefined || tokens.value === undefined) return undefined;
      return {
        requestsPerHour: requests.value,
        tokensPerHour: tokens.value,
        end: ruleEndNames[end.selectedIndex] ?? '30 minutes',
        reviewsAnswer: review.input.checked,
        isKept: keep.input.checked,
      };
    },
    focusInvalid: () => [requests, tokens].find((field) => field.value === undefined)?.focus(),
    focus: () => requests.focus(),
  };
}

function describeRule(offer: RuleOffer, { server, metadata }: ConsentView, request: RequestContent): Child {
  const { requestsPerHour, tokensPerHour, end, reviewsAnswer, isKept } = offer;
  const { modelName } = request.model;
  const { systemPrompt, maxTokens } = request.edits;
  const amounts = `${countOf(requestsPerHour, 'request')} and ${countOf(tokensPerHour, 'token')} an hour`;
  const prompt = systemPrompt === '' ? 'without a system prompt' : 'with this system prompt';
  const frame = `${prompt}${metadata === undefined ? '' : ' and with this metadata'}`;
  return [
    'This request is approved as shown. After it, ',
    inlineText(server, 'strong'),
    ' may send to ',
    modelName === '' ? 'the chosen model' : inlineText(modelName, 'strong'),
    ` up to ${amounts}, ${end === 'end of today' ? 'until the end of today' : `for ${end}`}: each ${frame}, `,
    `no longer than this one (${countOf(request.characters, 'character')}), `,
    `asking for at most ${countOf(maxTokens, 'token')}, without tools, images, sound or context. `,
    reviewsAnswer
      ? 'You do not see these requests beforehand, but you see each answer before the server gets it. '
      : 'You see neither these requests nor their answers beforehand. ',
    'You are asked about requests with possible secrets, and about all others that the rule does not cover. ',
    isKept
      ? 'The rule stays when the window closes or the server stops; it ends at its time, or when you end it. '
      : 'The rule ends at its time, when the window closes, when the server stops, or when you end it. ',
    'You can see and end it in the view ',
    element('em', { text: 'Approvals' }),
    '; the status bar shows it.',
  ];
}
