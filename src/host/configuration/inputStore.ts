import type { Memento, SecretStorage } from 'vscode';
import { raceAbort } from '../../base/abort.ts';
import { isRecord, isString } from '../../base/json.ts';
import type { ConfigurationSource } from '../../config/configuredServer.ts';
import { type InputDefinition, isSecretValue, type PickInput, type PromptInput } from '../../config/inputs.ts';
import type { ResolvedInput } from '../../config/expandVariables.ts';
import { type RequestedBy, UnrequestedStartError } from './requester.ts';

/** Who gets the value of an input. Another who wants it asks for it again. */
export interface InputConsumer {
  /** Of the server. */
  readonly label: string;
  /** What it goes to; see `inputTarget`. */
  readonly target: string;
}

/** On whose behalf a person is asked, and until when. */
export interface PromptContext {
  /** Looked at when the question is due: it may have waited for its turn. */
  readonly requestedBy: () => RequestedBy;
  readonly signal: AbortSignal;
}

/** A value that is kept. */
export interface StoredInput {
  readonly source: Pick<ConfigurationSource, 'kind' | 'uri'>;
  readonly id: string;
  /** Unknown of values that an earlier version has kept: these are given to nobody. */
  readonly usedBy: InputConsumer | undefined;
  readonly isSecret: boolean;
}

/** Asks for the values of `${input:…}` and keeps them: hidden ones in the secret store, others in the editor's own state. */
export interface InputStore {
  /**
   * The value of an input: the one kept for this user, else what a person answers now.
   * @throws a CancelledError when the question is closed, an `UnattendedStart` where nobody can be asked, a PatchbayError
   *   when a command gives no text
   */
  resolve(
    source: ConfigurationSource,
    input: InputDefinition,
    user: InputConsumer,
    asking: PromptContext,
  ): Promise<ResolvedInput>;
  /** Keeps a value that is known already, as for an imported server. */
  keep(input: StoredInput, value: string): Promise<void>;
  readonly stored: readonly StoredInput[];
  forget(inputs: readonly StoredInput[]): Promise<void>;
}

export interface InputStoreOptions {
  readonly secrets: SecretStorage;
  readonly workspaceState: Memento;
  readonly globalState: Memento;
}

const mementoKey = 'patchbay.inputs';

/** Where the values are. */
interface StoredValues extends Pick<InputStore, 'keep' | 'stored' | 'forget'> {
  read(stored: StoredInput): Promise<string | undefined>;
}

function createStoredValues(options: InputStoreOptions): StoredValues {
  const { secrets } = options;
  const mementoFor = ({ uri }: StoredInput['source']): Memento =>
    uri === undefined ? options.globalState : options.workspaceState;

  async function read(stored: StoredInput): Promise<string | undefined> {
    const value = entriesOf(mementoFor(stored.source))[keyOf(stored)];
    if (!stored.isSecret) return isString(value) ? value : undefined;
    return secrets.get(keyOf(stored));
  }

  async function keep(stored: StoredInput, value: string): Promise<void> {
    // What an earlier version has kept without saying for whom is never used again.
    const unbound = { ...stored, usedBy: undefined };
    if (Object.hasOwn(entriesOf(mementoFor(stored.source)), keyOf(unbound))) await forget([unbound]);
    if (stored.isSecret) await secrets.store(keyOf(stored), value);
    // The secret store cannot list its keys everywhere: `true` marks that there is one.
    await updateEntries(mementoFor(stored.source), (entries) => ({
      ...entries,
      [keyOf(stored)]: stored.isSecret ? true : value,
    }));
  }

  async function forget(inputs: readonly StoredInput[]): Promise<void> {
    for (const stored of inputs) {
      await secrets.delete(keyOf(stored));
      await updateEntries(mementoFor(stored.source), (entries) => {
        return Object.fromEntries(Object.entries(entries).filter(([key]) => key !== keyOf(stored)));
      });
    }
  }

  return {
    read,
    keep,
    forget,
    get stored() {
      return [...readStoredInputs(options.workspaceState), ...readStoredInputs(options.globalState)];
    },
  };
}

export function createInputStore(options: InputStoreOptions): InputStore {
  const values = createStoredValues(options);
  const approvedCommands = new Set<string>();
  let queue: Promise<unknown> = Promise.resolve();

  async function ask(
    source: ConfigurationSource,
    input: InputDefinition,
    user: InputConsumer,
    { requestedBy, signal }: PromptContext,
  ): Promise<ResolvedInput> {
    signal.throwIfAborted();
    const requireRequester = (): void => {
      if (requestedBy() === 'nobody')
        throw new UnrequestedStartError(user.label, `it needs a value for its input "${input.id}"`);
    };
    // Most windows never ask.
    const { askCommand, askPick, askText } = await import('./askInput.ts');
    if (input.type === 'command') {
      requireRequester();
      const value = await askCommand(source, input, user, approvedCommands);
      return { value, isSecret: isSecretValue(input, value), isSaved: false };
    }
    const isSecret = input.type === 'promptString' && input.password;
    const stored: StoredInput = { source, id: input.id, usedBy: user, isSecret };
    // Asked for again here: the answer may have come while this question waited for its turn.
    const known = await values.read(stored);
    if (known !== undefined && isStillOffered(input, known))
      return { value: known, isSecret: isSecretValue(input, known), isSaved: true };
    requireRequester();
    const value = input.type === 'pickString' ? await askPick(input, user, signal) : await askText(input, user, signal);
    await values.keep(stored, value);
    return { value, isSecret: isSecretValue(input, value), isSaved: false };
  }

  return {
    resolve(source, input, user, asking) {
      // The editor shows one question at a time; a second would close the first.
      const answer = queue.then(() => ask(source, input, user, asking));
      queue = answer.catch(() => {
        // Whoever asked hears of it; the next question does not mind.
      });
      return raceAbort(answer, asking.signal);
    },
    keep: (stored, value) => values.keep(stored, value),
    get stored() {
      return values.stored;
    },
    forget: (inputs) => values.forget(inputs),
  };
}

function isStillOffered(input: PromptInput | PickInput, value: string): boolean {
  return input.type === 'promptString' || input.options.some((option) => option.value === value);
}

function keyOf({ source, id, usedBy }: StoredInput): string {
  const place = [source.kind, source.uri ?? null, id];
  return `patchbay.input:${JSON.stringify(usedBy === undefined ? place : [...place, usedBy.label, usedBy.target])}`;
}

function entriesOf(memento: Memento): Readonly<Record<string, unknown>> {
  const value = memento.get<unknown>(mementoKey);
  return isRecord(value) ? value : {};
}

async function updateEntries(
  memento: Memento,
  update: (entries: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): Promise<void> {
  await memento.update(mementoKey, update(entriesOf(memento)));
}

function readStoredInputs(memento: Memento): StoredInput[] {
  return Object.entries(entriesOf(memento)).flatMap(([key, value]): StoredInput[] => {
    const parsed: unknown = JSON.parse(key.replace(/^patchbay\.input:/, ''));
    const [kind, uri, id, label, target] = Array.isArray(parsed) ? (parsed as unknown[]) : [];
    if (!isString(kind) || !isString(id)) return [];
    return [
      {
        source: { kind: kind as ConfigurationSource['kind'], uri: isString(uri) ? uri : undefined },
        id,
        usedBy: isString(label) && isString(target) ? { label, target } : undefined,
        isSecret: value === true,
      },
    ];
  });
}
