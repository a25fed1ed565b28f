import { type GrantOffer, grantLimits } from '../../shared/consentMessages.ts';
import { button, element, exactText, countOf } from '../dom.ts';
import { createNumberField, type NumberField } from './consentFields.ts';

/** The request that the grant starts from. */
export interface GrantFormOptions {
  readonly server: string;
  /** The token limit of the request, which is the maximum for further requests. */
  readonly maxTokens: number;
  /** Characters in the request that is approved together with the grant. */
  readonly textCharacters: number;
  readonly modelName: () => string;
  readonly onGrant: (grant: GrantOffer) => void;
  readonly onCancel: () => void;
}

/** A form to approve further requests in advance. It describes everything that the grant allows. */
export interface GrantForm {
  readonly element: HTMLElement;
  readonly confirm: HTMLButtonElement;
  /** Grants what the form says, or moves the focus to the first invalid field. */
  submit(): void;
  /** Updates the description, for instance after another model was chosen. */
  refresh(): void;
  focus(): void;
}

const defaults = { requests: 10, minutes: 30 };

/** Creates the form with default values. */
export function createGrantForm(options: GrantFormOptions): GrantForm {
  const summary = element('p', { class: 'grant-summary', 'aria-live': 'polite' });
  const fields = createFields(options, refresh);
  const confirm = button({
    label: 'Approve and Allow for This Session',
    icon: 'check-all',
    kind: 'primary',
    onClick: submit,
  });

  function submit(): void {
    const offer = readOffer(fields);
    if (offer === undefined)
      Object.values(fields)
        .find((field) => field.value === undefined)
        ?.focus();
    else options.onGrant(offer);
  }

  function refresh(): void {
    const offer = readOffer(fields);
    const terms = offer === undefined ? ['Correct the numbers below first.'] : describeTerms(offer, options);
    summary.replaceChildren(...terms);
  }

  refresh();
  return {
    element: element(
      'section',
      { class: 'grant', 'aria-label': 'Allow for this session' },
      element('h2', { text: 'Allow for this session' }),
      summary,
      element('div', { class: 'field-row' }, ...Object.values(fields).map((field) => field.element)),
      element('div', { class: 'buttons' }, confirm, button({ label: 'Cancel', onClick: options.onCancel })),
    ),
    confirm,
    submit,
    refresh,
    focus: () => fields.requests.focus(),
  };
}

type Fields = Readonly<Record<keyof GrantOffer, NumberField>>;

/** The fields, in the order of the form. */
function createFields(options: GrantFormOptions, onChange: () => void): Fields {
  return {
    requests: createNumberField({
      label: 'Further requests',
      value: defaults.requests,
      ...grantLimits.requests,
      onChange,
    }),
    minutes: createNumberField({ label: 'Minutes', value: defaults.minutes, ...grantLimits.minutes, onChange }),
    maxCharacters: createNumberField({
      label: 'Characters for each',
      value: roundUpCharacters(options.textCharacters),
      ...grantLimits.characters,
      onChange,
    }),
    maxTokens: createNumberField({
      label: 'Tokens for each',
      value: options.maxTokens,
      minimum: 1,
      maximum: options.maxTokens,
      onChange,
    }),
  };
}

function readOffer(fields: Fields): GrantOffer | undefined {
  const [requests, minutes, maxCharacters, maxTokens] = [
    fields.requests.value,
    fields.minutes.value,
    fields.maxCharacters.value,
    fields.maxTokens.value,
  ];
  const isWhole =
    requests !== undefined && minutes !== undefined && maxCharacters !== undefined && maxTokens !== undefined;
  return isWhole ? { requests, minutes, maxCharacters, maxTokens } : undefined;
}

/** Rounds up to the next 1,000, so that the grant covers a slightly longer request of the same kind. */
function roundUpCharacters(characters: number): number {
  const { maximum } = grantLimits.characters;
  return Math.min(maximum, Math.max(1_000, Math.ceil(characters / 1_000) * 1_000));
}

function describeTerms(offer: GrantOffer, options: GrantFormOptions): (Node | string)[] {
  const count = countOf(offer.requests, 'more request');
  const model = options.modelName() || 'the chosen model';
  return [
    'This request is approved as it stands. After it, ',
    exactText(options.server, 'exact inline strong'),
    ` may send ${count} to ${model} within ${countOf(offer.minutes, 'minute')}, `,
    `each with the system prompt of this request, up to ${countOf(offer.maxCharacters, 'character')} of text, no tools and no files, `,
    `and up to ${countOf(offer.maxTokens, 'token')} for the answer. You will not see those requests or their answers first. `,
    'Requests beyond these limits are shown to you as usual. ',
    'They are listed in the audit log, and it all ends when the server stops or this window closes.',
  ];
}
