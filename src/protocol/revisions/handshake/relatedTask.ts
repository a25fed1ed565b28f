import { isRecord, isString, type UnknownRecord } from '../../../base/json.ts';
import type { RequestHandler } from '../../incomingRequests.ts';

const relatedTask = 'io.modelcontextprotocol/related-task';

/** Copies `related-task` (2025-11-25, Basic / Utilities / Tasks, "Associating Task-Related Messages"). */
export function withRelatedTask(handler: RequestHandler): RequestHandler {
  return async (params, context) => {
    const related = readRelatedTask(params);
    if (related === undefined) return handler(params, context);
    const result: UnknownRecord = {
      ...(await handler(params, {
        ...context,
        reportProgress: (progress) => context.reportProgress({ ...progress, _meta: related }),
      })),
    };
    return { ...result, _meta: { ...(result['_meta'] as UnknownRecord | undefined), ...related } };
  };
}

function readRelatedTask({ _meta }: UnknownRecord): UnknownRecord | undefined {
  const related = isRecord(_meta) ? _meta[relatedTask] : undefined;
  const taskId = isRecord(related) ? related['taskId'] : undefined;
  return isString(taskId) ? { [relatedTask]: { taskId } } : undefined;
}
