import type {
  ConfigurationFix,
  ProblemCode,
  ProblemSeverity,
  PropertyPath,
  ReportProblem,
} from './configurationProblem.ts';
import { closestMatch } from './closestMatch.ts';
import type { TextRange } from './configuredServer.ts';
import type { JsonProperty } from './jsonDocument.ts';

/** Reports problems of one server entry, all worded alike. */
export interface EntryReport {
  readonly label: string;
  /** The entry's key: the place of what is missing in it. */
  readonly keyRange: TextRange;
  /** From the root of the document to the entry. */
  readonly path: PropertyPath;
  add(code: ProblemCode, severity: ProblemSeverity, message: string, range: TextRange, fix?: ConfigurationFix): void;
  /** A value of the wrong type, which is left out. */
  badType(property: JsonProperty, expected: string): void;
  /** An option that a workspace cannot set for whoever opens it. */
  ignoredOption(property: JsonProperty, name: string): void;
  /** A key nobody knows, with the nearest of `known` where one is near. */
  unknownKey(property: JsonProperty, known: readonly string[], synonyms?: Readonly<Record<string, string>>): void;
}

/** @param entry its key is the label */
export function createEntryReport(entry: JsonProperty, path: PropertyPath, report: ReportProblem): EntryReport {
  const label = entry.key;
  const add: EntryReport['add'] = (code, severity, message, range, fix) => {
    report({ code, severity, message: `Server "${label}": ${message}`, range, ...(fix !== undefined && { fix }) });
  };
  return {
    label,
    keyRange: entry.keyRange,
    path,
    add,
    badType(property, expected) {
      add('badType', 'error', `"${property.key}" must be ${expected}.`, property.value.range);
    },
    ignoredOption({ keyRange }, name) {
      const reason = 'whoever opens the folder decides that, in "patchbay.serverOptions" of their user settings';
      add('ignoredOption', 'warning', `the option "${name}" is not used here: ${reason}.`, keyRange);
    },
    unknownKey(property, known, synonyms = {}) {
      const { key, keyRange } = property;
      const suggestion = Object.hasOwn(synonyms, key) ? synonyms[key] : closestMatch(key, known);
      if (suggestion === undefined) {
        add('unknownKey', 'warning', `the key "${key}" is not known and is not used.`, keyRange);
        return;
      }
      const title = `Rename to "${suggestion}"`;
      const fix: ConfigurationFix = { kind: 'replaceText', title, range: keyRange, text: JSON.stringify(suggestion) };
      add(
        'unknownKey',
        'warning',
        `the key "${key}" is not known and is not used. Did you mean "${suggestion}"?`,
        keyRange,
        fix,
      );
    },
  };
}
