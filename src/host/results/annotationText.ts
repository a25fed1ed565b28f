import { isRecord, isString } from '../../base/json.ts';
import { singleLine, timeOf } from '../platform/displayText.ts';

/** What annotations say, each as a fact with a name and a value. Hints of the server (2025-06-18, resources "Annotations"). */
export interface AnnotationFact {
  readonly name: 'For' | 'Priority' | 'Last modified';
  readonly text: string;
}

/** @param annotations unchecked; what is not of the kind the specification gives is left out */
export function annotationFacts(annotations: unknown): readonly AnnotationFact[] {
  if (!isRecord(annotations)) return [];
  const { priority, lastModified } = annotations;
  const audience = audienceOf(annotations);
  return [
    ...(audience.length === 0 ? [] : [{ name: 'For', text: describeAudience(audience) } as const]),
    ...(typeof priority === 'number' ? [{ name: 'Priority', text: describePriority(priority) } as const] : []),
    ...(isString(lastModified) ? [{ name: 'Last modified', text: describeTime(lastModified) } as const] : []),
  ];
}

/** The same as short texts for one line: "For the assistant only". */
export function annotationTexts(annotations: unknown): readonly string[] {
  return annotationFacts(annotations).map(({ name, text }) => `${name} ${text}`);
}

/** Meant for the model, and not for the person. */
export function isForAssistantOnly(annotations: unknown): boolean {
  const audience = isRecord(annotations) ? audienceOf(annotations) : [];
  return audience.length > 0 && audience.every((role) => role === 'assistant');
}

function audienceOf({ audience }: Readonly<Record<string, unknown>>): readonly string[] {
  return Array.isArray(audience) ? [...new Set(audience.slice(0, 10).filter(isString))] : [];
}

function describeAudience(audience: readonly string[]): string {
  const [first = '', ...others] = audience.map((role) => `the ${singleLine(role, 40)}`);
  return others.length === 0 ? `${first} only` : [first, ...others].join(' and ');
}

function describePriority(priority: number): string {
  if (priority === 1) return '1, the most important';
  if (priority === 0) return '0, the least important';
  return `${priority} of 1`;
}

/** An ISO 8601 time in the user's own format; any other text as it is. */
function describeTime(text: string): string {
  const time = /^\d{4}-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? singleLine(text, 100) : timeOf(time);
}
