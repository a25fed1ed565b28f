import table from './riskySettings.json' with { type: 'json' };

export type RiskKind = 'code' | 'destination' | 'certificates' | 'settings' | 'identity';

export interface RiskyName {
  readonly kind: RiskKind;
  readonly what: string;
  readonly source: string;
}

interface RiskyNames extends RiskyName {
  /** Separated by spaces; `*` matches any text. */
  readonly names: string;
  /** Case-insensitive on every platform; the others only on Windows. */
  readonly isAnyCase?: boolean;
}

const variables = table.variables as readonly RiskyNames[];
const headers = table.headers as readonly RiskyNames[];

/** What each kind of risk means, as the end of a sentence; in the order of display. */
export const riskEffects: Readonly<Record<RiskKind, string>> = {
  code: 'changes which code runs',
  destination: 'changes where data goes',
  certificates: 'changes which certificates are believed',
  settings: 'changes where settings are read',
  identity: 'says who is asking',
};

/**
 * @param isWindows compare names case-insensitively
 * @returns the risk of an environment variable, or `undefined` for an ordinary one
 */
export function riskyVariable(name: string, isWindows: boolean): RiskyName | undefined {
  return lookUp(variables, name, isWindows);
}

export function riskyHeader(name: string): RiskyName | undefined {
  return lookUp(headers, name, false);
}

function lookUp(rows: readonly RiskyNames[], name: string, isWindows: boolean): RiskyName | undefined {
  return rows.find(({ names, isAnyCase = false }) => {
    const sought = isAnyCase || isWindows ? name.toUpperCase() : name;
    return names.split(' ').some((pattern) => matchesPattern(sought, pattern));
  });
}

function matchesPattern(name: string, pattern: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return name === pattern;
  const end = rest.pop() ?? '';
  const isLong = name.length >= start.length + end.length;
  return isLong && name.startsWith(start) && name.endsWith(end) && rest.every((inner) => name.includes(inner));
}
