import { isRecord } from '../../base/json.ts';
import type { RequestId } from '../../protocol/jsonRpc.ts';
import type { TrafficLog } from './trafficLog.ts';
import type { TrafficRow } from './trafficRow.ts';

/** Which row of the traffic a request is. It stays true when the call is looked at later, or after a reload of the window. */
export interface SentRequest {
  /** The {@link TrafficLog.key} of the log that has the row. */
  readonly log: string;
  /** See {@link TrafficRow.position}. */
  readonly position: number;
  /** Of the JSON-RPC request. */
  readonly id: RequestId;
}

/** Where a request that is sent next will be: a message is followed in the turn in which it is sent. */
export function nextRequest(log: Pick<TrafficLog, 'key' | 'position'>, id: RequestId): SentRequest {
  return { log: log.key, position: log.position, id };
}

/** The row of the last one that is still kept: it has the answer. */
export function findRequest(log: TrafficLog, sent: readonly SentRequest[]): TrafficRow | undefined {
  for (const { log: key, position, id } of sent.toReversed()) {
    if (key !== log.key) continue;
    // A batch has several rows of one position.
    for (const row of log.since(position)) {
      if (row.position > position) break;
      if (row.isForgotten || (isRecord(row.request) && row.request['id'] === id)) return row;
    }
  }
  return undefined;
}
