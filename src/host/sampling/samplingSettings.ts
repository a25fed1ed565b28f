import { workspace } from 'vscode';
import { defaultSamplingLimits, type SamplingLimits } from '../../client/sampling/samplingPolicy.ts';

/** The bounds the user set under `patchbay.sampling`; anything that is not a positive number leaves the default. */
export function samplingLimits(): SamplingLimits {
  const settings = workspace.getConfiguration('patchbay.sampling');
  const read = (name: string, fallback: number): number => {
    const value = settings.get<unknown>(name);
    return typeof value === 'number' && value > 0 ? value : fallback;
  };
  return {
    ...defaultSamplingLimits,
    maxTokens: read('maxTokens', defaultSamplingLimits.maxTokens),
    maxOpen: read('maxWaitingRequests', defaultSamplingLimits.maxOpen),
  };
}
