import { describe, expect, it } from 'vitest';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { type ArgumentAnswer, askArgument } from '../../../../src/host/arguments/argumentInput.ts';
import type { Completion } from '../../../../src/protocol/mcp/completion.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { editor, QuickInput, window } from '../../../fixtures/vscode.ts';

const countries = ['Greece', 'Jamaica', 'Japan', 'South Japan'];

interface Request {
  readonly value: string;
  answer(values: readonly string[], more?: Partial<Completion>): Promise<void>;
}

/** An input, with the server's part played by the test. */
function open({ isRequired = true, hasOffers = true } = {}) {
  const clock = createManualClock();
  const requests: Request[] = [];
  const answers: (ArgumentAnswer | string)[] = [];
  const suggest = (value: string): Promise<Completion> =>
    new Promise((resolve) =>
      requests.push({
        value,
        async answer(values, more = {}) {
          resolve({ values, ...more });
          await settle();
        },
      }),
    );
  void askArgument({
    title: 'Plan a Trip',
    field: { name: 'country', label: 'Country', isRequired },
    step: 1,
    totalSteps: 1,
    initial: '',
    inserts: [],
    suggest: hasOffers ? suggest : undefined,
    clock,
    logger: createNullLogger(),
  }).then((answer) => answers.push(answer.kind === 'value' ? (answer.value ?? 'left out') : answer));
  const { input } = editor;
  return {
    clock,
    requests,
    answers,
    labels: () => input.items.map(({ label }) => label),
    get active() {
      return (input.activeItems[0] as (typeof input.items)[0] | undefined)?.label;
    },
    type: (text: string) => input.type(text),
    /** Takes the active row, or another one. */
    enter: async (label?: string): Promise<void> => {
      const row = label === undefined ? input.activeItems[0] : input.items.find((item) => item.label === label);
      input.selectedItems = [row];
      input.do('accept');
      await settle();
    },
  };
}

/** With all countries known, as the server has said that there are no others. */
async function openWithAll() {
  const opened = open();
  await opened.requests[0]?.answer(countries, { hasMore: false });
  return opened;
}

describe('the input for an argument', () => {
  it('takes the best match with Enter, and what is typed by its own row', async () => {
    const first = await openWithAll();
    first.type('jap');
    expect(first.labels()).toEqual(['Suggestions', 'Japan', 'South Japan', '', 'Use “jap” as typed']);
    await first.enter();
    expect(first.answers).toEqual(['Japan']);
    const second = await openWithAll();
    second.type('jap');
    await second.enter('Use “jap” as typed');
    expect(second.answers).toEqual(['jap']);
  });

  it.each<[string, PropertyDescriptor | undefined, unknown]>([
    ['asks VS Code to leave the rows in their order', { value: true, writable: true }, false],
    ['has the best match first where VS Code has no member for that', undefined, undefined],
    [
      'has the best match first where VS Code refuses it',
      {
        get: () => true,
        set() {
          throw new Error('CANNOT use API proposal: quickPickSortByLabel');
        },
      },
      true,
    ],
  ])('%s', async (_name, member, expected) => {
    Object.assign(window, {
      createQuickPick() {
        editor.input = new QuickInput();
        if (member !== undefined) Object.defineProperty(editor.input, 'sortByLabel', member);
        return editor.input;
      },
    });
    const opened = await openWithAll();
    expect(Reflect.get(editor.input, 'sortByLabel')).toBe(expected);
    opened.type('jap');
    expect(opened.active).toBe('Japan');
    await opened.enter();
    expect(opened.answers).toEqual(['Japan']);
  });

  it('takes what is typed where nothing is offered, or nothing that contains it', async () => {
    const without = open({ hasOffers: false });
    without.type('Jap');
    await without.enter();
    expect(without.answers).toEqual(['Jap']);
    const other = await openWithAll();
    other.type('Atlantis');
    await other.clock.advance(150);
    await other.requests[1]?.answer(countries, { hasMore: true });
    expect(other.active).toBe('Use “Atlantis” as typed');
    await other.enter();
    expect(other.answers).toEqual(['Atlantis']);
  });

  it('waits with Enter for suggestions on their way, and takes the only match', async () => {
    const { type, enter, requests, answers, labels } = open();
    type('Jap');
    await enter();
    // At once, not after the pause of typing.
    expect(requests.map(({ value }) => value)).toEqual(['', 'Jap']);
    expect(labels()).toEqual(['Use “Jap” as typed']);
    await enter();
    expect(answers).toEqual([]);
    await requests[1]?.answer(['Japan']);
    expect(answers).toEqual(['Japan']);
  });

  it('leaves the choice to the person where several match', async () => {
    const opened = open();
    opened.type('Ja');
    await opened.enter();
    await opened.requests[1]?.answer(['Jamaica', 'Japan']);
    expect([opened.answers, opened.active]).toEqual([[], 'Jamaica']);
    // The same key, held or pressed again, was meant for the row before.
    await opened.enter();
    await opened.clock.advance(699);
    await opened.enter();
    expect(opened.answers).toEqual([]);
    await opened.clock.advance(1);
    await opened.enter();
    expect(opened.answers).toEqual(['Jamaica']);
  });

  it('takes what is typed once a slow server has had two seconds, or has nothing', async () => {
    const slow = open();
    slow.type('Jap');
    await slow.enter();
    await slow.clock.advance(1_999);
    expect(slow.answers).toEqual([]);
    await slow.clock.advance(1);
    expect(slow.answers).toEqual(['Jap']);
    const empty = open();
    empty.type('Jap');
    await empty.enter();
    await empty.requests[1]?.answer([]);
    expect(empty.answers).toEqual(['Jap']);
  });

  it('waits no longer once more is typed', async () => {
    const { type, enter, clock, answers } = open();
    type('Jap');
    await enter();
    type('Japa');
    await clock.advance(5_000);
    expect(answers).toEqual([]);
  });

  it('takes no row that has only just come under the finger', async () => {
    const opened = open();
    opened.type('pan');
    await opened.clock.advance(150);
    await opened.requests[1]?.answer(['Japan'], { hasMore: true });
    expect(opened.active).toBe('Japan');
    await opened.enter();
    expect(opened.answers).toEqual([]);
    await opened.clock.advance(700);
    await opened.enter();
    expect(opened.answers).toEqual(['Japan']);
  });

  it('keeps the row that is chosen when a late answer adds others', async () => {
    const opened = await openWithAll();
    opened.type('jap');
    expect(opened.active).toBe('Japan');
    await opened.clock.advance(150);
    await opened.requests[1]?.answer(['Jap', 'Japan'], { hasMore: true });
    expect([opened.labels()[1], opened.active]).toEqual(['Jap', 'Japan']);
    await opened.enter();
    expect(opened.answers).toEqual(['Japan']);
  });

  it('leaves an optional argument out with Enter, also while suggestions are on their way', async () => {
    const { enter, answers } = open({ isRequired: false });
    await enter();
    expect(answers).toEqual(['left out']);
  });

  it('says that a required argument is missing, but only where there is nothing to choose', async () => {
    const opened = open();
    await opened.enter();
    await opened.requests[1]?.answer(countries, { hasMore: false });
    expect(opened.labels()).toEqual(['Suggestions', ...countries]);
    const empty = open();
    await empty.enter();
    await empty.requests[1]?.answer([]);
    expect(editor.input.items[0]).toMatchObject({ description: '$(warning) “Country” is required.' });
    expect([opened.answers, empty.answers]).toEqual([[], []]);
  });
});
