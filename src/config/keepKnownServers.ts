import type { ParsedConfiguration } from './parseConfiguration.ts';

/**
 * While a file is not valid JSON, what it defined before still counts where it cannot be read now: a brace that is missing
 * for a moment, as an editor saves by itself, must not end servers that run.
 * @param previous what was read from the same file last, itself kept that way
 */
export function keepKnownServers(
  parsed: ParsedConfiguration,
  previous: ParsedConfiguration | undefined,
): ParsedConfiguration {
  if (previous === undefined || !parsed.problems.some(({ code }) => code === 'brokenJson')) return parsed;
  const labels = new Set(parsed.labels);
  const ids = new Set(parsed.inputs.map(({ id }) => id));
  const kept = previous.servers.filter(({ label }) => !labels.has(label));
  return {
    ...parsed,
    // Their place has moved, or is gone.
    servers: [...parsed.servers, ...kept.map((server) => ({ ...server, range: undefined }))],
    inputs: [...parsed.inputs, ...previous.inputs.filter(({ id }) => !ids.has(id))],
  };
}
