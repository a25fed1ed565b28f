import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { messageOf } from '../../src/base/errors.ts';
import { checkTool, readTools } from './checkTool.ts';

// Tries the forms of real tools: node dist/test/formCorpus.mjs FILES…

/** Of one tool, in its line. */
const maximumProblems = 10;

async function main(files: readonly string[]): Promise<number> {
  if (files.length === 0) throw new Error('Give files with tools: node dist/test/formCorpus.mjs FILES…');
  const texts = await Promise.all(files.map(async (path) => [path, await readFile(path, 'utf8')] as const));
  const reports = texts.flatMap(([path, text]) => readTools(path, text)).map(checkTool);
  for (const { name, problems } of reports) {
    const more = problems.length > maximumProblems ? `; and ${problems.length - maximumProblems} more` : '';
    if (problems.length > 0) console.log(`${name}: ${problems.slice(0, maximumProblems).join('; ')}${more}`);
  }
  const sum = (of: (report: (typeof reports)[number]) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  const failed = sum((report) => report.failed);
  console.log(
    `${reports.length} tools, ${sum((report) => report.properties)} properties, ${sum((report) => report.fields)} as fields, ` +
      `${sum((report) => report.json)} as JSON, ${failed} round trips failed`,
  );
  return failed === 0 ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(messageOf(error));
    process.exitCode = 1;
  },
);
