import { Uri, window, workspace } from 'vscode';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createNullLogger } from '../../../../src/base/logger.ts';
import type { ArgumentAnswer, ArgumentInputOptions } from '../../../../src/host/arguments/argumentInput.ts';
import { askArguments } from '../../../../src/host/arguments/askArguments.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

const script = vi.hoisted(() => ({ answers: [] as ArgumentAnswer[], asked: [] as ArgumentInputOptions[] }));
vi.mock('../../../../src/host/arguments/argumentInput.ts', () => ({
  askArgument: async (input: ArgumentInputOptions) => {
    script.asked.push(input);
    return script.answers.shift();
  },
}));

const back: ArgumentAnswer = { kind: 'back' };

/** @returns the values; the inputs are in `script.asked` */
function ask(names: readonly string[], answers: readonly (string | undefined | typeof back)[], preset = {}) {
  script.answers = answers.map((answer) => (answer === back ? back : { kind: 'value', value: answer as string }));
  const fields = names.map((name) => ({ name, label: name, isRequired: false }));
  const reference = { type: 'ref/prompt', name: 'p' } as const;
  return askArguments({
    title: 't',
    fields,
    preset,
    reference,
    clock: createManualClock(),
    logger: createNullLogger(),
  });
}

describe('arguments', () => {
  beforeEach(() => void script.asked.splice(0));
  const steps = () => script.asked.map(({ field, step, initial }) => [field.name, step, initial]);

  it('are asked for one after the other, but for those that are given, an empty text too', async () => {
    const given = { country: '', city: 'Rome' };
    expect(await ask(['country', 'city', 'days', 'month'], ['4', 'May'], given)).toEqual({
      ...given,
      days: '4',
      month: 'May',
    });
    expect(script.asked.map(({ totalSteps }) => totalSteps)).toEqual([2, 2]);
    expect(steps()).toEqual([
      ['days', 1, ''],
      ['month', 2, ''],
    ]);
  });

  it('can be left out after going back, whatever they were before', async () => {
    const answers = ['France', 'Paris', back, undefined, back, undefined, '3'];
    expect(await ask(['country', 'city', 'days'], answers)).toEqual({ country: 'France', days: '3' });
    expect(steps().slice(3)).toEqual([
      ['city', 2, 'Paris'],
      ['days', 3, ''],
      ['city', 2, ''],
      ['days', 3, ''],
    ]);
  });

  it('stay at the first one when there is nothing to go back to', async () => {
    expect(await ask(['country', 'city'], ['France', back, back, 'Spain', 'Rome'])).toEqual({
      country: 'Spain',
      city: 'Rome',
    });
    expect(steps().slice(2, 4)).toEqual([
      ['country', 1, 'France'],
      ['country', 1, 'France'],
    ]);
  });

  it('may have names that objects already have', async () => {
    const values = await ask(['constructor', '__proto__'], ['a', 'b']);
    expect(Object.entries(values)).toEqual([
      ['constructor', 'a'],
      ['__proto__', 'b'],
    ]);
  });

  it.each([
    ['file:///project/a.txt', ['Text of Current File', 'Path of Current File', 'Clipboard']],
    ['patchbay-tool:/demo/add.json', ['Text of Current File', 'Clipboard']],
    ['untitled:Untitled-1', ['Text of Current File', 'Clipboard']],
  ])('can be the path of the current file where there is one: %s', async (uri, labels) => {
    const document = { uri: Uri.parse(uri), getText: () => '' };
    Object.assign(window, { activeTextEditor: { document, selection: {} } });
    Object.assign(workspace, { asRelativePath: String });
    onTestFinished(() => void Object.assign(window, { activeTextEditor: undefined }));
    await ask(['city'], ['Rome']);
    expect(script.asked[0]?.inserts.map(({ label }) => label)).toEqual(labels);
  });
});
