import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { summarise } from '../workshop/checks/summarise.ts';
import type { Options } from './arguments.ts';
import { exitCodes, UsageError } from './exitCodes.ts';
import type { Output } from './output.ts';
import { jsonReport } from './reports/jsonReport.ts';
import { junitReport } from './reports/junitReport.ts';
import type { Report } from './reports/report.ts';
import { sarifReport } from './reports/sarifReport.ts';
import { textReport } from './reports/textReport.ts';

/** Writes a report as the options ask for it. @returns the exit code of its results */
export async function writeReport(report: Report, options: Options, output: Output): Promise<number> {
  await writeLines(formatted(report, options, output), options, output);
  if (options.output !== undefined) for (const line of textReport(report, output.isVerbose)) output.print(line);
  const results = report.suites.flatMap((suite) => suite.results);
  return summarise(results, report.isStrict).hasFailed ? exitCodes.findings : exitCodes.fine;
}

/** To the file of `--output`, otherwise to standard output. @throws {UsageError} */
export async function writeLines(
  lines: readonly string[],
  { output: file }: Pick<Options, 'output'>,
  { print }: Output,
): Promise<void> {
  if (file === undefined) {
    for (const line of lines) print(line);
    return;
  }
  try {
    await writeFile(resolve(file), `${lines.join('\n')}\n`);
  } catch (error) {
    throw new UsageError(`The report cannot be written: ${messageOf(error)}.`);
  }
}

function formatted(report: Report, { format }: Options, { isVerbose }: Output): readonly string[] {
  switch (format) {
    case 'text':
      return textReport(report, isVerbose);
    case 'json':
      return jsonReport(report);
    case 'junit':
      return junitReport(report);
    case 'sarif':
      return sarifReport(report);
  }
}
