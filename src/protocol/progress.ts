import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { ownId } from './jsonRpc.ts';

/** Identifies the request that progress belongs to. */
export type ProgressToken = string | number;

/** Without `total`, `progress` only shows an increase (2025-11-25, Basic / Utilities / Progress). */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  readonly _meta?: UnknownRecord;
}

/** The progress token of a request; `undefined` where its sender wants no progress. */
export function readProgressToken(params: UnknownRecord): ProgressToken | undefined {
  const meta = params['_meta'];
  const token = isRecord(meta) ? meta['progressToken'] : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

export function withProgressToken(params: UnknownRecord = {}, progressToken: ProgressToken): UnknownRecord {
  if (!('_meta' in params)) return { _meta: { progressToken }, ...params };
  return Object.assign({}, params, { _meta: Object.assign({}, params['_meta'], { progressToken }) });
}

/** Reads the parameters of `notifications/progress`; `undefined` where they are invalid. */
export function readProgress(params: UnknownRecord): { token: ProgressToken; progress: Progress } | undefined {
  const { progressToken: token, progress: given, total, message } = params;
  if (typeof token !== 'string' && typeof token !== 'number') return undefined;
  const progress = isString(given) && /^\d+(?:\.\d+)?$/.test(given) ? Number(given) : given;
  if (typeof progress !== 'number') return undefined;
  return {
    token: ownId(token),
    progress: {
      progress,
      ...(typeof total === 'number' && { total }),
      ...(isString(message) && { message: message.slice(0, limits.text.progress) }),
    },
  };
}
