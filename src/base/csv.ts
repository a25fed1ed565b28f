/**
 * Rows as CSV (RFC 4180). No part of a text is run as a formula by a spreadsheet, whichever separator it expects: a part that
 * would be one begins with an apostrophe, and a text with a separator is quoted.
 * @param rows texts of cells; numbers as numbers, which are never a formula
 */
export function toCsv(rows: Iterable<readonly (string | number)[]>): string {
  const lines: string[] = [];
  for (const row of rows) lines.push(row.map(csvCell).join(','));
  return lines.map((line) => `${line}\r\n`).join('');
}

/** What a spreadsheet may take for the end of a cell or a line, depending on its language and on where the text is pasted. */
const separator = /([\t\n\v\f\r\x85\u2028\u2029",;])/;
/** Spreadsheets skip blanks, and what cannot be seen, before the sign, and take full-width and small signs too. */
const formula = /^[\s\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*[=+\-@＝＋－＠﹦﹢﹣﹫]/u;
/** A number has a sign and is no formula. */
const signedNumber = /^\s*[+-](?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  // Quotes alone do not help: they count at the start of a cell alone, which another separator puts elsewhere.
  const parts = value.split(separator);
  const text = parts.map((part) => (formula.test(part) && !signedNumber.test(part) ? `'${part}` : part)).join('');
  return parts.length > 1 || /^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
