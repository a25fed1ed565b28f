import { beforeEach, describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { pickLive } from '../../../../src/host/invocation/contentPicker.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { editor } from '../../../fixtures/vscode.ts';

describe('a quick pick whose rows change', () => {
  const clock = createManualClock();
  const changed = new Emitter<void>();
  let labels: readonly string[];
  let isBusy: boolean;
  let made: number;

  beforeEach(() => {
    [labels, isBusy, made] = [['a', 'b'], false, 0];
  });

  function open(actsAtOnce = false): Promise<{ readonly label: string } | undefined> {
    const rowsOf = (): { readonly label: string }[] => {
      made += 1;
      return labels.map((label) => ({ label }));
    };
    const shown = { title: 't', placeholder: 'p', actsAtOnce, rowsOf, isBusy: () => isBusy };
    return pickLive(shown, [changed.event], clock);
  }

  async function change(next: readonly string[]): Promise<void> {
    labels = next;
    changed.fire();
    await clock.advance(250);
  }

  function accept(index: number): void {
    editor.input.selectedItems = editor.input.items.slice(index, index + 1);
    editor.input.do('accept');
  }

  it('shows what comes while it is open, and says that more may come', async () => {
    [labels, isBusy] = [[], true];
    const picked = open();
    expect(editor.input).toMatchObject({ title: 't', placeholder: 'p', busy: true, items: [], isOpen: true });
    isBusy = false;
    await change(['late']);
    expect(editor.input).toMatchObject({ busy: false, items: [{ label: 'late' }] });
    await clock.advance(700);
    accept(0);
    expect(await picked).toEqual({ label: 'late' });
    expect(editor.input.isOpen).toBe(false);
  });

  it('keeps the active row when others come before it', async () => {
    const picked = open();
    editor.input.activeItems = editor.input.items.slice(1);
    await change(['new', 'a', 'b']);
    expect(editor.input.activeItems).toEqual([{ label: 'b' }]);
    accept(2);
    expect(await picked).toEqual({ label: 'b' });
  });

  it('takes no key for a row that has come in place of the active one', async () => {
    const picked = open();
    editor.input.activeItems = editor.input.items.slice(0, 1);
    await change(['c', 'b']);
    accept(0);
    // An answer closes the list in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(editor.input.isOpen).toBe(true);
    // VS Code reports no second click on a row that stays selected.
    expect(editor.input.selectedItems).toEqual([]);
    await clock.advance(700);
    accept(0);
    expect(await picked).toEqual({ label: 'c' });
  });

  it('takes no Enter that is still that of the palette where a choice acts at once, for as long as it is held', async () => {
    labels = ['a', 'b'];
    const picked = open(true);
    for (let times = 0; times < 5; times += 1) {
      await clock.advance(500);
      accept(0);
      await new Promise((resolve) => setImmediate(resolve));
      expect(editor.input.isOpen).toBe(true);
    }
    await clock.advance(700);
    accept(0);
    expect(await picked).toEqual({ label: 'a' });
  });

  it.each([
    ['what the person has typed', 'x', 0],
    ['another row than the first', '', 1],
  ])('takes %s at once', async (_what, typed, index) => {
    const picked = open(true);
    editor.input.type(typed);
    accept(index);
    expect(await picked).toEqual({ label: labels[index] });
  });

  it('takes no click on a row that has come in place of another where a choice acts at once', async () => {
    const picked = open(true);
    await clock.advance(700);
    editor.input.activeItems = editor.input.items.slice(0, 1);
    await change(['a', 'new', 'b']);
    accept(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(editor.input.isOpen).toBe(true);
    // The keyboard is still where it was.
    accept(0);
    expect(await picked).toEqual({ label: 'a' });
  });

  it('takes a click at once where rows came at the end, or once what was typed has made them few', async () => {
    const first = open(true);
    editor.input.activeItems = editor.input.items.slice(0, 1);
    await change(['a', 'b', 'c']);
    accept(1);
    expect(await first).toEqual({ label: 'b' });
    labels = ['a', 'b'];
    const second = open(true);
    editor.input.activeItems = editor.input.items.slice(0, 1);
    await change(['new', 'a', 'b']);
    editor.input.type('b');
    accept(2);
    expect(await second).toEqual({ label: 'b' });
  });

  it('leaves the rows alone where they are the same, and makes them at most four times a second', async () => {
    void open();
    const { items } = editor.input;
    for (let times = 0; times < 1_000; times += 1) changed.fire();
    await clock.advance(250);
    expect(editor.input.items).toBe(items);
    expect(made).toBeLessThanOrEqual(3);
  });

  it('ends with its list', async () => {
    const picked = open();
    editor.input.do('hide');
    expect(await picked).toBeUndefined();
    await change(['never']);
    expect(editor.input.items).toEqual([{ label: 'a' }, { label: 'b' }]);
  });
});
