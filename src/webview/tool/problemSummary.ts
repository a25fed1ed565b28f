import type { ShownProblem } from '../form/schemaForm.ts';
import { countOf, element, exactText, icon } from '../dom.ts';

/** Problems that are listed; the others are counted. */
const maximumListed = 20;

/** The list above the form of what is wrong in it; each entry leads to its field. */
export interface ProblemSummary {
  readonly element: HTMLElement;
  /** @param note why the arguments were not checked */
  show(problems: readonly ShownProblem[], note: string | undefined): void;
  focus(): void;
}

/** Creates an empty summary, which is hidden. */
export function createProblemSummary(): ProblemSummary {
  const heading = element('h2', { tabindex: -1 });
  const list = element('ul');
  const noted = element('p', { class: 'hint' });
  const box = element('section', { class: 'problems banner warning', 'aria-label': 'Problems' }, icon('warning'));
  const content = element('div', {}, heading, list, noted);
  box.append(content);
  box.hidden = true;
  return {
    element: box,
    show(problems, note) {
      box.hidden = problems.length === 0 && note === undefined;
      heading.textContent =
        problems.length === 0 ? 'Not checked' : `${countOf(problems.length, 'problem')} in the arguments`;
      list.replaceChildren(...problems.slice(0, maximumListed).map(entryOf));
      const left = problems.length - maximumListed;
      noted.textContent = [note ?? '', left > 0 ? `${countOf(left, 'more problem')}.` : ''].join(' ').trim();
    },
    focus: () => heading.focus(),
  };
}

function entryOf(problem: ShownProblem): HTMLElement {
  const { label, message } = problem;
  const link = element('button', { type: 'button', class: 'link' }, exactText(label, 'exact inline'));
  link.addEventListener('click', () => problem.focus());
  return element('li', {}, link, ' ', exactText(message, 'exact inline'));
}
