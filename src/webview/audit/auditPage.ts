import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { AuditFromPanel, AuditToPanel } from '../../shared/auditMessages.ts';
import { type AuditRow, filterAudit } from '../../shared/auditView.ts';
import { button, element, formatNumber } from '../dom.ts';
import { connectToExtension } from '../extensionConnection.ts';
import { createRecordCount } from '../records/recordCount.ts';
import { createAuditFilters } from './auditFilters.ts';
import { createAuditTable } from './auditTable.ts';
import { createAuditTotals } from './auditTotals.ts';

const nothingText =
  'Nothing yet. Requests for a model, questions, shared folders, calls, reads and sign-ins appear here.';

export class AuditPage {
  readonly #host = connectToExtension<AuditFromPanel>((message: AuditToPanel) => this.#receive(message));
  readonly #clock: Clock;
  readonly #filters = createAuditFilters(() => {
    this.#table.reset();
    this.#draw();
    this.#count.announce();
  });
  readonly #table = createAuditTable();
  readonly #totals = createAuditTotals();
  readonly #count = createRecordCount({
    noun: 'record',
    empty: (kind) =>
      kind === 'nothing'
        ? { icon: 'list-unordered', text: nothingText }
        : {
            icon: 'filter',
            text: 'No records match these filters.',
            more: button({ label: 'Show All Records', onClick: () => this.#filters.clear() }),
          },
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
    const { count, status, empty } = this.#count;
    const above = [this.#filters.element, this.#totals.element, count, status];
    const main = element('main', {}, above, empty, this.#table.element);
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
      title: 'Reload the log, including records of other windows',
      onClick: () => this.#host.send({ type: 'refresh' }),
    });
    const exportListed = button({ label: 'Export…', icon: 'save-as', kind: 'quiet', onClick: () => this.#export() });
    const lead = 'Everything servers requested and received, newest first.';
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
    this.#count.announce();
  }

  #draw(): void {
    const rows = this.#rows;
    this.#filters.offer(rows);
    this.#listed = filterAudit(rows, this.#filters.filter(this.#clock.now()));
    this.#totals.show(this.#listed);
    this.#table.show(this.#listed);
    const cut = rows.length < limits.audit.shown ? '' : ` (the newest ${formatNumber(limits.audit.shown)})`;
    this.#count.show(this.#listed.length, rows.length, cut);
    this.#exportAll.hidden = !this.#filters.isActive();
    for (const each of [this.#table.element, this.#totals.element]) each.hidden = this.#listed.length === 0;
  }

  #export(): void {
    const filter = this.#filters.isActive() ? this.#filters.filter(this.#clock.now()) : undefined;
    this.#host.send({ type: 'export', filter });
  }
}

function newest(rows: readonly AuditRow[]): readonly AuditRow[] {
  return rows.slice(-limits.audit.shown);
}
