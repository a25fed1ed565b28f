import { type AuditRow, type AuditSum, formatCost, type NamedSum, sumUp } from '../../shared/auditView.ts';
import { type Child, countOf, element, fill, formatNumber, inlineText } from '../dom.ts';

/** Models, or servers, that are listed; the others are counted. */
const maximumNames = 20;

/** What the requests for a model among the listed records come to: a line and, folded, the sums for each model and server. */
export function createAuditTotals() {
  const line = element('ul', { class: 'totals-line' });
  const tables = element('div', { class: 'totals-tables' });
  const summary = element('summary', { text: 'By model and by server' });
  const details = element('details', { class: 'totals-details' }, summary, tables);
  const heading = element('h2', { text: 'Requests for a model' });
  return {
    element: element('section', { class: 'totals', 'aria-label': 'Totals' }, heading, line, details),
    show(rows: readonly AuditRow[]): void {
      const totals = sumUp(rows);
      const facts = totals.requests === 0 ? ['None in the listed records.'] : describeSum(totals);
      fill(
        line,
        facts.map((text) => element('li', { text })),
      );
      details.hidden = totals.requests === 0;
      fill(tables, sumTable('Model', totals.models), sumTable('Server', totals.servers));
    },
  };
}

/** Each part of the line, as "3 allowed by you". */
function describeSum(sum: AuditSum): readonly string[] {
  const { requests, byPerson, byRule, byOther, refused, failed } = sum;
  return [
    countOf(requests, 'request'),
    `${formatNumber(byPerson)} allowed by you`,
    `${formatNumber(byRule)} allowed by a rule`,
    ...(byOther === 0 ? [] : [`${formatNumber(byOther)} allowed in other ways`]),
    `${formatNumber(refused)} refused or cancelled`,
    ...(failed === 0 ? [] : [`${formatNumber(failed)} failed`]),
    ...(hasTokens(sum)
      ? [`${tokens(sum.inputTokens, sum)} in`, `${tokens(sum.outputTokens, sum)} out${unknownNote(sum.withoutTokens)}`]
      : ['Tokens: not known']),
    `Cost: ${costOf(sum)}`,
  ];
}

/** False where no answer says how many it took. */
function hasTokens({ withoutTokens, withCost, withoutCost }: AuditSum): boolean {
  return withoutTokens === 0 || withoutTokens < withCost + withoutCost;
}

function tokens(count: number, sum: AuditSum): string {
  return `${sum.isEstimated ? 'about ' : ''}${countOf(count, 'token')}`;
}

function costOf({ cost, withCost, withoutCost }: AuditSum): string {
  if (withCost === 0) return withoutCost === 0 ? 'none' : 'not known';
  return `${formatCost(cost)}${unknownNote(withoutCost)}`;
}

function unknownNote(count: number): string {
  return count === 0 ? '' : ` (not known for ${countOf(count, 'answer')})`;
}

const columns = ['Requests', 'By you', 'By a rule', 'Refused', 'Tokens in', 'Tokens out', 'Cost'];

function sumTable(kind: 'Model' | 'Server', sums: readonly NamedSum[]): Child {
  if (sums.length === 0) return undefined;
  const rows = sums.slice(0, maximumNames).map((sum) => {
    const cells = cellsOf(sum).map((text) => element('td', { class: 'number', text }));
    return element('tr', {}, element('th', { scope: 'row' }, inlineText(sum.name)), cells);
  });
  const left = sums.length - rows.length;
  const heads = columns.map((text) => element('th', { scope: 'col', class: 'number', text }));
  const name = `By ${kind.toLowerCase()}`;
  const table = element(
    'table',
    {},
    element('caption', { text: name }),
    element('thead', {}, element('tr', {}, element('th', { scope: 'col', text: kind }), heads)),
    element('tbody', {}, rows),
  );
  const note = left > 0 && element('p', { class: 'hint', text: `And ${formatNumber(left)} more.` });
  return element('div', { class: 'scrolled', tabindex: 0, role: 'group', 'aria-label': name }, table, note);
}

function cellsOf(sum: NamedSum): readonly string[] {
  const about = sum.isEstimated ? 'about ' : '';
  const amounts = [sum.inputTokens, sum.outputTokens].map((count) => `${about}${formatNumber(count)}`);
  return [
    ...[sum.requests, sum.byPerson, sum.byRule, sum.refused].map(formatNumber),
    ...(hasTokens(sum) ? amounts : ['not known', 'not known']),
    costOf(sum),
  ];
}
