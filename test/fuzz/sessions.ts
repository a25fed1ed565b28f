import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve('test/fuzz/sessions');

/** Names of the recorded sessions. */
export function sessionNames(): readonly string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => file.replace(/\.jsonl$/, ''))
    .toSorted((one, other) => one.localeCompare(other));
}

export function sessionFile(name: string): string {
  return join(folder, `${name}.jsonl`);
}
