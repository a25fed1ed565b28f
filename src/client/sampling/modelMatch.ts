import type { ModelPreferences } from '../../protocol/mcp/sampling.ts';
import type { ModelInfo } from './ports.ts';

/** The model to suggest, and the reason in a few words. */
export interface ModelMatch {
  readonly model: ModelInfo;
  readonly because: string;
}

/** Words in model names that mark small, fast models and large, capable ones: nothing else is known of a model. */
const smallMarks = ['mini', 'nano', 'flash', 'haiku', 'lite', 'small', 'tiny', 'turbo', 'fast', '8b', '3b', '1b'];
const largeMarks = ['opus', 'pro', 'ultra', 'large', 'max', 'o1', 'o3', 'sonnet', '70b', '405b'];

/**
 * Chooses by hints in their order (a substring of name, id or family), then by priorities, then the first model
 * (2025-11-25, Client Features / Sampling, "Model Preferences": hints before priorities, both advisory).
 * @returns `undefined` if there are no models
 */
export function matchModel(
  models: readonly ModelInfo[],
  preferences: ModelPreferences | undefined,
): ModelMatch | undefined {
  for (const { name } of preferences?.hints ?? []) {
    if (name === undefined || name === '') continue;
    const model = models.find((candidate) => mentions(candidate, name));
    if (model !== undefined) return { model, because: `it matches the server's hint "${name}"` };
  }
  return byPriority(models, preferences) ?? first(models);
}

function byPriority(models: readonly ModelInfo[], preferences: ModelPreferences | undefined): ModelMatch | undefined {
  const small = Math.max(preferences?.costPriority ?? 0, preferences?.speedPriority ?? 0);
  const large = preferences?.intelligencePriority ?? 0;
  if (small === large) return undefined;
  const marks = small > large ? smallMarks : largeMarks;
  const model = models.find((candidate) => isMarked(candidate, marks));
  const wish = small > large ? 'a fast and cheap model' : 'a capable model';
  return model && { model, because: `the server prefers ${wish}` };
}

function first(models: readonly ModelInfo[]): ModelMatch | undefined {
  const [model] = models;
  return model && { model, because: 'it is the first one available' };
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
