import { canonicalJson } from '../../base/digest.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { CheckResult, Verdict } from '../checks/checkResult.ts';
import { CallAnswers } from './callAnswers.ts';
import { type Judgement, judgeResult, type JudgePorts, type TestFailure, type ToolAnswer } from './judgeResult.ts';
import { type FolderContext, resolveArguments } from './savedCallArguments.ts';
import { readSavedCallTests, type SavedCallTest } from './savedCallTests.ts';

/** A file of saved calls, as it was read. */
export interface SavedCallsFile extends FolderContext {
  /** As `place.path` of the results has it. */
  readonly path: string;
  readonly text: string;
}

/** One call that a test makes. */
export interface TestedCall {
  /** Of the test. */
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

export interface CallTestOptions {
  readonly signal: AbortSignal;
  /** Answers requests of the server that come while this call is on its way, and no others. */
  readonly answers: CallAnswers;
}

export interface SavedCallsPort extends JudgePorts {
  /**
   * Calls a tool through the gate for calls, on a server that is started where it does not run. Gives an error of the tool as a result, and
   * one that breaks the tool's output schema too.
   * @throws what the call throws
   */
  callTool(call: TestedCall, options: CallTestOptions): Promise<ToolAnswer>;
}

export interface RunSavedCallsOptions {
  readonly signal: AbortSignal;
  /** Which tests run; all of them without it. */
  readonly isWanted?: (test: SavedCallTest) => boolean;
  readonly onStart?: (test: SavedCallTest) => void;
}

/** The result of one test, or of the file as a whole. */
export interface SavedCallResult extends CheckResult, Pick<Judgement, 'snapshot'> {
  readonly failures: readonly TestFailure[];
  /** What was called and expected: a change of it makes `snapshot` stale. Empty for the file. */
  readonly fingerprint: string;
}

/**
 * Runs the tests of a file one after the other. Never throws: what goes wrong is a result. Ends early when it is cancelled.
 * Of the file itself there is a result only where a part of it cannot be used: `saved/file`.
 */
export async function* runSavedCalls(
  file: SavedCallsFile,
  port: SavedCallsPort,
  { signal, isWanted, onStart }: RunSavedCallsOptions,
): AsyncIterable<SavedCallResult> {
  const { tests, problems } = readSavedCallTests(file.text);
  if (problems.length > 0) yield fileResult(file, problems);
  for (const test of tests) {
    if (signal.aborted) return;
    if (isWanted?.(test) === false) continue;
    onStart?.(test);
    const result = await runTest(file, test, port, signal);
    if (result === undefined) return;
    yield result;
  }
}

/** What a test sends, as a text that changes with it; not the name of its server. */
export function sentBy({ tool, arguments: args, answers }: SavedCallTest): string {
  const given = [answers.elicitation, answers.sampling].map((list) =>
    list.map((answer) => ({ ...answer, line: undefined })),
  );
  return canonicalJson([tool, args, given]);
}

/** What a test sends and expects, as a text that changes with it; not the name of its server. */
export function fingerprintOf(test: SavedCallTest): string {
  const { expect } = test;
  const paths = expect.paths?.map(({ path, value }) => [path, value]);
  return canonicalJson([sentBy(test), { ...expect, paths }]);
}

/** @returns `undefined` if the run was cancelled meanwhile */
async function runTest(
  file: SavedCallsFile,
  test: SavedCallTest,
  port: SavedCallsPort,
  signal: AbortSignal,
): Promise<SavedCallResult | undefined> {
  const end = (verdict: Verdict, failures: readonly TestFailure[], more?: Partial<SavedCallResult>): SavedCallResult =>
    resultOf(file, test, verdict, failures, more);
  if (test.faults.length > 0) return end('failed', test.faults);
  const { args, left } = resolveArguments(test.arguments, file);
  if (left.length > 0) {
    const named = left.slice(0, 5).map((reference) => reference.slice(0, 60));
    const message = `The arguments contain ${named.join(', ')}, which only a person fills in: open the call instead.`;
    return end('notRun', [{ message, line: test.line }]);
  }
  const answers = new CallAnswers(test.answers);
  try {
    const { id, server, tool } = test;
    const answer = await port.callTool({ id, server, tool, arguments: args }, { signal, answers });
    const { failures, snapshot } = await judgeResult(test, answer, answers, port);
    const more = { durationMs: answer.durationMs, snapshot };
    return end(failures.length === 0 ? 'passed' : 'failed', failures, more);
  } catch (error) {
    if (signal.aborted) return undefined;
    if (isCancellation(error)) return end('notRun', [{ message: messageOf(error), line: test.line }]);
    const message = `The call failed: ${port.redactor.text(messageOf(error), 2_000)}`;
    return end('failed', [{ message, line: test.line }]);
  }
}

function resultOf(
  { path }: SavedCallsFile,
  test: SavedCallTest,
  verdict: Verdict,
  failures: readonly TestFailure[],
  more: Partial<SavedCallResult> = {},
): SavedCallResult {
  const title = test.case === undefined ? test.call : `${test.call}: ${test.case}`;
  const message = failures.map((failure) => failure.message).join('\n');
  return {
    id: test.id,
    title,
    verdict,
    subject: { kind: 'tool', name: test.tool },
    ...(message !== '' && { message }),
    references: [],
    place: { path, line: failures[0]?.line ?? test.line },
    failures,
    fingerprint: fingerprintOf(test),
    snapshot: undefined,
    ...more,
  };
}

function fileResult({ path }: SavedCallsFile, problems: readonly TestFailure[]): SavedCallResult {
  return {
    id: 'saved/file',
    title: 'All of the file can be used',
    verdict: 'failed',
    subject: { kind: 'server' },
    message: problems.map(({ message, line }) => `Line ${line}: ${message}`).join('\n'),
    references: [],
    place: { path, line: problems[0]?.line ?? 1 },
    failures: problems,
    fingerprint: '',
    snapshot: undefined,
  };
}
