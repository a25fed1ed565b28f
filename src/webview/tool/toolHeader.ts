import type { ToolClaim, ToolFinding, ToolView } from '../../shared/toolMessages.ts';
import {
  banner,
  button,
  type Child,
  countOf,
  descriptionText,
  element,
  icon,
  inlineText,
  linkButton,
  relabel,
  uniqueId,
} from '../dom.ts';

/** Characters and lines of a description that are shown before it is unfolded. */
const shortDescription = { characters: 400, lines: 12 };

/** What is above the form: what the tool is called, what its server says of it, and what to know before a call. */
export function headerElements(
  { title, name, server, description, taskSupport, app, ...view }: ToolView,
  openSource: (url: string) => void,
): Child {
  return [
    element('div', { class: 'title-row' }, icon('tools'), element('h1', {}, inlineText(title))),
    element(
      'p',
      { class: 'lead' },
      'Tool of ',
      inlineText(server, 'strong'),
      title !== name && [' · ', inlineText(name)],
    ),
    descriptionElements(description),
    claimElements(view.claims),
    findingElements(view.findings ?? [], openSource),
    [taskSupport, app].map((text) => text !== undefined && element('p', { class: 'hint', text })),
    view.notices.map((notice) => banner('info', inlineText(notice))),
  ];
}

function descriptionElements(text = ''): Child {
  if (text.trim() === '') return undefined;
  const whole = descriptionText(text);
  whole.id = uniqueId('description');
  const { characters, lines } = shortDescription;
  if (text.length <= characters && text.split('\n').length <= lines) return whole;
  whole.classList.add('is-folded');
  const toggle = (): void => {
    const isOpen = !whole.classList.toggle('is-folded');
    more.setAttribute('aria-expanded', String(isOpen));
    relabel(more, isOpen ? 'Show Less' : 'Show More');
  };
  const more = button({ label: 'Show More', icon: 'chevron-down', kind: 'quiet', onClick: toggle });
  more.setAttribute('aria-expanded', 'false');
  more.setAttribute('aria-controls', whole.id);
  return [whole, more];
}

function claimElements(claims: readonly ToolClaim[]): Child {
  if (claims.length === 0) return undefined;
  const items = claims.map(({ icon: name, label, detail }) =>
    element('li', { class: 'claim', title: detail }, icon(name), element('span', { text: label })),
  );
  return element(
    'div',
    { class: 'claims' },
    element('span', { class: 'muted', text: 'The server claims:' }),
    element('ul', { 'aria-label': 'What the server claims about this tool' }, items),
  );
}

/** What other hosts would do with the tool, folded: it matters to those who build the server. */
function findingElements(findings: readonly ToolFinding[], openSource: (url: string) => void): Child {
  if (findings.length === 0) return undefined;
  const items = findings.map(({ isRefused, text, sources }) =>
    element(
      'li',
      { class: 'finding' },
      icon(isRefused ? 'warning' : 'info'),
      element(
        'span',
        {},
        inlineText(text),
        sources.map(({ title, url }) => [' ', linkButton(() => openSource(url), title)]),
      ),
    ),
  );
  return element(
    'details',
    { class: 'findings' },
    element('summary', { text: `${countOf(findings.length, 'finding')} for other hosts` }),
    element('ul', { 'aria-label': 'Findings for other hosts' }, items),
  );
}
