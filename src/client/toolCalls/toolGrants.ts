import type { Caller } from './ports.ts';

/** Whose calls a standing yes covers: those a person makes here, or everybody's. It is given where such a call was asked about. */
export type GrantReach = 'own' | 'everyone';

/** A standing yes as it is listed. */
export interface ToolGrant {
  readonly server: string;
  /** The tool; `undefined` for every tool that its server calls read-only. */
  readonly tool: string | undefined;
  readonly reach: GrantReach;
}

/** What a call is held against. `digest` is of the definition of the tool. */
export interface GrantedCall {
  readonly name: string;
  readonly digest: string;
  readonly claimsReadOnly: boolean;
  readonly isUnchecked: boolean;
  readonly caller: Caller;
}

interface ForTool {
  readonly digest: string;
  readonly reach: GrantReach;
  /** It was given although the arguments could not be checked. */
  readonly coversUnchecked: boolean;
}

/** Standing yeses for one run of one server, bound to what was launched. Once it has ended, nothing given here counts. */
export interface RunGrants {
  /** @returns in a few words how the call is covered; `undefined` where it is not */
  cover(call: GrantedCall): string | undefined;
  give(kind: 'tool' | 'readOnly', call: GrantedCall): void;
}

/** The standing yeses of a window, for as long as each server runs. */
export interface ToolGrants {
  readonly all: readonly ToolGrant[];
  /** Of what runs now: another identity under the same label begins without any. */
  run(server: string, identity: string): RunGrants;
  revoke(grant: ToolGrant): void;
  /** The server has stopped. @returns whether anything had been given */
  end(server: string): boolean;
}

export function createToolGrants(): ToolGrants {
  const runs = new Map<string, Run>();
  return {
    get all() {
      return [...runs].flatMap(([server, run]) => run.list().map((grant) => ({ server, ...grant })));
    },
    run(server, identity) {
      const known = runs.get(server);
      if (known?.identity === identity) return known;
      const run = new Run(identity);
      runs.set(server, run);
      return run;
    },
    revoke: ({ server, tool }) => runs.get(server)?.revoke(tool),
    end(server) {
      const isEmpty = runs.get(server)?.list().length === 0;
      return runs.delete(server) && !isEmpty;
    },
  };
}

class Run implements RunGrants {
  readonly identity: string;
  /** By the name of the tool. */
  readonly #tools = new Map<string, ForTool>();
  /** Of the tools that are called read-only: the definition under which each was first used. */
  readonly #used = new Map<string, string>();
  #readOnly: GrantReach | undefined;

  constructor(identity: string) {
    this.identity = identity;
  }

  cover(call: GrantedCall): string | undefined {
    const own = this.#tools.get(call.name);
    if (own?.digest === call.digest && reaches(own.reach, call) && (own.coversUnchecked || !call.isUnchecked))
      return 'always for this tool';
    if (this.#readOnly === undefined || !call.claimsReadOnly || call.isUnchecked || !reaches(this.#readOnly, call))
      return undefined;
    const used = this.#used.get(call.name);
    // It may be another tool by now, whatever its server still calls it.
    if (used !== undefined && used !== call.digest) return undefined;
    this.#used.set(call.name, call.digest);
    return 'always for tools called read-only';
  }

  give(kind: 'tool' | 'readOnly', call: GrantedCall): void {
    const reach = isOwn(call.caller) ? 'own' : 'everyone';
    if (kind === 'readOnly') {
      this.#readOnly = this.#readOnly === 'everyone' ? 'everyone' : reach;
      this.#used.set(call.name, call.digest);
      return;
    }
    const known = this.#tools.get(call.name);
    const isWider = known?.digest === call.digest && known.reach === 'everyone';
    const { digest, isUnchecked: coversUnchecked } = call;
    this.#tools.set(call.name, { digest, reach: isWider ? 'everyone' : reach, coversUnchecked });
  }

  list(): readonly Omit<ToolGrant, 'server'>[] {
    const tools = [...this.#tools].map(([tool, { reach }]) => ({ tool, reach }));
    return this.#readOnly === undefined ? tools : [{ tool: undefined, reach: this.#readOnly }, ...tools];
  }

  revoke(tool: string | undefined): void {
    if (tool !== undefined) {
      this.#tools.delete(tool);
      return;
    }
    this.#readOnly = undefined;
    this.#used.clear();
  }
}

/** A person calls it here, by what Patchbay shows them. */
export function isOwn(caller: Caller): boolean {
  return caller === 'form' || caller === 'again';
}

function reaches(reach: GrantReach, { caller }: GrantedCall): boolean {
  return reach === 'everyone' || isOwn(caller);
}
