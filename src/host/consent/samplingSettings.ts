import { defaultSamplingLimits, type SamplingLimits } from '../../client/sampling/samplingRules.ts';
import { personalSetting } from '../platform/settings.ts';

/** The limits that the person set under `patchbay.sampling`; the default for a value that is not a positive number. */
export function readSamplingLimits(): SamplingLimits {
  const read = (name: string, fallback: number): number => {
    const value = personalSetting(`sampling.${name}`);
    return typeof value === 'number' && value > 0 ? value : fallback;
  };
  return {
    ...defaultSamplingLimits,
    maximumTokens: read('maxTokens', defaultSamplingLimits.maximumTokens),
    maximumRounds: read('maxRounds', defaultSamplingLimits.maximumRounds),
    dailyTokens: readDailyTokens(),
  };
}

/** @returns the tokens of a day that rules may use: `patchbay.sampling.dailyTokens`; `undefined` for 0, no limit */
export function readDailyTokens(): number | undefined {
  const value = personalSetting('sampling.dailyTokens');
  if (value === 0) return undefined;
  return typeof value === 'number' && value > 0 ? value : defaultSamplingLimits.dailyTokens;
}

/** Whether the audit log has the texts of requests and answers: `patchbay.audit.bodies`. */
export function recordsBodies(): boolean {
  return personalSetting('audit.bodies') === true;
}
