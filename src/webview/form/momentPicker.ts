import { shownName } from '../../base/visibleText.ts';
import type { TextField } from '../../forms/field.ts';
import { element } from '../dom.ts';
import { nameButton } from './fieldMenu.ts';
import type { FormNode } from './formParts.ts';

interface Moment {
  readonly type: 'date' | 'time' | 'datetime-local';
  /** As the picker has it; empty for a text that is no moment. */
  toInput(text: string): string;
  toText(input: string): string;
}

const moments = new Map<string | undefined, Moment>([
  ['date', { type: 'date', toInput: (text) => text, toText: (input) => input }],
  ['time', { type: 'time', toInput: (text) => /^\d\d:\d\d(:\d\d)?/.exec(text)?.[0] ?? '', toText: timeWithZone }],
  ['date-time', { type: 'datetime-local', toInput: toLocalTime, toText: toUniversalTime }],
]);

export function isMoment(format: TextField['format']): boolean {
  return moments.has(format);
}

/** The browser's calendar and clock beside a text. What is picked is written into it as its format asks for. */
export function createMomentPicker(node: FormNode) {
  let moment: Moment | undefined;
  const input = element('input', {
    class: 'form-picker',
    oninput: () => moment !== undefined && input.value !== '' && node.write(moment.toText(input.value)),
  });
  const hint = element('p', { class: 'hint form-moment' });
  return {
    element: input,
    /** What the text means where the person is; empty if it is no moment. */
    hint,
    /** Shows the moment of the text. Hides itself where the format is none of a moment. */
    update(format: TextField['format'], text: string): void {
      moment = moments.get(format);
      input.hidden = moment === undefined;
      hint.textContent = format === 'date-time' ? inPlaceOfPerson(text) : '';
      if (moment === undefined) return;
      if (input.type !== moment.type) input.type = moment.type;
      if (moment.type !== 'date') input.step = '1';
      nameButton(input, `Pick ${shownName(node.place.name)}`);
      const shown = moment.toInput(text);
      if (input.value !== shown) input.value = shown;
    },
  };
}

/** A moment in local time, to the second; empty if the text is none. */
function toLocalTime(text: string): string {
  const time = timeOf(text);
  if (time === undefined) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().replace(/\.\d+Z$/, '');
}

function toUniversalTime(input: string): string {
  return new Date(input).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** RFC 3339 wants a zone, which is that of the person now. */
function timeWithZone(input: string): string {
  const minutes = -new Date().getTimezoneOffset();
  const part = (number: number): string => String(Math.floor(number)).padStart(2, '0');
  const size = Math.abs(minutes);
  const zone = minutes === 0 ? 'Z' : `${minutes < 0 ? '-' : '+'}${part(size / 60)}:${part(size % 60)}`;
  return `${input.length === 5 ? `${input}:00` : input}${zone}`;
}

/** The moment where the person is. */
function inPlaceOfPerson(text: string): string {
  const time = timeOf(text);
  if (time === undefined) return '';
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return `${time.toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'medium' })} in your time zone, ${timeZone}.`;
}

/** A text without a zone means another moment to each reader. */
function timeOf(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d[Tt ][\d:.]+([Zz]|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
