import { isRecord } from '../../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';

/**
 * True for the answers to `resources/read` that mean "there is no such resource": -32002 in all revisions up to
 * 2025-11-25, -32602 since, and what servers written from drafts and articles say instead.
 */
export function isResourceNotFound(error: unknown): boolean {
  if (!(error instanceof JsonRpcError)) return false;
  if (error.code === ErrorCodes.resourceNotFound) return true;
  if (error.code !== -32001 && error.code !== ErrorCodes.invalidParams) return false;
  return (isRecord(error.data) && 'uri' in error.data) || /not found|unknown resource/i.test(error.message);
}
