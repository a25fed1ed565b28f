import type { Row } from './serverRows.ts';

/** Knows what VS Code has drawn of each server since its last change. */
export interface DrawnServers {
  /** Something of the server changed: its row, or one below it. */
  changed(server: string): void;
  drewRow(server: string, row: Row): void;
  /** VS Code has asked for the rows below the server; all that are further down it asks for after these. */
  drewChildren(server: string): void;
  /** @param row what would be drawn of it now */
  isCurrent(server: string, row: Row): boolean;
}

/**
 * For changes that come while VS Code draws the one before: they are drawn with it. Another refresh would show the same, and while it
 * runs, VS Code knows no row below the server: the button of a row that is pressed then passes no row.
 */
export function createDrawnServers(): DrawnServers {
  const rows = new Map<string, string>();
  const changed = new Set<string>();
  return {
    changed: (server) => void changed.add(server),
    drewRow: (server, row) => void rows.set(server, looks(row)),
    drewChildren: (server) => void changed.delete(server),
    isCurrent: (server, row) => !changed.has(server) && rows.get(server) === looks(row),
  };
}

/** Whether a row is open is for VS Code to know once it was drawn. */
function looks(row: Row): string {
  return JSON.stringify({ ...row, children: row.children !== 'none' });
}
