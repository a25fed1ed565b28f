import { type GrantOffer, grantLimits } from '../../shared/consentMessages.ts';
import { button, counted, element } from '../dom.ts';
import { exactText } from '../exactText.ts';
import { createNumberField } from './numberField.ts';

export interface GrantFormOptions {
  readonly server: string;
  /** The request's own token limit, which further ones may not exceed. */
  readonly maxTokens: number;
  readonly modelName: () => string;
  readonly onGrant: (grant: GrantOffer) => void;
  readonly onCancel: () => void;
}

/** A yes for further requests, with everything it allows spelled out before it is given. */
export interface GrantForm {
  readonly element: HTMLElement;
  readonly confirm: HTMLButtonElement;
  /** Takes the offer as it stands; leads to the field that is wrong if one is. */
  submit(): void;
  refresh(): void;
  focus(): void;
}

const defaults = { requests: 10, minutes: 30 };

export function createGrantForm(options: GrantFormOptions): GrantForm {
  const summary = element('p', { class: 'grant-summary', 'aria-live': 'polite' });
  const requests = createNumberField({
    label: 'Further requests',
    value: defaults.requests,
    ...grantLimits.requests,
    onChange: refresh,
  });
  const minutes = createNumberField({
    label: 'Minutes',
    value: defaults.minutes,
    ...grantLimits.minutes,
    onChange: refresh,
  });
  const maxTokens = createNumberField({
    label: 'Tokens for each',
    value: options.maxTokens,
    minimum: 1,
    maximum: options.maxTokens,
    onChange: refresh,
  });
  const fields = [requests, minutes, maxTokens];
  const confirm = button({
    label: 'Approve and Allow for This Session',
    icon: 'check-all',
    kind: 'primary',
    onClick: submit,
  });

  function read(): GrantOffer | undefined {
    const [count, time, tokens] = [requests.value, minutes.value, maxTokens.value];
    if (count === undefined || time === undefined || tokens === undefined) return undefined;
    return { requests: count, minutes: time, maxTokens: tokens };
  }

  function submit(): void {
    const offer = read();
    if (offer === undefined) fields.find((field) => field.value === undefined)?.focus();
    else options.onGrant(offer);
  }

  function refresh(): void {
    const offer = read();
    const terms = offer === undefined ? ['Correct the numbers below first.'] : termsOf(offer, options);
    summary.replaceChildren(...terms);
  }

  refresh();
  return {
    element: element(
      'section',
      { class: 'grant', 'aria-label': 'Allow for this session' },
      element('h2', { text: 'Allow for this session' }),
      summary,
      element('div', { class: 'field-row' }, ...fields.map((field) => field.element)),
      element('div', { class: 'buttons' }, confirm, button({ label: 'Cancel', onClick: options.onCancel })),
    ),
    confirm,
    submit,
    refresh,
    focus: () => requests.focus(),
  };
}

function termsOf(offer: GrantOffer, options: GrantFormOptions): (Node | string)[] {
  const count = counted(offer.requests, 'more request');
  const model = options.modelName() || 'the chosen model';
  return [
    'This request is approved as it stands. After it, ',
    exactText(options.server, 'exact inline strong'),
    ` may send ${count} to ${model} within ${counted(offer.minutes, 'minute')}, `,
    `with up to ${counted(offer.maxTokens, 'token')} for each answer. You will not see those requests or their answers first. `,
    'They are listed in the audit log, and it all ends when the server stops or this window closes.',
  ];
}
