import type { ToolClaim, ToolView } from '../../shared/toolMessages.ts';
import { button, element, exactText, icon, plainText, uniqueId } from '../dom.ts';

/** Characters and lines of a description that are shown before it is unfolded. */
const shortDescription = { characters: 400, lines: 12 };

/** What is above the form: what the tool is called, what its server says of it, and what to know before a call. */
export function headerElements(view: ToolView): readonly HTMLElement[] {
  const { title, name, server, taskSupport, app, notices } = view;
  const names = title === name ? [] : [' · ', exactText(name, 'exact inline')];
  return [
    element('div', { class: 'title-row' }, icon('tools'), element('h1', {}, exactText(title, 'exact inline'))),
    element('p', { class: 'lead' }, 'Tool of ', exactText(server, 'exact inline strong'), ...names),
    ...descriptionElements(view.description),
    ...claimElements(view.claims),
    ...[taskSupport, app]
      .map((text) => (text === undefined ? '' : element('p', { class: 'hint', text })))
      .filter((each) => each !== ''),
    ...notices.map((notice) => element('p', { class: 'banner info' }, icon('info'), exactText(notice, 'exact inline'))),
  ];
}

function descriptionElements(text: string | undefined): readonly HTMLElement[] {
  if (text === undefined || text.trim() === '') return [];
  const whole = plainText(text);
  const id = uniqueId('description');
  whole.id = id;
  const { characters, lines } = shortDescription;
  if (text.length <= characters && text.split('\n').length <= lines) return [whole];
  whole.classList.add('is-folded');
  const more = button({
    label: 'Show More',
    icon: 'chevron-down',
    kind: 'quiet',
    onClick() {
      const isOpen = !whole.classList.toggle('is-folded');
      more.setAttribute('aria-expanded', String(isOpen));
      more.querySelector('span:last-child')?.replaceChildren(isOpen ? 'Show Less' : 'Show More');
    },
  });
  more.setAttribute('aria-expanded', 'false');
  more.setAttribute('aria-controls', id);
  return [whole, more];
}

function claimElements(claims: readonly ToolClaim[]): readonly HTMLElement[] {
  if (claims.length === 0) return [];
  const items = claims.map(({ icon: name, label, detail }) =>
    element('li', { class: 'claim', title: detail }, icon(name), element('span', { text: label })),
  );
  return [
    element(
      'div',
      { class: 'claims' },
      element('span', { class: 'muted', text: 'The server claims:' }),
      element('ul', { 'aria-label': 'What the server claims of this tool' }, ...items),
    ),
  ];
}
