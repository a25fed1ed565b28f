import { isRecord, isString } from '../base/json.ts';
import { modelLimits } from '../base/modelLimits.ts';
import type { ToolUseContent } from '../protocol/mcp/sampling.ts';

/**
 * The member of `_meta` of a `tool_use` with what its provider wants back in later requests (2025-11-25, Client Features /
 * Sampling, "Message Content Types"): `{ thoughtSignature }` of Gemini, which refuses a call of its newer models without it.
 */
export const providerMetadataKey = 'patchbay/providerMetadata';

/** @returns `_meta` for a call of a tool, from what the provider package says of it */
export function toolUseMeta(providerMetadata: unknown): Pick<ToolUseContent, '_meta'> {
  const parts = isRecord(providerMetadata) ? Object.values(providerMetadata) : [];
  const thoughtSignature = parts.map(signatureIn).find((signature) => signature !== undefined);
  return thoughtSignature === undefined ? {} : { _meta: { [providerMetadataKey]: { thoughtSignature } } };
}

/** @returns the signature in a `tool_use` that a server sends back, if it is one */
export function thoughtSignatureOf({ _meta }: ToolUseContent): string | undefined {
  return signatureIn(_meta?.[providerMetadataKey]);
}

function signatureIn(value: unknown): string | undefined {
  const signature = isRecord(value) ? value['thoughtSignature'] : undefined;
  // Base64, as a provider sends it: what a server puts there reaches the provider, and nothing else.
  const isValid =
    isString(signature) && signature.length <= modelLimits.answer.metadata && /^[\w+/=-]+$/.test(signature);
  return isValid ? signature : undefined;
}
