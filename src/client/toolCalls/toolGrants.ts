import type { Caller } from './ports.ts';

export interface ToolGrant {
  readonly server: string;
  /** The tool; `undefined` for all tools that the server marks as read-only. */
  readonly tool: string | undefined;
  /** Whose calls it covers: those the person makes here, or those of every caller. It follows the caller that was asked about. */
  readonly reach: 'own' | 'everyone';
  /** The address of the app whose calls it covers, and no others. */
  readonly app?: string;
}

/** What grants are compared with. `digest` is that of the tool's definition. */
export interface GrantRequest {
  readonly name: string;
  readonly digest: string;
  readonly claimsReadOnly: boolean;
  readonly isUnchecked: boolean;
  readonly caller: Caller;
}

/** The grants of one run of a server: those of each app by its address, and those for all else under `undefined`. */
interface Run {
  readonly identity: string;
  readonly scopes: Map<string | undefined, GrantScope>;
}

/** The grants of a window; each lasts as long as its server runs. */
export class ToolGrants {
  readonly #runs = new Map<string, Run>();

  get all(): readonly ToolGrant[] {
    return [...this.#runs.keys()].flatMap((server) => this.#list(server));
  }

  /**
   * The grants of the current run; another identity under the same label starts without any.
   * @param app what is allowed to an app; nothing else counts for it
   */
  scope(server: string, identity: string, app: string | undefined): GrantScope {
    let run = this.#runs.get(server);
    if (run?.identity !== identity) {
      run = { identity, scopes: new Map([[undefined, new GrantScope()]]) };
      this.#runs.set(server, run);
    }
    const scope = run.scopes.get(app) ?? new GrantScope();
    run.scopes.set(app, scope);
    return scope;
  }

  revoke({ server, tool, app }: ToolGrant): void {
    this.#runs.get(server)?.scopes.get(app)?.revoke(tool);
  }

  /** The server has stopped: removes its grants. @returns whether there were any */
  end(server: string): boolean {
    const hadGrants = this.#list(server).length > 0;
    this.#runs.delete(server);
    return hadGrants;
  }

  #list(server: string): readonly ToolGrant[] {
    return [...(this.#runs.get(server)?.scopes ?? [])].flatMap(([app, scope]) =>
      scope.list().map((grant) => ({ server, ...grant, ...(app !== undefined && { app }) })),
    );
  }
}

/** What is allowed to one app, or to all other callers. */
export class GrantScope {
  /** By the name of the tool. `coversUnchecked`: it was given for arguments that could not be checked. */
  readonly #tools = new Map<string, Pick<ToolGrant, 'reach'> & { digest: string; coversUnchecked: boolean }>();
  /** The digest of each read-only tool when the read-only grant first covered it. */
  readonly #used = new Map<string, string>();
  #readOnly: ToolGrant['reach'] | undefined;

  /** @returns which grant covers the call, in a few words for the audit log; `undefined` if none does */
  find(call: GrantRequest): string | undefined {
    const isReached = (reach: ToolGrant['reach']): boolean => reach === 'everyone' || isOwnCall(call.caller);
    const own = this.#tools.get(call.name);
    if (own?.digest === call.digest && isReached(own.reach) && (own.coversUnchecked || !call.isUnchecked))
      return 'always for this tool';
    if (this.#readOnly === undefined || !isReached(this.#readOnly)) return undefined;
    if (!call.claimsReadOnly || call.isUnchecked) return undefined;
    const used = this.#used.get(call.name);
    // The definition has changed: it may be a different tool, even if the server still marks it as read-only.
    if (used !== undefined && used !== call.digest) return undefined;
    this.#used.set(call.name, call.digest);
    return 'always for tools called read-only';
  }

  /** Adds a grant for the tool of `call`, or for all read-only tools. */
  grant(kind: 'tool' | 'readOnly', call: GrantRequest): void {
    const { name, digest, isUnchecked: coversUnchecked } = call;
    const reach = isOwnCall(call.caller) ? 'own' : 'everyone';
    if (kind === 'readOnly') {
      this.#readOnly = this.#readOnly === 'everyone' ? 'everyone' : reach;
      this.#used.set(name, digest);
      return;
    }
    const known = this.#tools.get(name);
    const isWider = known?.digest === digest && known.reach === 'everyone';
    this.#tools.set(name, { digest, reach: isWider ? 'everyone' : reach, coversUnchecked });
  }

  list(): readonly Pick<ToolGrant, 'tool' | 'reach'>[] {
    const readOnly = this.#readOnly === undefined ? [] : [{ tool: undefined, reach: this.#readOnly }];
    return [...readOnly, ...[...this.#tools].map(([tool, { reach }]) => ({ tool, reach }))];
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

/** True if the person calls the tool in Patchbay's own user interface. */
export function isOwnCall(caller: Caller): boolean {
  return caller === 'form' || caller === 'again';
}
