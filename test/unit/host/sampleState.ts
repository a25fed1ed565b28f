import type { Memento } from 'vscode';

/** A state of VS Code in memory, whose values a test can set and read. */
export function sampleState(
  values: Record<string, unknown> = {},
): Memento & { readonly values: Record<string, unknown> } {
  return {
    values,
    keys: () => Object.keys(values),
    get: (key: string, fallback?: unknown) => (values[key] ?? fallback) as never,
    update: async (key, value) => void (values[key] = structuredClone(value)),
  };
}
