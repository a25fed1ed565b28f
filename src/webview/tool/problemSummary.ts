import { countOf, element, fill, icon, inlineText, linkButton } from '../dom.ts';
import type { ShownProblem } from '../form/schemaForm.ts';

/** Problems that are listed; the others are counted. */
const maximumListed = 20;

/** The list above the form of what is wrong in it, each with the way to its field; hidden where nothing is. */
export function createProblemSummary() {
  const heading = element('h2', { tabindex: -1 });
  const list = element('ul');
  const noted = element('p', { class: 'hint' });
  const box = element(
    'section',
    { class: 'problems banner warning', 'aria-label': 'Problems', hidden: true },
    icon('warning'),
    element('div', {}, heading, list, noted),
  );
  return {
    element: box,
    /** @param note why the arguments were not checked */
    show(problems: readonly ShownProblem[], note = ''): void {
      box.hidden = problems.length === 0 && note === '';
      heading.textContent =
        problems.length === 0 ? 'Not checked' : `${countOf(problems.length, 'problem')} in the arguments`;
      fill(list, problems.slice(0, maximumListed).map(entryElement));
      const left = problems.length - maximumListed;
      noted.textContent = `${note} ${left > 0 ? `${countOf(left, 'more problem')}.` : ''}`.trim();
    },
    focus: () => heading.focus(),
  };
}

function entryElement({ label, message, focus }: ShownProblem): HTMLElement {
  return element('li', {}, linkButton(focus, inlineText(label)), ' ', inlineText(message));
}
