/** What every provider takes. */
const takenByAll = /^[a-zA-Z_][\w-]{0,63}$/;
const maximumLength = 64;

/** The names of tools as a provider takes them: MCP allows more characters, and longer names. */
export class ToolNames {
  readonly #provided = new Map<string, string>();
  readonly #offered: ReadonlyMap<string, string>;

  /**
   * @param offered the names of the tools of a request
   * @param others the names of tools that were called before; they need not be offered any more
   */
  constructor(offered: readonly string[], others: readonly string[]) {
    const all = [...new Set([...offered, ...others])];
    const taken = new Set(all.filter((name) => takenByAll.test(name)));
    for (const name of all) {
      const chosen = taken.has(name) ? name : rename(name, taken);
      this.#provided.set(name, chosen);
      taken.add(chosen);
    }
    this.#offered = new Map(offered.map((name) => [this.toProvider(name), name]));
  }

  /** @returns the provider's name of a tool */
  toProvider(name: string): string {
    return this.#provided.get(name) ?? name;
  }

  /** @returns the name of the tool that the provider means; `undefined` for one that was not offered */
  toOffered(name: string): string | undefined {
    return this.#offered.get(name);
  }
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
