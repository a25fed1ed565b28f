import {
  type FactsAction,
  type FactsFromPanel,
  type FactsOutcome,
  type FactsPart,
  type FactsSection,
  type FactsSummary,
  type FactsToPanel,
  type FactsView,
  outcomeWords,
  type ShownFact,
} from '../../shared/factsMessages.ts';
import {
  arrange,
  button,
  type Child,
  drawChanges,
  element,
  exactText,
  fill,
  icon,
  inlineText,
  linkButton,
  linkPlaces,
} from '../dom.ts';
import { createDecisionGuard } from '../decisionGuard.ts';
import { connectToExtension } from '../extensionConnection.ts';

const header = element('header', { class: 'page-header' });
const summary = element('div', { class: 'summary', role: 'status' });
const main = element('main');
const host = connectToExtension<FactsFromPanel>(({ type, view, isUpdate, places: found, kept }: FactsToPanel) => {
  if (type !== 'show') return;
  host.setState(kept);
  const before = new Map(buttonsNow().map((each) => [placeOf(each), isWaiting(each)]));
  places = found;
  drawHeader([view.title, view.lead, view.actions]);
  drawSummary(view.summary);
  drawSections(view.sections);
  if (!isUpdate) window.scrollTo(0, 0);
  for (const each of buttonsNow()) setWaiting(each, before.get(placeOf(each)) ?? true);
  if (buttonsNow().some((each) => !before.has(placeOf(each)))) guard.restartDelay();
});

/** Findings arrive while the person presses: a button that is new, or has moved, waits until it can have been seen there. */
const guard = createDecisionGuard(
  (isEnabled) => isEnabled && buttonsNow().forEach((each) => setWaiting(each, false)),
  () => undefined,
);
document.addEventListener(
  'click',
  (event) => {
    const pressed = event.target instanceof Element && event.target.closest('button');
    if (pressed instanceof Element && isWaiting(pressed)) event.stopPropagation();
  },
  { capture: true },
);
document.body.append(header, summary, main);
host.send({ type: 'ready' });

/** In files of the workspace. */
let places: FactsToPanel['places'] = [];

/** Of what has just been drawn. */
function withPlaces<Drawn extends HTMLElement>(drawn: Drawn): Drawn {
  linkPlaces(drawn, places, (index) => host.send({ type: 'openPlace', index }));
  return drawn;
}

const drawHeader = drawChanges(([title, lead, actions]: [string, string | undefined, FactsView['actions']]) => {
  const attributes = { class: 'toolbar', role: 'toolbar', 'aria-label': 'Actions for this page' };
  refill(
    header,
    element('div', { class: 'title-row' }, element('h1', {}, inlineText(title))),
    lead !== undefined && element('p', { class: 'lead' }, inlineText(lead)),
    actions.length > 0 && element('div', attributes, buttons(actions, 'quiet')),
  );
});

const drawSummary = drawChanges((shown: FactsSummary | undefined) => {
  refill(summary, shown && withPlaces(summaryElement(shown)));
});

const drawSections = drawChanges((sections: readonly FactsSection[]) => {
  // A section that is the same stays, with the focus, and with what is open in it.
  const before = new Map(Array.from(main.children, (each) => [(each as HTMLElement).dataset['drawn'], each]));
  const wanted = sections.map((section) => {
    const drawn = JSON.stringify(section);
    const kept = before.get(drawn);
    before.delete(drawn);
    if (kept !== undefined) return kept as HTMLElement;
    const made = withPlaces(sectionElement(section));
    made.dataset['drawn'] = drawn;
    return made;
  });
  arrange(main, wanted);
});

/** The focus stays on the button of the same name in it, else on the first. */
function refill(target: HTMLElement, ...children: readonly Child[]): void {
  const focused = target.contains(document.activeElement) ? document.activeElement?.textContent : undefined;
  fill(target, ...children);
  if (focused === undefined) return;
  const all = Array.from(target.querySelectorAll('button'));
  (all.find(({ textContent }) => textContent === focused) ?? all[0])?.focus();
}

function buttonsNow(): readonly HTMLButtonElement[] {
  return Array.from(document.querySelectorAll('button'));
}

/** What the button does, and where. */
function placeOf(target: HTMLButtonElement): string {
  const { left, top } = target.getBoundingClientRect();
  return [target.textContent, Math.round(left), Math.round(top)].join(' ');
}

function isWaiting(target: Element): boolean {
  return target.getAttribute('aria-disabled') === 'true';
}

/** Not disabled, which would take the focus away. */
function setWaiting(target: HTMLButtonElement, waits: boolean): void {
  if (waits) target.setAttribute('aria-disabled', 'true');
  else target.removeAttribute('aria-disabled');
}

const summaryIcons = { info: 'info', error: 'error', working: 'loading codicon-modifier-spin' } as const;

function summaryElement({ kind, text, actions }: FactsSummary): HTMLElement {
  return element(
    'div',
    { class: `banner ${kind === 'error' ? 'error' : 'info'}` },
    icon(summaryIcons[kind]),
    element(
      'div',
      { class: 'summary-body' },
      exactText(text),
      actions.length > 0 && element('div', { class: 'buttons' }, buttons(actions)),
    ),
  );
}

const outcomeIcons: Readonly<Record<FactsOutcome, string>> = {
  fine: 'pass',
  notice: 'warning',
  problem: 'error',
  skipped: 'circle-slash',
};

function sectionElement({ title, outcome, parts, actions = [] }: FactsSection): HTMLElement {
  const mark = outcome && [
    icon(outcomeIcons[outcome]),
    element('span', { class: 'outcome-word', text: outcomeWords[outcome] }),
  ];
  return element(
    'section',
    { class: `facts-section${outcome === undefined ? '' : ` ${outcome}`}` },
    title !== undefined && element('div', { class: 'section-head' }, element('h2', {}, inlineText(title)), mark),
    parts.map(partElement),
    actions.length > 0 && element('div', { class: 'buttons' }, buttons(actions)),
  );
}

function partElement(part: FactsPart): Child {
  switch (part.kind) {
    case 'facts':
      return element('dl', { class: 'facts' }, part.facts.map(factElement));
    case 'list':
      return listElement(part.items);
    case 'text':
      return exactText(part.text);
    case 'code':
      return exactText(part.text, 'exact code');
    case 'folded':
      return element('details', {}, element('summary', { text: part.title }), listElement(part.items));
  }
}

function listElement(items: readonly string[]): HTMLElement {
  return element(
    'ul',
    { class: 'lines' },
    items.map((item) => element('li', {}, lineElement(item))),
  );
}

function factElement({ name, text, isLink = false }: ShownFact): HTMLElement {
  const shown = isLink
    ? linkButton(() => host.send({ type: 'openLink', uri: text }), inlineText(text))
    : lineElement(text);
  return element('div', { class: 'fact' }, element('dt', {}, inlineText(name)), element('dd', {}, shown));
}

/** A text of several lines, such as a stack trace, keeps them. */
function lineElement(text: string): HTMLElement {
  return text.includes('\n') ? exactText(text, 'exact code') : inlineText(text);
}

function buttons(actions: readonly FactsAction[], kind?: 'quiet'): readonly HTMLElement[] {
  return actions.map(({ id, label, icon: name }, index) =>
    button({
      label,
      icon: name,
      kind: kind ?? (index === 0 ? 'primary' : 'secondary'),
      onClick: () => host.send({ type: 'action', id }),
    }),
  );
}
