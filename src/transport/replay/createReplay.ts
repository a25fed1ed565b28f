import type { Clock } from '../../base/clock.ts';
import type { ReplayMode } from '../../base/launchPlan.ts';
import { limits } from '../../base/limits.ts';
import { readOrdinaryFile } from '../stdio/ordinaryFile.ts';
import { ReplayTransport } from './replayTransport.ts';

/** @param path of a recorded session. @returns a transport that plays it as its server */
export function createReplay(path: string, mode: ReplayMode, clock: Clock): ReplayTransport {
  return new ReplayTransport(path, mode, {
    clock,
    readRecording: (file) => readOrdinaryFile(file, limits.session.bytes),
  });
}
