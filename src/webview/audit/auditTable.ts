import { limits } from '../../base/limits.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import {
  actionName,
  amountOf,
  type AuditRow,
  deciderName,
  formatCost,
  isModelRequest,
  modelOf,
  outcomeGroup,
  subjectOf,
} from '../../shared/auditView.ts';
import { type Child, countOf, element, exactText, fill, formatNumber, icon, inlineText, uniqueId } from '../dom.ts';
import { type Column, createRecordTable, shortText } from '../records/recordTable.ts';

const columns: readonly Column[] = [
  ['Time'],
  ['Server'],
  ['What'],
  ['Outcome'],
  ['Decided by'],
  ['Model'],
  ['Tokens in / out', 'number'],
  ['Cost', 'number'],
];

export function createAuditTable() {
  // One for all rows: making it takes longer than using it.
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' });
  const made = createRecordTable<AuditRow>({ label: 'Records', columns, draw: (row) => recordBody(row, format) });
  return {
    ...made,
    show(rows: readonly AuditRow[]): void {
      // Their columns would be empty.
      made.table.classList.toggle('has-no-models', !rows.some(isModelRequest));
      made.show(rows);
    },
  };
}

/** A record: the line, and below it all details, drawn when they are first opened. */
function recordBody(row: AuditRow, format: Intl.DateTimeFormat): HTMLElement {
  const id = uniqueId('details');
  const chevron = icon('chevron-right');
  const toggle = element(
    'button',
    { type: 'button', class: 'toggle', 'aria-expanded': 'false', 'aria-controls': id, onclick: open },
    chevron,
    timeElement(row.time, format),
  );
  const cell = element('td', { colspan: columns.length });
  const details = element('tr', { id, class: 'details', hidden: true }, cell);

  function open(): void {
    details.hidden = !details.hidden;
    if (!cell.hasChildNodes()) fill(cell, detailElements(row));
    toggle.setAttribute('aria-expanded', String(!details.hidden));
    chevron.className = `codicon codicon-chevron-${details.hidden ? 'right' : 'down'}`;
  }

  const line = element('tr', {}, element('th', { scope: 'row' }, toggle), cellsOf(row));
  return element('tbody', {}, line, details);
}

function timeElement(time: string, format: Intl.DateTimeFormat): HTMLElement {
  const milliseconds = Date.parse(time);
  if (Number.isNaN(milliseconds)) return shortText(time);
  return element('time', { datetime: new Date(milliseconds).toISOString(), text: format.format(milliseconds) });
}

const outcomeIcons = { allowed: 'check', refused: 'circle-slash', failed: 'error' } as const;

function cellsOf(row: AuditRow): readonly HTMLElement[] {
  const group = outcomeGroup(row);
  const subject = subjectOf(row);
  const what = [shortText(actionName(row.action)), subject !== '' && [': ', shortText(subject)]];
  const outcome = element('span', { class: `outcome ${group}` }, icon(outcomeIcons[group]), shortText(row.outcome));
  const cost = amountOf(row, 'cost');
  return [
    element('td', {}, shortText(row.server)),
    element('td', {}, what),
    element('td', {}, outcome),
    element('td', {}, shortText(deciderName(row))),
    element('td', {}, shortText(isModelRequest(row) ? modelOf(row) : '')),
    element('td', { class: 'number', text: tokensOf(row) }),
    element('td', { class: 'number', text: cost === undefined ? '' : formatCost(cost) }),
  ];
}

/** "about 1,200 / 340" */
function tokensOf(row: AuditRow): string {
  const [input, output] = [amountOf(row, 'inputTokens'), amountOf(row, 'outputTokens')];
  if (input === undefined && output === undefined) return '';
  const about = row.detail['tokensAreEstimated'] === true ? 'about ' : '';
  return `${about}${[input, output].map((count) => (count === undefined ? '?' : formatNumber(count))).join(' / ')}`;
}

const detailNames: ReadonlyMap<string, string> = new Map([
  ['by', 'Decided by'],
  ['rule', 'Rule'],
  ['cause', 'Cause'],
  ['reason', 'Reason'],
  ['model', 'Model'],
  ['modelName', 'Name of the model'],
  ['destination', 'Sent to'],
  ['messages', 'Messages'],
  ['maxTokens', 'Token limit'],
  ['inputTokens', 'Tokens in'],
  ['outputTokens', 'Tokens out'],
  ['tokensAreEstimated', 'Tokens are estimated'],
  ['cost', 'Cost in US dollars'],
  ['marked', 'Secrets marked'],
  ['masked', 'Secrets masked'],
  ['round', 'Round'],
  ['requestDigest', 'SHA-256 of the request'],
  ['sentDigest', 'SHA-256 of what was sent'],
  ['answerDigest', 'SHA-256 of the answer'],
  ['request', 'Request'],
  ['answer', 'Answer'],
]);

const bodies: readonly string[] = ['request', 'answer'];

function detailElements({ time, server, outcome, detail }: AuditRow): Child {
  const facts = Object.entries(detail).filter(([name]) => !bodies.includes(name));
  return [
    element(
      'dl',
      { class: 'facts' },
      fact('Time', time),
      fact('Server', server),
      fact('Outcome', outcome),
      facts.map(([name, value]) => fact(detailNames.get(name) ?? name, value)),
    ),
    bodies.map((name) => {
      const text = detail[name];
      return typeof text === 'string' && bodyElement(detailNames.get(name) ?? name, text);
    }),
  ];
}

function fact(name: string, value: string | number | boolean): HTMLElement {
  const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
  return element(
    'div',
    { class: 'fact' },
    element('dt', {}, inlineText(name)),
    element('dd', {}, exactText(truncateWithCount(text, limits.shown.text))),
  );
}

function bodyElement(name: string, text: string): HTMLElement {
  return element(
    'details',
    { class: 'body' },
    element('summary', { text: `${name}, ${countOf(text.length, 'character')}` }),
    exactText(truncateWithCount(text, limits.shown.text), 'exact code'),
  );
}
