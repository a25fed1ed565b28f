import type { ModelInfo } from '../../models/modelGateway.ts';
import type { ModelPreferences } from '../../protocol/mcp/sampling.ts';

/** The model to suggest, and the reason as the end of a sentence. */
interface ModelMatch {
  readonly model: ModelInfo;
  readonly because: string;
}

/** Words in model names that mark small, fast models and large, capable ones: little else is known of a model. */
const smallMarks = 'mini nano flash haiku lite small tiny turbo fast 8b 7b 4b 3b 1b'.split(' ');
const largeMarks = 'opus pro ultra large max o1 o3 sonnet 70b 120b 405b'.split(' ');

/** Hints that count, which are as many as the panel shows. */
const maximumHints = 20;

/**
 * Chooses the model that the person chose for this server before; else by the hints in their order (a substring of name, id
 * or family); then by the three priorities; else the first (2025-11-25, Client Features / Sampling, "Model Preferences":
 * hints before priorities, both advisory).
 * @param chosen the id of the model that the person chose for this server
 * @returns `undefined` if there are no models
 */
export function chooseModel(
  models: readonly ModelInfo[],
  preferences: ModelPreferences | undefined,
  chosen: string | undefined,
): ModelMatch | undefined {
  const own = models.find(({ id }) => id === chosen);
  if (own !== undefined) return { model: own, because: 'you chose it for this server' };
  for (const { name } of (preferences?.hints ?? []).slice(0, maximumHints)) {
    if (name === undefined || name === '') continue;
    const hinted = models.filter((candidate) => mentions(candidate, name));
    const match = byPriorities(hinted, preferences)?.model ?? hinted[0];
    if (match !== undefined) return { model: match, because: `it matches the server's hint "${name}"` };
  }
  const [first] = models;
  return byPriorities(models, preferences) ?? (first && { model: first, because: 'it is the first one available' });
}

/** @returns `undefined` if the priorities tell no models apart */
function byPriorities(models: readonly ModelInfo[], preferences: ModelPreferences | undefined): ModelMatch | undefined {
  const { costPriority = 0, speedPriority = 0, intelligencePriority = 0 } = preferences ?? {};
  // How well a model does what each priority asks for, from 0 to 1, and the words for it.
  const qualities = [
    { weight: bounded(costPriority), score: cheapnessAmong(models), wish: 'low cost' },
    { weight: bounded(speedPriority), score: smallness, wish: 'speed' },
    { weight: bounded(intelligencePriority), score: (model: ModelInfo) => 1 - smallness(model), wish: 'intelligence' },
  ].filter(({ weight }) => weight > 0);
  if (qualities.length === 0) return undefined;
  const scores = models.map((model) => qualities.reduce((sum, { weight, score }) => sum + weight * score(model), 0));
  const best = Math.max(...scores);
  const model = models[scores.indexOf(best)];
  if (model === undefined || scores.every((score) => score === best)) return undefined;
  // "low cost (80 %), then intelligence (20 %)"
  const wishes = qualities
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ wish, weight }) => `${wish} (${Math.round(weight * 100)} %)`);
  return { model, because: `the server wants ${wishes.join(', then ')}` };
}

/** Priorities are 0 to 1; a server's may be anything. */
function bounded(priority: number): number {
  return Math.min(1, Math.max(0, Number.isFinite(priority) ? priority : 0));
}

/** The cheapest is 1, the dearest 0, if all prices are known; otherwise small models count as cheap. */
function cheapnessAmong(models: readonly ModelInfo[]): (model: ModelInfo) => number {
  const priceOf = ({ price }: ModelInfo): number | undefined => price && price.input + price.output;
  const prices = models.map(priceOf);
  if (!prices.every((price) => price !== undefined)) return smallness;
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  return (model) => (most === least ? 0.5 : (most - (priceOf(model) ?? most)) / (most - least));
}

/** 1 for a model whose name says that it is small and fast, 0 for a large one. */
function smallness(model: ModelInfo): number {
  if (isMarked(model, smallMarks)) return 1;
  return isMarked(model, largeMarks) ? 0 : 0.5;
}

/** Compares whole words: "gemini" does not contain "mini". */
function isMarked(model: ModelInfo, marks: readonly string[]): boolean {
  const words = `${model.id} ${model.name} ${model.family}`.toLowerCase().split(/[^a-z0-9]+/);
  return words.some((word) => marks.includes(word));
}

function mentions(model: ModelInfo, text: string): boolean {
  const wanted = text.toLowerCase();
  return [model.id, model.name, model.family].some((part) => part.toLowerCase().includes(wanted));
}
