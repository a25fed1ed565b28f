import { messageOf } from '../../base/errors.ts';
import { firstDifference } from '../../base/jsonDifference.ts';
import { parseExactly } from '../../base/exactIntegers.ts';
import { jsonPath } from '../../base/jsonPath.ts';
import { isRecord, parseJson, toJsonText } from '../../base/json.ts';
import { describeProblem } from '../../base/schemaCheck.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import type { CheckFailure } from '../checks/checkResult.ts';
import type { CallAnswers } from './callAnswers.ts';
import { jsonAtQuery } from './jsonQuery.ts';
import { readSnapshotText, snapshotPath, toSnapshot } from './resultSnapshot.ts';
import type { Expectation, SavedCallTest } from './savedCallTests.ts';

/** What a call gave. */
export interface ToolAnswer {
  readonly result: CallToolResult;
  /** From sending the call to its result, without what came before: a start, a question. */
  readonly durationMs: number;
  /** What breaks the tool's own output schema, one sentence each. */
  readonly problems: readonly string[];
}

/** An expectation that was not met. */
export interface TestFailure extends CheckFailure {
  readonly line: number;
}

/** What an update of snapshots writes. */
export interface SnapshotUpdate {
  /** From the folder of the workspace. */
  readonly path: string;
  readonly text: string;
}

export interface JudgePorts {
  readonly validator: SchemaValidator;
  readonly redactor: Redactor;
  /** @param path see {@link snapshotPath}. @returns `undefined` where there is none */
  readonly readSnapshot: (path: string) => Promise<string | undefined>;
  /** Where it is given, snapshots that are missing or different are written instead of failing. */
  readonly writeSnapshot?: (update: SnapshotUpdate) => Promise<void>;
}

export interface Judgement {
  readonly failures: readonly TestFailure[];
  readonly snapshot: SnapshotUpdate | undefined;
}

/** Characters of one value in a message, and of one side of a difference; paths that are listed. */
const shown = { value: 300, side: 100_000, paths: 20 };

/** Holds a result against what its test expects. An error of the tool is one without `"isError": true`, whatever else is expected. */
export async function judgeResult(
  test: SavedCallTest,
  answer: ToolAnswer,
  answers: CallAnswers,
  ports: JudgePorts,
): Promise<Judgement> {
  const { expect } = test;
  const { result } = answer;
  const lineOf = (key: keyof Expectation): number => test.lines[key] ?? test.line;
  const text = (value: string, maximum: number): string => ports.redactor.text(value, maximum);
  const failures: TestFailure[] = [];
  const isErrorExpected = expect.isError ?? false;
  if (result.isError !== isErrorExpected) {
    const said = text(textOf(result), shown.value);
    const message = result.isError ? `The tool answered with an error: ${said}` : 'The tool answered without an error.';
    failures.push({
      message,
      line: lineOf('isError'),
      expected: `isError: ${isErrorExpected}`,
      actual: `isError: ${result.isError}`,
    });
  }
  for (const problem of answer.problems)
    failures.push({ message: `The result breaks the tool's output schema. ${text(problem, 1_000)}`, line: test.line });
  failures.push(...judgeText(expect, result, lineOf('text'), text));
  failures.push(...judgePaths(expect, result, lineOf('paths'), text));
  if (expect.schema !== undefined) failures.push(...(await judgeSchema(test, expect.schema, result, ports)));
  if (expect.maximumMs !== undefined && answer.durationMs > expect.maximumMs) {
    const took = Math.round(answer.durationMs);
    failures.push({
      message: `The call took ${took} ms, more than ${expect.maximumMs} ms.`,
      line: lineOf('maximumMs'),
    });
  }
  for (const { line } of answers.unused) failures.push({ message: 'The tool did not ask for this answer.', line });
  // An error is not kept by accident: it must be expected.
  if (expect.snapshot === undefined || result.isError !== isErrorExpected) return { failures, snapshot: undefined };
  const { failure, update } = await judgeSnapshot(test, result, ports, lineOf('snapshot'));
  return { failures: failure === undefined ? failures : [...failures, failure], snapshot: update };
}

type Show = (value: string, maximum: number) => string;

function judgeText({ text = [] }: Expectation, result: CallToolResult, line: number, show: Show): TestFailure[] {
  const whole = textOf(result);
  const missing = text.filter((part) => !whole.includes(part));
  if (missing.length === 0) return [];
  // Searched for secrets once.
  const actual = show(whole, shown.side);
  const said = whole === '' ? 'There is no text.' : `The text is “${truncateWithCount(actual, shown.value)}”.`;
  return missing.map((part) => ({
    message: `The text of the result does not contain “${show(part, shown.value)}”. ${said}`,
    line,
    expected: show(part, shown.side),
    actual,
  }));
}

