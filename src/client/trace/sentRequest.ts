import { isRecord } from '../../base/json.ts';
import type { RequestId } from '../../protocol/jsonRpc.ts';
import type { TrafficLog } from './trafficLog.ts';
import type { TrafficRow } from './trafficRow.ts';

/** Which row of the traffic a request is. It stays true when the call is looked at later, or after a reload of the window. */
export interface SentRequest {
  /** The {@link TrafficLog.key} of the log that has the row. */
  readonly log: string;
  readonly row: number;
  /** Of the JSON-RPC request. */
  readonly id: RequestId;
}

/** Where a request that is sent next will be: a message is followed in the turn in which it is sent. */
export function nextRequest(log: Pick<TrafficLog, 'key' | 'nextId'>, id: RequestId): SentRequest {
  return { log: log.key, row: log.nextId, id };
}

/** The row of the last one that is still kept: it has the answer. */
export function findRequest(log: TrafficLog, sent: readonly SentRequest[]): TrafficRow | undefined {
  for (const { log: key, row: number, id } of sent.toReversed()) {
    const row = key === log.key ? log.row(number) : undefined;
    if (row !== undefined && (row.isForgotten || (isRecord(row.request) && row.request['id'] === id))) return row;
  }
  return undefined;
}
