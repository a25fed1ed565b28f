import type { AuditFilter, AuditPeriod, AuditRow, OutcomeGroup } from '../../shared/auditView.ts';
import { actionName, periodStart } from '../../shared/auditView.ts';
import { readableText } from '../../base/visibleText.ts';
import { button, element, icon, uniqueId } from '../dom.ts';

type Option = readonly [value: string, label: string];

const outcomes: readonly (readonly [OutcomeGroup | '', string])[] = [
  ['', 'Any outcome'],
  ['allowed', 'Allowed'],
  ['refused', 'Refused or cancelled'],
  ['failed', 'Failed'],
];

const periods: readonly (readonly [AuditPeriod, string])[] = [
  ['all', 'All time'],
  ['hour', 'Last hour'],
  ['today', 'Today'],
  ['week', 'Last 7 days'],
];

/** The fields above the table. @param onChange called after each change by the person */
export function createAuditFilters(onChange: () => void) {
  const text = labelledInput('Search', 'search');
  const server = createChoice('Server');
  const action = createChoice('What');
  const outcome = createChoice('Outcome', outcomes);
  const period = createChoice('Period', periods);
  const modelOnly = labelledInput('Only requests for a model', 'checkbox');
  const choices = [server, action, outcome, period];
  const clearButton = button({ label: 'Clear Filters', icon: 'clear-all', kind: 'quiet', onClick: clear });

  const isActive = (): boolean =>
    text.input.value.trim() !== '' || modelOnly.input.checked || choices.some(({ select }) => select.selectedIndex > 0);

  function changed(): void {
    clearButton.disabled = !isActive();
    onChange();
  }

  function clear(): void {
    text.input.value = '';
    modelOnly.input.checked = false;
    for (const { select } of choices) select.selectedIndex = 0;
    text.input.focus();
    changed();
  }

  for (const field of [text.input, modelOnly.input, ...choices.map(({ select }) => select)])
    field.addEventListener('input', changed);
  clearButton.disabled = true;
  return {
    element: element(
      'section',
      { class: 'filters', 'aria-label': 'Filters' },
      element('div', { class: 'field search' }, text.label, text.input),
      ...choices.map((choice) => choice.element),
      element(
        'div',
        { class: 'filter-end' },
        element('div', { class: 'check' }, modelOnly.input, modelOnly.label),
        clearButton,
      ),
    ),
    /** What the fields say. @param now milliseconds since the epoch, at which a period ends */
    filter: (now: number): AuditFilter => ({
      text: text.input.value,
      server: server.value,
      action: action.value,
      outcome: outcome.value as OutcomeGroup | '',
      since: periodStart(period.value as AuditPeriod, now),
      isModelOnly: modelOnly.input.checked,
    }),
    /** Some records may be left out. */
    get isActive(): boolean {
      return isActive();
    },
    /** Offers the servers and actions of `rows`. What is chosen stays. */
    offer(rows: readonly AuditRow[]): void {
      const servers = namesOf(rows.map((row) => row.server));
      server.offer([['', 'All servers'], ...servers.map((name): Option => [name, readableText(name)])]);
      const actions = namesOf(rows.map((row) => row.action));
      action.offer([['', 'Everything'], ...actions.map((name): Option => [name, readableText(actionName(name))])]);
    },
    /** Lists all again, and moves the focus to the first field. */
    clear,
  };
}

function namesOf(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== '').toSorted();
}

function labelledInput(label: string, type: string): { input: HTMLInputElement; label: HTMLLabelElement } {
  const id = uniqueId('filter');
  const input = element('input', { id, type, spellcheck: 'false', autocomplete: 'off' });
  return { input, label: element('label', { for: id, text: label }) };
}

/** A native list. Its values are looked up by position: a name of a server with odd white space stays what it is. */
function createChoice(label: string, given: readonly Option[] = []) {
  const id = uniqueId('filter');
  const select = element('select', { id });
  let options: readonly Option[] = [];

  /** Replaces the options. A value that was chosen stays, even if it is no longer offered. */
  function offer(wanted: readonly Option[]): void {
    const chosen = options[select.selectedIndex];
    const isMissing = chosen !== undefined && !wanted.some(([value]) => value === chosen[0]);
    const next = isMissing ? [...wanted, chosen] : wanted;
    if (JSON.stringify(next) === JSON.stringify(options)) return;
    options = next;
    select.replaceChildren(...options.map(([value, text]) => element('option', { value, text })));
    select.selectedIndex = Math.max(
      0,
      options.findIndex(([value]) => value === chosen?.[0]),
    );
  }

  offer(given);
  return {
    element: element(
      'div',
      { class: 'field' },
      element('label', { for: id, text: label }),
      element('div', { class: 'select' }, select, icon('chevron-down')),
    ),
    select,
    get value(): string {
      return options[select.selectedIndex]?.[0] ?? '';
    },
    offer,
  };
}
