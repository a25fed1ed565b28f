import type { ExtensionContext, Memento } from 'vscode';
import { raceAbort } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isRecord, isString } from '../../base/json.ts';
import { type ConfigurationSource, type ConfiguredServer, isPersonal } from '../../config/configuredServer.ts';
import { type InputDefinition, isSecretValue, type PickInput, type PromptInput } from '../../config/inputs.ts';
import type { ResolvedInput } from '../../config/expandVariables.ts';
import type { CommandInputs, InputConsumer } from './askInput.ts';
import { type RequestedBy, UnrequestedStartError } from './requester.ts';

export interface PromptContext {
  /** Called when the question is about to be shown, because it may have waited for others. */
  readonly requestedBy: () => RequestedBy;
  readonly signal: AbortSignal;
}

interface StoredInput {
  readonly source: Pick<ConfigurationSource, 'kind' | 'uri'>;
  readonly id: string;
  readonly usedBy: InputConsumer;
  readonly isSecret: boolean;
}

const mementoKey = 'patchbay.inputs';

/**
 * Asks for the values of `${input:…}` and stores them: passwords in the secret storage, others in the state of VS Code. Reads
 * nothing before a value is needed.
 */
export class InputStore implements Disposable {
  readonly #storage: Pick<ExtensionContext, 'secrets'> & Record<'workspaceState' | 'globalState', Memento>;
  #commands: CommandInputs | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(storage: Pick<ExtensionContext, 'secrets'> & Record<'workspaceState' | 'globalState', Memento>) {
    this.#storage = storage;
  }

  /**
   * The value of an input: the stored one for this server and target, or what the person enters now.
   * @throws a CancelledError when the person closes the question, an {@link UnrequestedStartError} if no one can be asked,
   * a PatchbayError when a command gives no text
   */
  resolve(
    source: ConfigurationSource,
    input: InputDefinition,
    user: InputConsumer,
    asking: PromptContext,
  ): Promise<ResolvedInput> {
    // VS Code shows one question at a time; a second one would close the first.
    const answer = this.#queue.then(() => this.#ask(source, input, user, asking));
    this.#queue = answer.catch(() => {
      // The caller gets the error; the next question is asked all the same.
    });
    return raceAbort(answer, asking.signal);
  }

  /** What is known of an input before anyone is asked: its value is the reference to it. */
  async describe(source: ConfigurationSource, input: InputDefinition, user: InputConsumer): Promise<ResolvedInput> {
    const value = `\${input:${input.id}}`;
    if (input.type === 'command')
      return { value, isSecret: isSecretValue(input, value), isSaved: false, isResult: true };
    const known = await this.#read(source, input, user);
    return { value, isSecret: isSecretValue(input, known ?? value), isSaved: known !== undefined };
  }

  /** Stores a value that is already known, for instance of an imported server. */
  async keep(stored: StoredInput, value: string): Promise<void> {
    const memento = this.#mementoFor(stored);
    if (stored.isSecret) await this.#storage.secrets.store(keyOf(stored), value);
    // The secret storage of some editors cannot list its keys: `true` marks that there is a secret.
    const entry = stored.isSecret ? true : value;
    await memento.update(mementoKey, { ...entriesOf(memento), [keyOf(stored)]: entry });
  }

  stored(): readonly StoredInput[] {
    return [this.#storage.workspaceState, this.#storage.globalState].flatMap(readStoredInputs);
  }

  /** Keeps the values that a server was given under its other name. They go where they went before. */
  async rename({ label, source }: Pick<ConfiguredServer, 'label' | 'source'>, name: string): Promise<void> {
    const own = this.stored().filter(
      ({ usedBy, source: { kind, uri } }) => usedBy.label === label && kind === source.kind && uri === source.uri,
    );
    for (const stored of own) {
      const entry = entriesOf(this.#mementoFor(stored))[keyOf(stored)];
      const value = stored.isSecret ? await this.#storage.secrets.get(keyOf(stored)) : entry;
      if (isString(value)) await this.keep({ ...stored, usedBy: { ...stored.usedBy, label: name } }, value);
    }
    await this.forget(own);
  }

  async forget(inputs: readonly StoredInput[]): Promise<void> {
    for (const stored of inputs) {
      const memento = this.#mementoFor(stored);
      await this.#storage.secrets.delete(keyOf(stored));
      const { [keyOf(stored)]: _, ...others } = entriesOf(memento);
      await memento.update(mementoKey, others);
    }
  }

  dispose(): void {
    this.#commands?.dispose();
  }

  async #ask(
    source: ConfigurationSource,
    input: InputDefinition,
    user: InputConsumer,
    { requestedBy, signal }: PromptContext,
  ): Promise<ResolvedInput> {
    signal.throwIfAborted();
    // Read here: the value may have been entered while this question waited.
    const known = input.type === 'command' ? undefined : await this.#read(source, input, user);
    if (known !== undefined) return { value: known, isSecret: isSecretValue(input, known), isSaved: true };
    if (requestedBy() === 'nobody')
      throw new UnrequestedStartError(user.label, `it needs a value for its input "${input.id}"`);
    // Most windows never ask.
    const { CommandInputs, askPick, askText } = await import('./askInput.ts');
    if (input.type === 'command') {
      this.#commands ??= new CommandInputs();
      const value = await this.#commands.run(source, input, user);
      return { value, isSecret: isSecretValue(input, value), isSaved: false, isResult: true };
    }
    const value = await (input.type === 'pickString' ? askPick(input, user, signal) : askText(input, user, signal));
    await this.keep(storedInput(source, input, user), value);
    return { value, isSecret: isSecretValue(input, value), isSaved: false };
  }

  /** The stored value, unless a choice no longer offers it. */
  async #read(source: ConfigurationSource, input: PromptInput | PickInput, user: InputConsumer) {
    const stored = storedInput(source, input, user);
    const entry = entriesOf(this.#mementoFor(stored))[keyOf(stored)];
    const value = stored.isSecret ? await this.#storage.secrets.get(keyOf(stored)) : entry;
    if (!isString(value)) return undefined;
    return input.type === 'promptString' || input.options.some((option) => option.value === value) ? value : undefined;
  }

  #mementoFor({ source }: StoredInput): Memento {
    return isPersonal(source) ? this.#storage.globalState : this.#storage.workspaceState;
  }
}

function storedInput(source: ConfigurationSource, input: PromptInput | PickInput, usedBy: InputConsumer): StoredInput {
  return { source, id: input.id, usedBy, isSecret: input.type === 'promptString' && input.password };
}

function keyOf({ source, id, usedBy }: StoredInput): string {
  return `patchbay.input:${JSON.stringify([source.kind, source.uri ?? null, id, usedBy.label, usedBy.target])}`;
}

function entriesOf(memento: Memento): Readonly<Record<string, unknown>> {
  const value = memento.get<unknown>(mementoKey);
  return isRecord(value) ? value : {};
}

function readStoredInputs(memento: Memento): StoredInput[] {
  return Object.entries(entriesOf(memento)).flatMap(([key, value]): StoredInput[] => {
    const parsed: unknown = JSON.parse(key.replace(/^patchbay\.input:/, ''));
    const [kind, uri, id, label, target] = Array.isArray(parsed) ? (parsed as unknown[]) : [];
    if (!isString(kind) || !isString(id) || !isString(label) || !isString(target)) return [];
    const source = { kind: kind as ConfigurationSource['kind'], uri: isString(uri) ? uri : undefined };
    return [{ source, id, usedBy: { label, target }, isSecret: value === true }];
  });
}
