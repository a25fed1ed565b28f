/**
 * Rows as CSV (RFC 4180). Texts that a spreadsheet would run as a formula begin with an apostrophe.
 * @param rows texts of cells; numbers as numbers, which are never a formula
 */
export function toCsv(rows: Iterable<readonly (string | number)[]>): string {
  const lines: string[] = [];
  for (const row of rows) lines.push(row.map(csvCell).join(','));
  return lines.map((line) => `${line}\r\n`).join('');
}

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  // Spreadsheets skip blanks before the sign, and take full-width signs too.
  const text = /^\s*[=+\-@＝＋－＠]/.test(value) || /^[\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) || /^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
