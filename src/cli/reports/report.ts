import { isAbsolute, relative, sep } from 'node:path';
import type { CheckResult } from '../../workshop/checks/checkResult.ts';

/** The results of one server, or of one file of saved calls. */
export interface Suite {
  /** The label of the server, or the path of the file. */
  readonly name: string;
  /** Texts are bounded and hide secrets; they are not yet fit for a terminal. */
  readonly results: readonly CheckResult[];
  /** Where the server is defined; lines from 1. */
  readonly place?: { readonly path: string; readonly line: number };
}

export interface Report {
  readonly suites: readonly Suite[];
  /** Of Patchbay. */
  readonly version: string;
  /** Paths in a report are from here where they are below it. */
  readonly folder: string;
  /** Warnings count as failures. */
  readonly isStrict: boolean;
}

/** @returns the parts of the way from the folder; `undefined` for a path that is not below it */
export function wayBelow(folder: string, path: string): readonly string[] | undefined {
  const way = relative(folder, path);
  return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way.split(sep);
}

export type Format = 'text' | 'json' | 'junit' | 'sarif';
