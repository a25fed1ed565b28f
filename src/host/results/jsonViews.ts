import { toCsv } from '../../base/csv.ts';
import { exactMember, stringifyExactly } from '../../base/exactIntegers.ts';
import { isRecord, parseJson, type UnknownRecord } from '../../base/json.ts';
import { previewJson, printPreview } from '../../base/jsonPreview.ts';
import { columnsOf, findTables, likeObjects, type LikeObjects } from '../../base/jsonTable.ts';
import { formatCount, truncateWithEllipsis } from '../../base/truncate.ts';
import type { ContentBlock } from '../../protocol/mcp/content.ts';
import type { TableCell, TableView } from '../../shared/content.ts';

/** What all tables of one result may have together, and each. */
const tableBounds = { cells: 60_000, characters: 1_500_000, cell: 300, columns: 50, column: 200 };

/** Characters of text of one result that are tried as JSON. */
const maximumParsed = 32_000_000;

/** What a table has at most when it is copied whole. */
const csvBounds = { rows: 200_000, columns: 1_000, characters: 32_000_000 };

/** How many cells may still be shown: shared by all tables of a result. */
export class TableBudget {
  #cells = tableBounds.cells;
  #characters = tableBounds.characters;

  take({ path, rows }: LikeObjects): TableView {
    const all = columnsOf(rows, csvBounds.columns);
    const columns = all.slice(0, tableBounds.columns);
    const taken: (readonly TableCell[])[] = [];
    for (const row of rows) {
      if (this.#cells < columns.length || this.#characters <= 0) break;
      const cells = columns.map((name) => toCell(row, name));
      this.#cells -= cells.length;
      for (const { text } of cells) this.#characters -= text.length;
      taken.push(cells);
    }
    return {
      path,
      columns: columns.map((name) => truncateWithEllipsis(name, tableBounds.column)),
      moreColumns: all.length - columns.length,
      rows: taken,
      total: rows.length,
    };
  }
}

/** The lists of like objects in a value, as far as there is room for at least one row of each. */
export function toTables(value: unknown, room: TableBudget): readonly TableView[] {
  const tables = findTables(value).map((found) => room.take(found));
  return tables.filter(({ rows }) => rows.length > 0);
}

/** Reads the texts of one result that are JSON: objects and lists, as other JSON is as well read as text. */
export class JsonTexts {
  #left = maximumParsed;

  /** @returns `undefined` for a block that is not JSON, and once there was too much of it */
  read(block: ContentBlock): object | undefined {
    const text = jsonTextOf(block);
    if (text === undefined || text.length > this.#left) return undefined;
    this.#left -= text.length;
    // Text may only begin like JSON.
    const value = parseJson(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  }
}

function jsonTextOf(block: ContentBlock): string | undefined {
  const text = block.type === 'text' ? block.text : block.type === 'resource' ? block.resource.text : undefined;
  return text !== undefined && /^\s*[[{]/.test(text.slice(0, 1_000)) ? text : undefined;
}

/** A table to copy. @returns `undefined` if the value is not a list of like objects; `note` if something was left out */
export function tableToCsv(value: unknown): { readonly text: string; readonly note?: string } | undefined {
  const rows = likeObjects(value);
  if (rows === undefined) return undefined;
  const columns = columnsOf(rows, csvBounds.columns);
  let count = 0;
  let characters = 0;
  function* lines(all: readonly UnknownRecord[]): Generator<readonly (string | number)[]> {
    yield columns;
    for (const row of all) {
      if (count === csvBounds.rows || characters > csvBounds.characters) return;
      count += 1;
      const cells = columns.map((name) => csvCell(row, name));
      for (const cell of cells) characters += String(cell).length + 1;
      yield cells;
    }
  }
  const text = toCsv(lines(rows));
  if (count === rows.length) return { text };
  return { text, note: `Copied the first ${formatCount(count)} of ${formatCount(rows.length)} rows.` };
}

function csvCell(row: UnknownRecord, name: string): string | number {
  const value = exactMember(row, name);
  if (value === undefined || value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : printPreview(previewJson(value).json, 0);
}

const cellPreview = { depth: 4, members: 50, characters: tableBounds.cell, text: tableBounds.cell };

function toCell(row: UnknownRecord, name: string): TableCell {
  const value = exactMember(row, name);
  if (value === undefined) return { type: 'absent', text: '' };
  if (typeof value === 'string') return { type: 'string', text: truncateWithEllipsis(value, tableBounds.cell) };
  if (value === null) return { type: 'null', text: 'null' };
  if (isRecord(value) || Array.isArray(value)) {
    const text = printPreview(previewJson(value, cellPreview).json, 0);
    return { type: 'json', text: truncateWithEllipsis(text, tableBounds.cell) };
  }
  return { type: typeof value === 'boolean' ? 'boolean' : 'number', text: stringifyExactly(value) };
}