function judgePaths({ paths = [] }: Expectation, result: CallToolResult, line: number, show: Show): TestFailure[] {
  if (paths.length === 0) return [];
  const value = valueOf(result);
  if (value === undefined) return [{ message: withoutValue, line }];
  const written = (each: unknown): string =>
    each === undefined ? '(nothing)' : show(toJsonText(each, shown.side), shown.side);
  const failures: TestFailure[] = [];
  for (const { path, steps, value: expected, line: own } of paths) {
    const actual = jsonAtQuery(value, steps);
    const difference = actual === undefined ? undefined : firstDifference(expected, actual);
    if (actual !== undefined && difference === undefined) continue;
    if (failures.length === shown.paths) {
      // Each one is searched for secrets.
      failures.push({ message: 'More paths differ. They are not listed.', line: own });
      break;
    }
    const place =
      difference === undefined || difference.path.length === 0
        ? ''
        : ` It differs first at ${jsonPath(difference.path)} of that.`;
    const sides = { expected: written(expected), actual: actual === undefined ? '' : written(actual) };
    const [is, wanted] = [sides.actual, sides.expected].map((each) => truncateWithCount(each, shown.value));
    const message =
      actual === undefined ? `The result has nothing at ${path}.` : `${path} is ${is}, not ${wanted}.${place}`;
    failures.push({ message, line: own, ...sides });
  }
  return failures;
}

async function judgeSchema(
  test: SavedCallTest,
  schema: Readonly<Record<string, unknown>>,
  result: CallToolResult,
  { validator, redactor }: JudgePorts,
): Promise<readonly TestFailure[]> {
  const line = test.lines.schema ?? test.line;
  const value = valueOf(result);
  if (value === undefined) return [{ message: withoutValue, line }];
  const validation = await validator.validate(test.server, schema, value);
  if (validation.kind === 'valid') return [];
  // What was expected and not checked has not passed.
  if (validation.kind === 'unsupported')
    return [{ message: `The expected schema could not be checked: ${validation.reason}.`, line }];
  return validation.problems.slice(0, 5).map((problem) => {
    const message = `The result does not match the expected schema: ${describeProblem(problem, value, 'it')}`;
    return { message: redactor.text(message, 1_000), line };
  });
}

async function judgeSnapshot(
  test: SavedCallTest,
  result: CallToolResult,
  { redactor, readSnapshot, writeSnapshot }: JudgePorts,
  line: number,
): Promise<{ readonly failure?: TestFailure; readonly update?: SnapshotUpdate }> {
  const { ignore } = test.expect;
  const made = await toSnapshot(result, redactor, ignore);
  if ('refusal' in made) return { failure: { message: made.refusal, line } };
  const path = await snapshotPath(test);
  const update = { path, text: made.text };
  const kept = await readSnapshot(path);
  const before = kept === undefined ? undefined : readSnapshotText(kept, ignore);
  // A name that was hidden may not be at its place in the order.
  if (before !== undefined && before === readSnapshotText(made.text)) return {};
  if (writeSnapshot !== undefined) {
    try {
      await writeSnapshot(update);
      return {};
    } catch (error) {
      return { failure: { message: `${path} was not written. ${messageOf(error)}`, line } };
    }
  }
  if (kept === undefined)
    return { update, failure: { message: `There is no snapshot yet. ${updating} ${path}.`, line } };
  const message =
    before === undefined
      ? `${path} is not JSON, or too large. ${updating} it again.`
      : `The result is not the one of ${path}.${whereOf(before, made.text, redactor)} If the result is right: ${updating} it.`;
  const expected = redactor.text(before ?? kept, shown.side);
  return { update, failure: { message, line, expected, actual: redactor.text(made.text, shown.side) } };
}

/** The first place where two snapshots differ, as a sentence with both values. */
function whereOf(before: string, after: string, redactor: Redactor): string {
  const kept = parseExactly(before);
  // Of what a text has as well, this says more.
  const ordered = isRecord(kept) && 'structuredContent' in kept ? { structuredContent: undefined, ...kept } : kept;
  const difference = firstDifference(ordered, parseExactly(after));
  if (difference === undefined) return '';
  const written = (each: unknown): string =>
    each === undefined ? 'nothing' : redactor.text(toJsonText(each, shown.value), shown.value);
  const place = redactor.text(jsonPath(difference.path), shown.value);
  return ` It differs first at ${place}: ${written(difference.right)}, not ${written(difference.left)}.`;
}

const updating = '“Update Snapshots of Saved Calls…” in VS Code, or “patchbay test --update-snapshots”, writes';

const withoutValue =
  'The result has no structured content, and its text is not one JSON value. Expect a "text" instead.';

/** What schemas and paths look at: the structured content; without any, what the only text is as JSON. */
function valueOf({ structuredContent, content }: CallToolResult): unknown {
  if (structuredContent !== undefined) return structuredContent;
  const [only, ...others] = content;
  return only?.type === 'text' && others.length === 0 ? parseJson(only.text) : undefined;
}

function textOf({ content }: CallToolResult): string {
  const texts = content.map((block) => {
    if (block.type === 'text') return block.text;
    return block.type === 'resource' ? (block.resource.text ?? '') : '';
  });
  return texts.filter((text) => text !== '').join('\n');
}
