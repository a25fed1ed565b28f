import type { Memento, SecretStorage } from 'vscode';
import { raceAbort } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isRecord, isString } from '../../base/json.ts';
import type { ConfigurationSource } from '../../config/configuredServer.ts';
import { type InputDefinition, isSecretValue, type PickInput, type PromptInput } from '../../config/inputs.ts';
import type { ResolvedInput } from '../../config/expandVariables.ts';
import type { CommandInputs } from './askCommand.ts';
import { type RequestedBy, UnrequestedStartError } from './requester.ts';

/** The server and the target that get the value of an input. Another server or target asks for it again. */
export interface InputConsumer {
  /** The label of the server. */
  readonly label: string;
  /** The command or URL that gets the value; see `inputTarget`. */
  readonly target: string;
}

/** Who a question is asked for, and until when. */
export interface PromptContext {
  /** Called when the question is about to be shown, because it may have waited for others. */
  readonly requestedBy: () => RequestedBy;
  readonly signal: AbortSignal;
}

export interface StoredInput {
  readonly source: Pick<ConfigurationSource, 'kind' | 'uri'>;
  readonly id: string;
  /** `undefined` for values stored by an earlier version, which are never used. */
  readonly usedBy: InputConsumer | undefined;
  readonly isSecret: boolean;
}

/** Asks for the values of `${input:…}` and stores them: passwords in the secret storage, others in the state of VS Code. */
export interface InputStore extends Disposable {
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
  ): Promise<ResolvedInput>;
  /** What is known of an input before anyone is asked: its value is the reference to it. */
  describe(source: ConfigurationSource, input: InputDefinition, user: InputConsumer): Promise<ResolvedInput>;
  /** Stores a value that is already known, for instance of an imported server. */
  keep(input: StoredInput, value: string): Promise<void>;
  stored(): Promise<readonly StoredInput[]>;
  forget(inputs: readonly StoredInput[]): Promise<void>;
}

export interface InputStoreOptions {
  readonly secrets: SecretStorage;
  readonly workspaceState: Memento;
  readonly globalState: Memento;
}

const mementoKey = 'patchbay.inputs';

/** Most windows never ask. */
const questions = () => import('./askInput.ts');

interface StoredValues extends Pick<InputStore, 'keep' | 'forget'> {
  readonly stored: readonly StoredInput[];
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
    // A value that an earlier version has stored without a server is never used.
    const unbound = { ...stored, usedBy: undefined };
    if (Object.hasOwn(entriesOf(mementoFor(stored.source)), keyOf(unbound))) await forget([unbound]);
    if (stored.isSecret) await secrets.store(keyOf(stored), value);
    // The secret storage of some editors cannot list its keys: `true` marks that there is a secret.
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

/** Reads nothing before a value is needed. */
export function createInputStore(options: InputStoreOptions): InputStore {
  const values = createStoredValues(options);
  let commands: CommandInputs | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function readKnown(
    source: ConfigurationSource,
    input: PromptInput | PickInput,
    user: InputConsumer,
  ): Promise<string | undefined> {
    const known = await values.read(storedInput(source, input, user));
    return known !== undefined && isStillOffered(input, known) ? known : undefined;
  }

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
    if (input.type === 'command') {
      requireRequester();
      const { createCommandInputs } = await questions();
      commands ??= createCommandInputs();
      const value = await commands.run(source, input, user);
      return { value, isSecret: isSecretValue(input, value), isSaved: false, isResult: true };
    }
    // Read again here: the value may have been entered while this question waited.
    const known = await readKnown(source, input, user);
    if (known !== undefined) return { value: known, isSecret: isSecretValue(input, known), isSaved: true };
    requireRequester();
    const { askPick, askText } = await questions();
    const stored = storedInput(source, input, user);
    const value = input.type === 'pickString' ? await askPick(input, user, signal) : await askText(input, user, signal);
    await values.keep(stored, value);
    return { value, isSecret: isSecretValue(input, value), isSaved: false };
  }

  return {
    resolve(source, input, user, asking) {
      // VS Code shows one question at a time; a second one would close the first.
      const answer = queue.then(() => ask(source, input, user, asking));
      queue = answer.catch(() => {
        // The caller gets the error; the next question is asked all the same.
      });
      return raceAbort(answer, asking.signal);
    },
    async describe(source, input, user) {
      const reference = `\${input:${input.id}}`;
      if (input.type === 'command')
        return { value: reference, isSecret: isSecretValue(input, reference), isSaved: false, isResult: true };
      const known = await readKnown(source, input, user);
      return { value: reference, isSecret: isSecretValue(input, known ?? reference), isSaved: known !== undefined };
    },
    keep: (stored, value) => values.keep(stored, value),
    stored: () => Promise.resolve(values.stored),
    forget: (inputs) => values.forget(inputs),
    dispose: () => commands?.dispose(),
  };
}

function storedInput(source: ConfigurationSource, input: PromptInput | PickInput, usedBy: InputConsumer): StoredInput {
  return { source, id: input.id, usedBy, isSecret: input.type === 'promptString' && input.password };
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
