import { describe, expect, it } from 'vitest';
import type { ArgumentField } from '../../../../src/host/arguments/argumentItems.ts';
import {
  answerField,
  currentField,
  goBack,
  initialValue,
  settledValues,
  startFlow,
} from '../../../../src/host/arguments/askArguments.ts';

const field = (name: string, more: Partial<ArgumentField> = {}): ArgumentField => ({
  name,
  label: name,
  isRequired: false,
  ...more,
});
const fields = [field('country', { isRequired: true }), field('city'), field('days')];

describe('argument flow', () => {
  it('asks for one argument after the other, knowing what is settled', () => {
    let flow = startFlow(fields);
    expect(settledValues(flow)).toEqual({});
    flow = answerField(flow, 'France');
    expect(currentField(flow)?.name).toBe('city');
    expect(settledValues(flow)).toEqual({ country: 'France' });
    flow = answerField(answerField(flow, 'Paris'), '4');
    expect(currentField(flow)).toBeUndefined();
    expect(settledValues(flow)).toEqual({ country: 'France', city: 'Paris', days: '4' });
  });

  it('does not ask for what is given, an empty text too, and counts it as settled', () => {
    const flow = startFlow(fields, { country: '', city: 'Rome' });
    expect(flow.fields.map(({ name }) => name)).toEqual(['days']);
    expect(settledValues(flow)).toEqual({ country: '', city: 'Rome' });
  });

  it('leaves an empty optional argument out, whatever it was before', () => {
    let flow = answerField(answerField(startFlow(fields), 'France'), 'Paris');
    flow = goBack(flow);
    expect(initialValue(flow)).toBe('Paris');
    flow = answerField(flow, undefined);
    expect(settledValues(flow)).toEqual({ country: 'France' });
    flow = goBack(flow);
    expect(initialValue(flow)).toBe('');
  });

  it('counts what comes later as unsettled after going back', () => {
    const flow = goBack(goBack(answerField(answerField(startFlow(fields), 'France'), 'Paris')));
    expect(currentField(flow)?.name).toBe('country');
    expect(settledValues(flow)).toEqual({});
    expect(initialValue(flow)).toBe('France');
    expect(goBack(flow).index).toBe(0);
  });

  it('takes names that objects already have', () => {
    const flow = startFlow([field('constructor'), field('__proto__')]);
    expect(settledValues(flow)).toEqual({});
    const values = settledValues(answerField(answerField(flow, 'a'), 'b'));
    expect(Object.entries(values)).toEqual([
      ['constructor', 'a'],
      ['__proto__', 'b'],
    ]);
  });
});
