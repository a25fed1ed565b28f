import type { Memento, SecretStorage } from 'vscode';
import { raceAbort } from '../../base/abort.ts';
import { isRecord, isString } from '../../base/json.ts';
import type { ConfigurationSource } from '../../config/configuredServer.ts';
import { type InputDefinition, isSecretValue, type PickInput, type PromptInput } from '../../config/inputs.ts';
import type { ResolvedInput } from '../../config/variables.ts';

/** A value that is kept. */
export interface StoredInput {
  readonly source: Pick<ConfigurationSource, 'kind' | 'uri'>;
  readonly id: string;
  readonly isSecret: boolean;
}

/** Asks for the values of `${input:…}` and keeps them: hidden ones in the secret store, others in the editor's own state. */
export interface InputStore {
  /**
   * The value of an input: the kept one, else what a person answers now.
   * @param label the server that needs it, for the title
   * @throws a CancelledError when the question is closed, a PatchbayError when a command gives no text
   */
  resolve(
    source: ConfigurationSource,
    input: InputDefinition,
    label: string,
    signal: AbortSignal,
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

export function createInputStore(options: InputStoreOptions): InputStore {
  const { secrets } = options;
  const approvedCommands = new Set<string>();
  let queue: Promise<unknown> = Promise.resolve();

  const mementoFor = ({ uri }: StoredInput['source']): Memento =>
    uri === undefined ? options.globalState : options.workspaceState;

  async function read(stored: StoredInput): Promise<string | undefined> {
    const value = entriesOf(mementoFor(stored.source))[keyOf(stored)];
    if (!stored.isSecret) return isString(value) ? value : undefined;
    return secrets.get(keyOf(stored));
  }

  async function keep(stored: StoredInput, value: string): Promise<void> {
    if (stored.isSecret) await secrets.store(keyOf(stored), value);
    // The secret store cannot list its keys everywhere: `true` marks that there is one.
    await change(mementoFor(stored.source), (entries) => ({
      ...entries,
      [keyOf(stored)]: stored.isSecret ? true : value,
    }));
  }

  async function ask(
    source: ConfigurationSource,
    input: InputDefinition,
    label: string,
    signal: AbortSignal,
  ): Promise<ResolvedInput> {
    signal.throwIfAborted();
    // Most windows never ask.
    const { askCommand, askPick, askText } = await import('./askInput.ts');
    if (input.type === 'command') {
      const value = await askCommand(source, input, label, approvedCommands);
      return { value, isSecret: isSecretValue(input, value) };
    }
    const stored = { source, id: input.id, isSecret: input.type === 'promptString' && input.password };
    // Asked for again here: the answer may have come while this question waited for its turn.
    const known = await read(stored);
    if (known !== undefined && isStillOffered(input, known))
      return { value: known, isSecret: isSecretValue(input, known) };
    const value =
      input.type === 'pickString' ? await askPick(input, label, signal) : await askText(input, label, signal);
    await keep(stored, value);
    return { value, isSecret: isSecretValue(input, value) };
  }

  return {
    resolve(source, input, label, signal) {
      // The editor shows one question at a time; a second would close the first.
      const answer = queue.then(() => ask(source, input, label, signal));
      queue = answer.catch(() => {
        // Whoever asked hears of it; the next question does not mind.
      });
      return raceAbort(answer, signal);
    },
    keep,
    get stored() {
      return [...storedIn(options.workspaceState), ...storedIn(options.globalState)];
    },
    async forget(inputs) {
      for (const stored of inputs) {
        await secrets.delete(keyOf(stored));
        await change(mementoFor(stored.source), (entries) => {
          return Object.fromEntries(Object.entries(entries).filter(([key]) => key !== keyOf(stored)));
        });
      }
    },
  };
}

function isStillOffered(input: PromptInput | PickInput, value: string): boolean {
  return input.type === 'promptString' || input.options.some((option) => option.value === value);
}

function keyOf({ source, id }: StoredInput): string {
  return `patchbay.input:${JSON.stringify([source.kind, source.uri ?? null, id])}`;
}

function entriesOf(memento: Memento): Readonly<Record<string, unknown>> {
  const value = memento.get<unknown>(mementoKey);
  return isRecord(value) ? value : {};
}

async function change(
  memento: Memento,
  update: (entries: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): Promise<void> {
  await memento.update(mementoKey, update(entriesOf(memento)));
}

function storedIn(memento: Memento): StoredInput[] {
  return Object.entries(entriesOf(memento)).flatMap(([key, value]): StoredInput[] => {
    const parsed: unknown = JSON.parse(key.replace(/^patchbay\.input:/, ''));
    const [kind, uri, id] = Array.isArray(parsed) ? (parsed as unknown[]) : [];
    if (!isString(kind) || !isString(id)) return [];
    return [
      {
        source: { kind: kind as ConfigurationSource['kind'], uri: isString(uri) ? uri : undefined },
        id,
        isSecret: value === true,
      },
    ];
  });
}
