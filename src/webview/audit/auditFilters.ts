import { readableText } from '../../base/visibleText.ts';
import {
  actionName,
  type AuditFilter,
  auditPeriods,
  type AuditRow,
  type OutcomeGroup,
} from '../../shared/auditView.ts';
import { checkBox } from '../dom.ts';
import { createChoice, createFilterBar, namesOf, type Option } from '../records/filterBar.ts';

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
  const server = createChoice<string>('Server', [['', 'All servers']]);
  const action = createChoice<string>('What', [['', 'Everything']]);
  const outcome = createChoice('Outcome', outcomes);
  const period = createChoice('Period', periods);
  const modelOnly = checkBox('Only requests for a model');
  const { input } = modelOnly;
  const bar = createFilterBar({
    choices: [server, action, outcome, period],
    more: { element: modelOnly.element, isActive: () => input.checked, clear: () => (input.checked = false) },
    onChange,
  });
  return {
    element: bar.element,
    isActive: bar.isActive,
    clear: bar.clear,
    filter: (now: number): AuditFilter => ({
      text: bar.text,
      server: server.value,
      action: action.value,
      outcome: outcome.value,
      since: auditPeriods[period.value](now),
      isModelOnly: input.checked,
    }),
    /** Offers the servers and actions of `rows`. What is chosen stays. */
    offer(rows: readonly AuditRow[]): void {
      server.offer(namesOf(rows.map((row) => row.server)).map((name) => [name, readableText(name)]));
      action.offer(namesOf(rows.map((row) => row.action)).map((name) => [name, readableText(actionName(name))]));
    },
  };
}
