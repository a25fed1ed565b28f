/** Formats of texts that a form may ask for (2025-11-25, Client Features / Elicitation / Requested Schema), with their checks. */
export const textFormats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['email', isEmail],
  ['uri', isUri],
  ['date', isDate],
  ['date-time', isDateTime],
]);

function isEmail(text: string): boolean {
  return (
    text.length <= 320 && /^[^\s@"<>(),;:\\[\]]+@[^\s@"<>(),;:\\[\]]+$/u.test(text) && !/\.\.|\.@|@\.|\.$/.test(text)
  );
}

function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(text) && URL.canParse(text);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // `Date` turns February 30 into a day of March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.exec(text);
  if (match === null) return false;
  const [, date = '', hour, minute, second] = match;
  // A minute may have a leap second (RFC 3339, section 5.6).
  return isDate(date) && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
}
