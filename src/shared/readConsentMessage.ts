import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import { type ConsentEdits, type ConsentFromPanel, type GrantOffer, grantLimits } from './consentMessages.ts';

/**
 * Checks a message from the consent panel.
 * @returns `undefined` for a message that is not valid in all parts; callers treat it as a refusal
 */
export function readConsentMessage(value: unknown): ConsentFromPanel | undefined {
  if (!isRecord(value)) return undefined;
  if (value['type'] === 'ready') return { type: 'ready' };
  const { type, id, text } = value;
  if (!isWhole(id, 0)) return undefined;
  switch (type) {
    case 'decline':
    case 'retry':
    case 'withhold':
      return { type, id };
    case 'answer':
    case 'send':
      return isString(text) ? { type, id, text } : undefined;
    case 'approve':
      return readApproval(value, id);
    default:
      return undefined;
  }
}

function readApproval(value: UnknownRecord, id: number): ConsentFromPanel | undefined {
  const edits = readEdits(value['edits']);
  const model = value['model'];
  if (edits === undefined || !isString(model) || model === '') return undefined;
  if (value['grant'] === undefined || value['grant'] === null)
    return { type: 'approve', id, edits, model, grant: undefined };
  const grant = readGrant(value['grant']);
  return grant && { type: 'approve', id, edits, model, grant };
}

function readEdits(value: unknown): ConsentEdits | undefined {
  if (!isRecord(value)) return undefined;
  const { messages, systemPrompt, maxTokens } = value;
  if (!Array.isArray(messages) || !isString(systemPrompt) || !isWhole(maxTokens, 1)) return undefined;
  const read: (string | undefined)[][] = [];
  for (const blocks of messages as unknown[]) {
    if (!Array.isArray(blocks)) return undefined;
    // JSON has no `undefined`: it becomes null.
    const texts = (blocks as unknown[]).map((text) => text ?? undefined);
    if (!texts.every((text) => text === undefined || isString(text))) return undefined;
    read.push(texts);
  }
  return { messages: read, systemPrompt, maxTokens };
}

function readGrant(value: unknown): GrantOffer | undefined {
  if (!isRecord(value)) return undefined;
  const { requests, maxTokens, maxCharacters, minutes } = value;
  if (!isWhole(requests, grantLimits.requests.minimum, grantLimits.requests.maximum)) return undefined;
  if (!isWhole(minutes, grantLimits.minutes.minimum, grantLimits.minutes.maximum)) return undefined;
  if (!isWhole(maxCharacters, grantLimits.characters.minimum, grantLimits.characters.maximum)) return undefined;
  return isWhole(maxTokens, 1) ? { requests, maxTokens, maxCharacters, minutes } : undefined;
}

function isWhole(value: unknown, minimum: number, maximum = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
}
