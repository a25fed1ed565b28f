import { beforeEach, expect, it } from 'vitest';
import { followFocusedRow } from '../../../../src/host/platform/focusedRow.ts';
import { Emitter } from '../../../../src/base/event.ts';

interface Row {
  readonly id: string;
}

const [a, b, c]: readonly Row[] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
let selected: readonly Row[];
let revealed: Row[];

function follow(selection: readonly (Row | undefined)[]) {
  selected = selection.flatMap((row) => row ?? []);
  const changes = new Emitter<{ readonly selection: readonly Row[] }>();
  const view = {
    get selection() {
      return selected;
    },
    onDidChangeSelection: changes.event,
    reveal: async (row: Row) => {
      revealed.push(row);
      select([row]);
    },
  };
  const select = (rows: readonly (Row | undefined)[]): void => {
    selected = rows.flatMap((row) => row ?? []);
    changes.fire({ selection: selected });
  };
  const focused = followFocusedRow<Row>(view, ({ id }) => id);
  /** What the binding of a key runs before its command. */
  const press = (row: Row | undefined): void =>
    select(
      selected.some(({ id }) => id === row?.id) ? selected.filter(({ id }) => id !== row?.id) : [...selected, row],
    );
  return { focused, press, select };
}

beforeEach(() => (revealed = []));

it.each([
  ['beside the selected one', [a], b],
  ['that is selected', [a], a],
  ['while nothing is selected', [], b],
])('is the row that a key was pressed on, %s, which is selected then', (_what, selection, row) => {
  const { focused, press } = follow(selection);
  press(row);
  expect(focused()).toBe(row);
  expect([revealed, selected]).toEqual([[row], [row]]);
});

it('is that row also where other keys were pressed before the extension came to it', () => {
  const { focused, press } = follow([a]);
  press(b);
  const first = focused();
  press(c);
  expect([first, focused()]).toEqual([b, c]);
});

it('is a row that was drawn again since it was selected, or comes in place of one that has gone', () => {
  const { focused, press, select } = follow([a]);
  select([{ id: 'a' }]);
  press(b);
  expect(focused()).toBe(b);
  select([c]);
  select([a]);
  expect(focused()).toBe(a);
});

it('is none without a key: no row is given twice', () => {
  const { focused, press } = follow([a]);
  expect(focused()).toBeUndefined();
  press(b);
  focused();
  expect(focused()).toBeUndefined();
});
