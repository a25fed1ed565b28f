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

/** The secret storage of VS Code in memory, over `secrets`. */
export function sampleSecrets(secrets = new Map<string, string>()) {
  return {
    get: async (name: string) => secrets.get(name),
    store: async (name: string, value: string) => void secrets.set(name, value),
    delete: async (name: string) => void secrets.delete(name),
  };
}
