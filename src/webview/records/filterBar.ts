import { button, type Child, drawChanges, element, fill, selectBox, uniqueId } from '../dom.ts';

export type Option<Value extends string> = readonly [value: Value, label: string];

interface FilterBarOptions {
  readonly choices: readonly Pick<ReturnType<typeof createChoice>, 'element' | 'select'>[];
  /** Stands before *Clear Filters*. */
  readonly more?: {
    readonly element: Child;
    readonly isActive: () => boolean;
    readonly clear: () => void;
  };
  /** Called after each change by the person. */
  readonly onChange: () => void;
}

/** A search field and choices above a list of records, with the button that clears them. */
export function createFilterBar({ choices, more, onChange }: FilterBarOptions) {
  const id = uniqueId('filter');
  const text = element('input', { id, type: 'search', spellcheck: 'false', autocomplete: 'off' });
  const clearButton = button({ label: 'Clear Filters', icon: 'clear-all', kind: 'quiet', onClick: clear });

  /** Some records may be left out. */
  const isActive = (): boolean =>
    text.value.trim() !== '' || more?.isActive() === true || choices.some(({ select }) => select.selectedIndex > 0);

  function changed(): void {
    clearButton.disabled = !isActive();
    onChange();
  }

  function clear(): void {
    text.value = '';
    more?.clear();
    for (const { select } of choices) select.selectedIndex = 0;
    text.focus();
    changed();
  }

  clearButton.disabled = true;
  return {
    element: element(
      'section',
      { class: 'filters', 'aria-label': 'Filters', oninput: changed },
      element('div', { class: 'field search' }, element('label', { for: id, text: 'Search' }), text),
      choices.map((choice) => choice.element),
      element('div', { class: 'filter-end' }, more?.element, clearButton),
    ),
    get text(): string {
      return text.value;
    },
    isActive,
    /** Lists all again, and moves the focus to the first field. */
    clear,
  };
}

/** Every name once, in order. */
export function namesOf(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== '').toSorted();
}

/**
 * A native list. Its values are looked up by position: a name of a server with odd white space stays what it is.
 * @param first options that are always offered
 */
export function createChoice<Value extends string>(label: string, first: readonly Option<Value>[]) {
  const id = uniqueId('filter');
  const select = element('select', { id });
  let options: readonly Option<Value>[] = [];
  const draw = drawChanges((wanted: readonly Option<Value>[]) => {
    const chosen = options[select.selectedIndex];
    options = wanted;
    fill(
      select,
      wanted.map(([value, text]) => element('option', { value, text })),
    );
    const index = wanted.findIndex(([value]) => value === chosen?.[0]);
    select.selectedIndex = Math.max(0, index);
  });

  /** Replaces the options. A value that was chosen stays, even if it is no longer offered. */
  function offer(others: readonly Option<Value>[]): void {
    const chosen = options[select.selectedIndex];
    const isKept = chosen !== undefined && ![...first, ...others].some(([value]) => value === chosen[0]);
    draw([...first, ...others, ...(isKept ? [chosen] : [])]);
  }

  offer([]);
  return {
    element: element('div', { class: 'field' }, element('label', { for: id, text: label }), selectBox(select)),
    select,
    get value(): Value {
      return (options[select.selectedIndex] ?? options[0])?.[0] as Value;
    },
    offer,
  };
}
