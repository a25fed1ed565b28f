import type { Caller } from './ports.ts';

/**
 * Whose calls a grant covers: those the person makes here, or those of every caller. It follows the caller that was
 * asked about.
 */
export type GrantReach = 'own' | 'everyone';

/** A grant as it is listed. */
export interface ToolGrant {
  readonly server: string;
  /** The tool; `undefined` for all tools that the server marks as read-only. */
  readonly tool: string | undefined;
  readonly reach: GrantReach;
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
  /** The address of the app that calls. */
  readonly app?: string | undefined;
}

interface SingleToolGrant {
  readonly digest: string;
  readonly reach: GrantReach;
  /** It was given for arguments that could not be checked. */
  readonly coversUnchecked: boolean;
}

/** The grants of a window; each lasts as long as its server runs. */
export class ToolGrants {
  readonly #runs = new Map<string, RunGrants>();

  get all(): readonly ToolGrant[] {
    return [...this.#runs].flatMap(([server, run]) => run.list().map((grant) => ({ server, ...grant })));
  }

  /** The grants of the current run; another identity under the same label starts without any. */
  run(server: string, identity: string): RunGrants {
    const known = this.#runs.get(server);
    if (known?.identity === identity) return known;
    const run = new RunGrants(identity);
    this.#runs.set(server, run);
    return run;
  }

  revoke({ server, tool, app }: ToolGrant): void {
    this.#runs.get(server)?.of(app).revoke(tool);
  }

  /** The server has stopped: removes its grants. @returns whether there were any */
  end(server: string): boolean {
    const isEmpty = this.#runs.get(server)?.list().length === 0;
    return this.#runs.delete(server) && !isEmpty;
  }
}

/** The grants for one run of one server, or for one app of it. They end with the run. */
export class RunGrants {
  readonly identity: string;
  /** By the name of the tool. */
  readonly #tools = new Map<string, SingleToolGrant>();
  /** The digest of each read-only tool when the read-only grant first covered it. */
  readonly #used = new Map<string, string>();
  #readOnly: GrantReach | undefined;
  /** What is allowed to each app; nothing else counts for it. */
  readonly #apps = new Map<string, RunGrants>();

  constructor(identity: string) {
    this.identity = identity;
  }

  /** The grants of an app; these for all else. */
  of(app: string | undefined): RunGrants {
    if (app === undefined) return this;
    const known = this.#apps.get(app) ?? new RunGrants(this.identity);
    this.#apps.set(app, known);
    return known;
  }

  /** @returns which grant covers the call, in a few words for the audit log; `undefined` if none does */
  findGrant(call: GrantRequest): string | undefined {
    return this.of(call.app).#find(call);
  }

  /** Adds a grant for the tool of `call`, or for all read-only tools. */
  grant(kind: 'tool' | 'readOnly', call: GrantRequest): void {
    this.of(call.app).#grant(kind, call);
  }

  #find(call: GrantRequest): string | undefined {
    const own = this.#tools.get(call.name);
    if (own?.digest === call.digest && isWithinReach(own.reach, call) && (own.coversUnchecked || !call.isUnchecked))
      return 'always for this tool';
    if (
      this.#readOnly === undefined ||
      !call.claimsReadOnly ||
      call.isUnchecked ||
      !isWithinReach(this.#readOnly, call)
    )
      return undefined;
    const used = this.#used.get(call.name);
    // The definition has changed: it may be a different tool, even if the server still marks it as read-only.
    if (used !== undefined && used !== call.digest) return undefined;
    this.#used.set(call.name, call.digest);
    return 'always for tools called read-only';
  }

  #grant(kind: 'tool' | 'readOnly', call: GrantRequest): void {
    const reach = isOwnCall(call.caller) ? 'own' : 'everyone';
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
    const apps = [...this.#apps].flatMap(([app, grants]) => grants.list().map((grant) => ({ ...grant, app })));
    const readOnly = this.#readOnly === undefined ? [] : [{ tool: undefined, reach: this.#readOnly }];
    return [...readOnly, ...tools, ...apps];
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

function isWithinReach(reach: GrantReach, { caller }: GrantRequest): boolean {
  return reach === 'everyone' || isOwnCall(caller);
}
