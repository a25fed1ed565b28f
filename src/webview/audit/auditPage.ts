import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { AuditFromPanel, AuditToPanel } from '../../shared/auditMessages.ts';
import { type AuditRow, filterAudit } from '../../shared/auditView.ts';
import { button, countOf, drawChanges, element, fill, formatNumber, icon } from '../dom.ts';
import { connectToExtension } from '../extensionConnection.ts';
import { createAuditFilters } from './auditFilters.ts';
import { createAuditTable } from './auditTable.ts';
import { createAuditTotals } from './auditTotals.ts';

export class AuditPage {
  readonly #host = connectToExtension<AuditFromPanel>((message: AuditToPanel) => this.#receive(message));
  readonly #clock: Clock;
  readonly #filters = createAuditFilters(() => {
    this.#table.reset();
    this.#draw();
    this.#announce();
  });
  readonly #table = createAuditTable();
  readonly #totals = createAuditTotals();
  readonly #count = element('p', { class: 'count muted' });
  /** Says the count to screen readers, after what the person did only: new records may come twice a second. */
  readonly #status = element('p', { class: 'screen-reader-only', role: 'status' });
  readonly #empty = element('div', { class: 'empty', hidden: true });
  readonly #drawEmpty = drawChanges((kind: 'listed' | 'nothing' | 'filtered') => {
    const text =
      kind === 'nothing'
        ? 'Nothing yet. Requests for a model, questions, folders given, calls, reads and sign-ins appear here.'
        : 'No record passes these filters.';
    const clear = { label: 'Show All Records', onClick: () => this.#filters.clear() };
    const sign = icon(kind === 'nothing' ? 'list-unordered' : 'filter');
    fill(this.#empty, kind !== 'listed' && [sign, element('p', { text }), kind === 'filtered' && button(clear)]);
  });
  readonly #exportAll = button({
    label: 'Export All…',
    icon: 'export',
    kind: 'quiet',
    onClick: () => this.#host.send({ type: 'export', filter: undefined }),
  });
  /** Oldest first. */
  #rows: readonly AuditRow[] = [];
  /** The parts of all records that have come so far. */
  #parts: AuditRow[] = [];
  #listed: readonly AuditRow[] = [];

  constructor(root: HTMLElement, clock: Clock) {
    this.#clock = clock;
    const above = [this.#filters.element, this.#totals.element, this.#count, this.#status];
    const main = element('main', {}, above, this.#empty, this.#table.element);
    root.append(this.#header(), main);
  }

  start(): void {
    this.#host.send({ type: 'ready' });
  }

  #header(): HTMLElement {
    const refresh = button({
      label: 'Refresh',
      icon: 'refresh',
      kind: 'quiet',
      title: 'Reads the log again, with what other windows have added',
      onClick: () => this.#host.send({ type: 'refresh' }),
    });
    const exportListed = button({ label: 'Export…', icon: 'save-as', kind: 'quiet', onClick: () => this.#export() });
    const lead = 'What servers asked for and got, newest first. New records appear by themselves.';
    const toolbar = { class: 'toolbar', role: 'toolbar', 'aria-label': 'Actions for the log' };
    return element(
      'header',
      { class: 'page-header' },
      element('div', { class: 'title-row' }, element('h1', { text: 'Audit Log' })),
      element('p', { class: 'lead', text: lead }),
      element('div', toolbar, refresh, exportListed, this.#exportAll),
    );
  }

  #receive(message: AuditToPanel): void {
    if (message.type === 'added') {
      this.#rows = newest([...this.#rows, ...message.records]);
      return this.#draw();
    }
    if (message.type !== 'records') return;
    if (message.isFirst) this.#parts = [];
    this.#parts.push(...message.records);
    if (!message.isLast) return;
    this.#rows = newest(this.#parts);
    this.#parts = [];
    this.#draw();
    this.#announce();
  }

  #draw(): void {
    const rows = this.#rows;
    this.#filters.offer(rows);
    this.#listed = filterAudit(rows, this.#filters.filter(this.#clock.now()));
    this.#totals.show(this.#listed);
    this.#table.show(this.#listed);
    const [listed, all] = [this.#listed.length, countOf(rows.length, 'record')];
    const cut = rows.length < limits.audit.shown ? '' : ` (the newest ${formatNumber(limits.audit.shown)})`;
    this.#count.textContent = `${listed === rows.length ? all : `${formatNumber(listed)} of ${all}`}${cut}`;
    this.#exportAll.hidden = !this.#filters.isActive();
    const isEmpty = this.#listed.length === 0;
    for (const each of [this.#table.element, this.#totals.element, this.#count]) each.hidden = isEmpty;
    this.#empty.hidden = !isEmpty;
    this.#drawEmpty(!isEmpty ? 'listed' : rows.length === 0 ? 'nothing' : 'filtered');
  }

  #announce(): void {
    const shown = this.#listed.length > 0 ? this.#count : this.#empty.querySelector('p');
    this.#status.textContent = shown?.textContent ?? '';
  }

  #export(): void {
    const filter = this.#filters.isActive() ? this.#filters.filter(this.#clock.now()) : undefined;
    this.#host.send({ type: 'export', filter });
  }
}

function newest(rows: readonly AuditRow[]): readonly AuditRow[] {
  return rows.slice(-limits.audit.shown);
}
