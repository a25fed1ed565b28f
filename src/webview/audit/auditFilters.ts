import { readableText } from '../../base/visibleText.ts';
import {
  actionName,
  type AuditFilter,
  auditPeriods,
  type AuditRow,
  type OutcomeGroup,
} from '../../shared/auditView.ts';
import { button, checkBox, drawChanges, element, fill, selectBox, uniqueId } from '../dom.ts';

type Option<Value extends string> = readonly [value: Value, label: string];

const outcomes: readonly Option<OutcomeGroup | ''>[] = [
  ['', 'Any outcome'],
  ['allowed', 'Allowed'],
  ['refused', 'Refused or cancelled'],
  ['failed', 'Failed'],
];

const periods: readonly Option<keyof typeof auditPeriods>[] = [
  ['all', 'All time'],
  ['hour', 'Last hour'],
  ['today', 'Today'],
  ['week', 'Last 7 days'],
];

/** The fields above the table. @param onChange called after each change by the person */
export function createAuditFilters(onChange: () => void) {
  const id = uniqueId('filter');
  const text = element('input', { id, type: 'search', spellcheck: 'false', autocomplete: 'off' });
  const server = createChoice<string>('Server', [['', 'All servers']]);
  const action = createChoice<string>('What', [['', 'Everything']]);
  const outcome = createChoice('Outcome', outcomes);
  const period = createChoice('Period', periods);
  const modelOnly = checkBox('Only requests for a model');
  const choices = [server, action, outcome, period];
  const clearButton = button({ label: 'Clear Filters', icon: 'clear-all', kind: 'quiet', onClick: clear });

  /** Some records may be left out. */
  const isActive = (): boolean =>
    text.value.trim() !== '' || modelOnly.input.checked || choices.some(({ select }) => select.selectedIndex > 0);

  function changed(): void {
    clearButton.disabled = !isActive();
    onChange();
  }

  function clear(): void {
    text.value = '';
    modelOnly.input.checked = false;
    for (const { select } of choices) select.selectedIndex = 0;
    text.focus();
    changed();
  }

  clearButton.disabled = true;
  return {
    element: element(
      'section',
      { class: 'filters', 'aria-label': 'Filters', oninput: changed },
      element('div', { class: 'field search' }, element('label', { for: id, text: 'Search' }), text),
      choices.map((choice) => choice.element),
      element('div', { class: 'filter-end' }, modelOnly.element, clearButton),
    ),
    filter: (now: number): AuditFilter => ({
      text: text.value,
      server: server.value,
      action: action.value,
      outcome: outcome.value,
      since: auditPeriods[period.value](now),
      isModelOnly: modelOnly.input.checked,
    }),
    isActive,
    /** Offers the servers and actions of `rows`. What is chosen stays. */
    offer(rows: readonly AuditRow[]): void {
      server.offer(namesOf(rows.map((row) => row.server)).map((name) => [name, readableText(name)]));
      action.offer(namesOf(rows.map((row) => row.action)).map((name) => [name, readableText(actionName(name))]));
    },
    /** Lists all again, and moves the focus to the first field. */
    clear,
  };
}

function namesOf(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== '').toSorted();
}

/**
 * A native list. Its values are looked up by position: a name of a server with odd white space stays what it is.
 * @param first options that are always offered
 */
function createChoice<Value extends string>(label: string, first: readonly Option<Value>[]) {
  const id = uniqueId('filter');
  const select = element('select', { id });
  let options: readonly Option<Value>[] = [];
  const draw = drawChanges((wanted: readonly Option<Value>[]) => {
    const chosen = options[select.selectedIndex];
    options = wanted;
    fill(
      select,
      wanted.map(([value, text]) => element('option', { value, text })),
    );
    const index = wanted.findIndex(([value]) => value === chosen?.[0]);
    select.selectedIndex = Math.max(0, index);
  });

  /** Replaces the options. A value that was chosen stays, even if it is no longer offered. */
  function offer(others: readonly Option<Value>[]): void {
    const chosen = options[select.selectedIndex];
    const isKept = chosen !== undefined && ![...first, ...others].some(([value]) => value === chosen[0]);
    draw([...first, ...others, ...(isKept ? [chosen] : [])]);
  }

  offer([]);
  return {
    element: element('div', { class: 'field' }, element('label', { for: id, text: label }), selectBox(select)),
    select,
    get value(): Value {
      return (options[select.selectedIndex] ?? options[0])?.[0] as Value;
    },
    offer,
  };
}
