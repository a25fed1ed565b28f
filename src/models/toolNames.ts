/** The names of tools as a provider takes them: MCP allows more characters, and longer names. */
export interface ToolNames {
  /** @returns the provider's name of a tool */
  toProvider(name: string): string;
  /** @returns the name of the tool that the provider means; `undefined` for one that was not offered */
  toOffered(name: string): string | undefined;
}

/** What every provider takes. */
const takenByAll = /^[a-zA-Z_][\w-]{0,63}$/;
const maximumLength = 64;

/**
 * @param offered the names of the tools of a request
 * @param others the names of tools that were called before; they need not be offered any more
 */
export function createToolNames(offered: readonly string[], others: readonly string[]): ToolNames {
  const provided = new Map<string, string>();
  const taken = new Set<string>();
  const all = [...new Set([...offered, ...others])];
  // Names that can stay do so first, so that no other one is renamed to them.
  for (const name of all.toSorted((a, b) => Number(takenByAll.test(b)) - Number(takenByAll.test(a)))) {
    const chosen = takenByAll.test(name) ? name : rename(name, taken);
    provided.set(name, chosen);
    taken.add(chosen);
  }
  const originals = new Map(offered.map((name) => [provided.get(name) ?? name, name]));
  return {
    toProvider: (name) => provided.get(name) ?? name,
    toOffered: (name) => originals.get(name),
  };
}

function rename(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^\w-]/g, '_').replace(/^(?![a-zA-Z_])/, '_');
  let chosen = plain.slice(0, maximumLength);
  for (let count = 2; taken.has(chosen); count += 1) {
    const suffix = `_${count}`;
    chosen = plain.slice(0, maximumLength - suffix.length) + suffix;
  }
  return chosen;
}
