import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import { modelLimits } from '../base/modelLimits.ts';
import { getJson, type JsonAnswer, type Reach } from './boundedJson.ts';
import { readModels, type RemoteModel } from './remoteModels.ts';

/** A program on this machine that runs models. */
export interface LocalModelServer {
  /** For instance "Ollama". */
  readonly name: string;
  /** For {@link ModelConnection.baseUrl}, with `openai-chat`. */
  readonly baseUrl: string;
  readonly models: readonly RemoteModel[];
}

/** A port of this machine, and the program that usually listens there. */
export interface LocalPort {
  readonly port: number;
  readonly program: 'Ollama' | 'LM Studio' | 'llama.cpp' | 'vLLM';
}

/** Where programs that run models listen, unless they are told otherwise. */
export const localPorts: readonly LocalPort[] = [
  { port: 11434, program: 'Ollama' },
  { port: 1234, program: 'LM Studio' },
  { port: 8080, program: 'llama.cpp' },
  { port: 8000, program: 'vLLM' },
];

/**
 * Asks the ports of this machine for models, all at once, each for at most 1.5 seconds. The person has agreed
 * to it. Other servers on these ports are left out, and see a GET request without any secret.
 * @throws only the signal's reason
 */
export async function findLocalModelServers(reach: Reach, ports = localPorts): Promise<readonly LocalModelServer[]> {
  const found = await Promise.all(ports.map((port) => probe(port, reach)));
  reach.signal.throwIfAborted();
  return found.flatMap((server) => server ?? []);
}

async function probe({ port, program }: LocalPort, reach: Reach): Promise<LocalModelServer | undefined> {
  const origin = `http://127.0.0.1:${port}`;
  const isOllama = program === 'Ollama';
  const [list, version] = await Promise.all([
    get(`${origin}/v1/models`, reach),
    isOllama ? get(`${origin}/api/version`, reach) : undefined,
  ]);
  const entries = modelsIn(list);
  if (entries === undefined) return undefined;
  const isNamed = isOllama ? isOllamaVersion(version) : isMadeBy(program, entries);
  const models = readModels({ data: entries }, 'openai-chat').slice(0, modelLimits.list.models);
  return { name: isNamed ? program : `Model server on port ${port}`, baseUrl: `${origin}/v1`, models };
}

/** @returns `undefined` for no answer, or one of another program */
async function get(address: string, reach: Reach): Promise<JsonAnswer | undefined> {
  try {
    return await getJson(new URL(address), {}, modelLimits.list.milliseconds, reach);
  } catch {
    // No program listens there, or none that is meant. A cancellation is seen by the caller.
    return undefined;
  }
}

/** The list of models as OpenAI's API has it: `{ "object": "list", "data": [{ "id": …, "object": "model" }] }`. */
function modelsIn(answer: JsonAnswer | undefined): readonly UnknownRecord[] | undefined {
  if (answer?.status !== 200 || !isRecord(answer.body) || answer.body['object'] !== 'list') return undefined;
  const { data } = answer.body;
  // Ollama without any model says null.
  if (data === null) return [];
  const isModel = (entry: unknown): entry is UnknownRecord =>
    isRecord(entry) && isString(entry['id']) && entry['object'] === 'model';
  return Array.isArray(data) && data.every(isModel) ? data : undefined;
}

function isOllamaVersion(answer: JsonAnswer | undefined): boolean {
  return answer?.status === 200 && isRecord(answer.body) && isString(answer.body['version']);
}

/** Who owns the models tells the programs apart; LM Studio has no mark of its own. */
function isMadeBy(program: LocalPort['program'], entries: readonly UnknownRecord[]): boolean {
  const owners = new Set(entries.map((entry) => entry['owned_by']));
  if (program === 'llama.cpp') return owners.has('llamacpp');
  if (program === 'vLLM') return owners.has('vllm');
  return !owners.has('llamacpp') && !owners.has('vllm');
}
