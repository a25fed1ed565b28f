import { copyDigits } from '../../base/exactIntegers.ts';
import { isRecord, isString, type JsonObject, type UnknownRecord } from '../../base/json.ts';
import { formatCount } from '../../base/truncate.ts';
import { type JsonNode, nodeAt, propertyOf } from '../../config/jsonDocument.ts';
import { idPart } from '../checks/checkResult.ts';
import { isFormContent } from '../../schema/flatForm.ts';
import type { ElicitationAnswer, FileAnswers, SamplingAnswer } from './callAnswers.ts';
import { type ManySteps, parseJsonQuery, parseManyQuery } from './jsonQuery.ts';
import { type ParsedCall, parseSavedCalls } from './savedCallText.ts';

/** A value at one place of the result. `line` counts from 1. */
export interface PathExpectation {
  readonly path: string;
  readonly steps: readonly (string | number)[];
  readonly value: unknown;
  readonly line: number;
}

/** What the result of a call must be. Each member is checked by itself. */
export interface Expectation {
  readonly isError?: boolean;
  readonly schema?: UnknownRecord;
  readonly paths?: readonly PathExpectation[];
  /** `true` for a file with a name of its own. */
  readonly snapshot?: true | string;
  /** Places whose values a snapshot does not hold: they differ from call to call. */
  readonly ignore?: readonly ManySteps[];
  readonly maximumMs?: number;
  /** Each of them is contained in the text of the result. */
  readonly text?: readonly string[];
}

/** One call of the file with one set of arguments, as a test. */
export interface SavedCallTest {
  /** `saved/<server>/<tool>/<call>`, and `/<case>` for a case; `/` and `%` in names are percent-encoded. */
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly call: string;
  readonly case: string | undefined;
  readonly arguments: JsonObject;
  readonly expect: Expectation;
  readonly answers: FileAnswers;
  /** Where it is in the file; lines count from 1. */
  readonly line: number;
  /** Of the call, also for a case of it. */
  readonly callLine: number;
  readonly lines: Readonly<Partial<Record<keyof Expectation, number>>>;
  /** Why it cannot be run, in full sentences, each with its line; empty if it can. */
  readonly faults: readonly TestFault[];
}

export interface TestFault {
  readonly message: string;
  readonly line: number;
}

const testLimits = { cases: 200, tests: 5_000, ignored: 20, paths: 200, texts: 20, answers: 100, faults: 10 };

/** Characters of all cases of a file, each with what its call has: that of few lines could become any amount. */
const maximumCharacters = 2_000_000;

const expectKeys: readonly string[] = ['isError', 'schema', 'paths', 'snapshot', 'ignore', 'maximumMs', 'text'];
const caseKeys: readonly string[] = ['name', 'arguments', 'expect', 'answers', 'description'];

/**
 * Reads the tests of a file. Never throws: a call with a wrong expectation is a test that has faults.
 * @returns `problems`: what is no call at all
 */
export function readSavedCallTests(text: string) {
  const { root, calls, problems } = parseSavedCalls(text);
  const lineOf = createLines(text);
  const tests: SavedCallTest[] = [];
  const room = { characters: maximumCharacters };
  for (const call of calls) {
    const node = nodeAt(root, ['calls', call.index]);
    if (node !== undefined) tests.push(...testsOf(call, node, lineOf, room));
  }
  const faults = problems.map(({ message, range }) => ({ message, line: lineOf(range?.offset ?? 0) }));
  const beyond = tests[testLimits.tests];
  if (beyond !== undefined)
    faults.push({ message: `Only the first ${testLimits.tests} tests are run.`, line: beyond.line });
  return { tests: tests.slice(0, testLimits.tests), problems: faults };
}

/** @returns what gives the line of an offset, from 1 */
function createLines(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** @param room what the cases of the file may still have */
function testsOf(
  call: ParsedCall,
  node: JsonNode,
  lineOf: (offset: number) => number,
  room: { characters: number },
): readonly SavedCallTest[] {
  const reader = new TestReader(lineOf);
  const common = reader.read(node, { expect: {}, lines: {}, answers: noAnswers });
  const id = `saved/${[call.server, call.tool, call.name].map(idPart).join('/')}`;
  const own = { server: call.server, tool: call.tool, call: call.name };
  const list = propertyOf(node, 'cases')?.value;
  if (list !== undefined && list.type !== 'array')
    reader.fault('"cases" must be a list of { "name": …, "arguments": … }.', list);
  const items = list?.type === 'array' ? list.items : [];
  if (items.length > testLimits.cases) reader.fault(`A call has at most ${testLimits.cases} cases.`, list);
  const ofCases = list?.range.length ?? 0;
  const characters = items.length * (node.range.length - ofCases) + ofCases;
  if (items.length > 0 && characters > room.characters)
    reader.fault(
      `The cases of the file, each with what its call has, have at most ${formatCount(maximumCharacters)} characters: these are too many.`,
      list,
    );
  else room.characters -= characters;
  const callLine = lineOf(node.range.offset);
  const whole = { ...own, ...common, id, case: undefined, arguments: call.arguments, line: callLine, callLine };
  if (items.length === 0 || reader.faults.length > 0) return [{ ...whole, faults: reader.faults }];
  const names = new Set<string>();
  return items.map((item, index) => {
    const each = new TestReader(lineOf);
    const name = each.caseName(item, index, names);
    const args = propertyOf(item, 'arguments')?.value.value ?? {};
    if (!isRecord(args)) each.fault('"arguments" must be an object.', item);
    const merged = isRecord(args) ? mergeArguments(call.arguments, args as JsonObject) : call.arguments;
    const read = each.read(item, common);
    const line = lineOf(item.range.offset);
    return {
      ...whole,
      ...read,
      id: `${id}/${idPart(name)}`,
      case: name,
      arguments: merged,
      line,
      faults: each.faults,
    };
  });
}

const noAnswers: FileAnswers = { elicitation: [], sampling: [] };

type Read = Pick<SavedCallTest, 'expect' | 'lines' | 'answers'>;

/** Reads the parts of one test, and collects what is wrong with them. */
class TestReader {
  readonly #lineOf: (offset: number) => number;
  readonly faults: TestFault[] = [];

  constructor(lineOf: (offset: number) => number) {
    this.#lineOf = lineOf;
  }

  fault(message: string, { range }: Pick<JsonNode, 'range'> = { range: { offset: 0, length: 0 } }): undefined {
    if (this.faults.length < testLimits.faults) this.faults.push({ message, line: this.#lineOf(range.offset) });
    return undefined;
  }

  caseName(item: JsonNode, index: number, taken: Set<string>): string {
    const given = propertyOf(item, 'name')?.value.value;
    const name = isString(given) && given.trim() !== '' ? given.slice(0, 100) : `case ${index + 1}`;
    if (name !== given) this.fault('A case needs a "name" of at most 100 characters.', item);
    if (taken.has(name)) this.fault(`Another case “${name}” of this call comes first.`, item);
    const unknown = item.properties.find(({ key }) => !caseKeys.includes(key));
    if (unknown !== undefined) this.fault(`A case has no “${unknown.key.slice(0, 60)}”.`, unknown.value);
    taken.add(name);
    return name;
  }

  /** What a case says goes before what its call says, member by member. */
  read(node: JsonNode, base: Read): Read {
    const expect = propertyOf(node, 'expect')?.value;
    const answers = propertyOf(node, 'answers')?.value;
    const read = expect === undefined ? {} : this.#expectation(expect);
    const lines = Object.fromEntries(
      (expect?.properties ?? []).map(({ key, keyRange }) => [key, this.#lineOf(keyRange.offset)]),
    );
    return {
      expect: { ...base.expect, ...read },
      lines: { ...base.lines, ...lines },
      answers: answers === undefined ? base.answers : this.#answers(answers),
    };
  }

  #expectation(node: JsonNode): Expectation {
    if (node.type !== 'object') return this.fault('"expect" must be an object.', node) ?? {};
    const unknown = node.properties.find(({ key }) => !expectKeys.includes(key));
    if (unknown !== undefined)
      this.fault(
        `There is no expectation “${unknown.key.slice(0, 60)}”. There are ${expectKeys.join(', ')}.`,
        unknown.value,
      );
    const member = (key: string): JsonNode | undefined => propertyOf(node, key)?.value;
    const isError = this.#checked(member('isError'), isBoolean, '"isError" must be true or false.');
    const schema = this.#checked(member('schema'), isRecord, '"schema" must be a JSON Schema, which is an object.');
    const snapshot = this.#checked(member('snapshot'), isSnapshot, snapshotRule);
    const maximumMs = this.#checked(member('maximumMs'), isDuration, '"maximumMs" must be a number above 0.');
    const text = this.#checked(
      member('text'),
      isFewTexts,
      `"text" must be a text, or a list of at most ${testLimits.texts} texts.`,
    );
    const paths = member('paths');
    const ignore = this.#checked(member('ignore'), isTexts, ignoreRule);
    return {
      ...(isError !== undefined && { isError }),
      ...(schema !== undefined && { schema }),
      ...(snapshot !== undefined && { snapshot }),
      ...(maximumMs !== undefined && { maximumMs }),
      ...(text !== undefined && { text: isString(text) ? [text] : text }),
      ...(paths !== undefined && { paths: this.#paths(paths) }),
      ...(ignore !== undefined && { ignore: this.#ignored(isString(ignore) ? [ignore] : ignore, member('ignore')) }),
    };
  }

  #checked<T>(node: JsonNode | undefined, check: (value: unknown) => value is T, rule: string): T | undefined {
    if (node === undefined) return undefined;
    return check(node.value) ? node.value : this.fault(rule, node);
  }

  #paths(node: JsonNode): readonly PathExpectation[] {
    if (node.type !== 'object')
      return this.fault('"paths" must be an object of a JSONPath and a value each.', node) ?? [];
    if (node.properties.length > testLimits.paths) this.fault(`There are at most ${testLimits.paths} paths.`, node);
    return node.properties.slice(0, testLimits.paths).flatMap(({ key, keyRange, value }) => {
      const steps = parseJsonQuery(key);
      if (steps !== undefined) return [{ path: key, steps, value: value.value, line: this.#lineOf(keyRange.offset) }];
      const rule =
        'A path leads to one place, as $.days[0]["wind speed"] does: names and indexes, no * and no filters.';
      this.fault(`“${key.slice(0, 60)}” is not a path. ${rule}`, { range: keyRange });
      return [];
    });
  }

  #ignored(paths: readonly string[], node: JsonNode | undefined): readonly ManySteps[] {
    // Each one may go through all of a large result.
    if (paths.length > testLimits.ignored) this.fault(`There are at most ${testLimits.ignored} paths to ignore.`, node);
    return paths.slice(0, testLimits.ignored).flatMap((path) => {
      const steps = parseManyQuery(path);
      if (steps !== undefined) return [steps];
      this.fault(`“${path.slice(0, 60)}” is not a path. ${ignoreRule}`, node);
      return [];
    });
  }

  #answers(node: JsonNode): FileAnswers {
    const list = (key: string): readonly JsonNode[] => {
      const found = propertyOf(node, key)?.value;
      if (found !== undefined && (found.type !== 'array' || found.items.length > testLimits.answers))
        this.fault(`"${key}" must be a list of at most ${testLimits.answers} answers.`, found);
      return found?.items.slice(0, testLimits.answers) ?? [];
    };
    const unknown = node.properties.find(({ key }) => key !== 'elicitation' && key !== 'sampling');
    if (node.type !== 'object' || unknown !== undefined)
      this.fault('"answers" has the lists "elicitation" and "sampling", and nothing else.', node);
    return {
      elicitation: list('elicitation').flatMap((item) => this.#elicitation(item) ?? []),
      sampling: list('sampling').flatMap((item) => this.#sampling(item) ?? []),
    };
  }

  #elicitation(node: JsonNode): ElicitationAnswer | undefined {
    const { match, action, content } = isRecord(node.value) ? node.value : {};
    const isAction = action === 'accept' || action === 'decline' || action === 'cancel';
    const isRight = isMatch(match) && isAction && (content === undefined || isFormContent(content));
    const rule =
      'An answer to a question is { "match": "part of its message", "action": "accept", "decline" or "cancel", "content": { … } }.';
    if (!isRight) return this.fault(rule, node);
    return { line: this.#lineOf(node.range.offset), match, action, content };
  }

  #sampling(node: JsonNode): SamplingAnswer | undefined {
    const { match, text } = isRecord(node.value) ? node.value : {};
    if (!isMatch(match) || !isString(text))
      return this.fault('An answer for a model is { "match": "part of the last message", "text": "…" }.', node);
    return { line: this.#lineOf(node.range.offset), match, text };
  }
}

/** The arguments of a case go before those of its call. */
function mergeArguments(common: JsonObject, own: JsonObject): JsonObject {
  return copyDigits(own, copyDigits(common, { ...common, ...own }));
}

const snapshotRule =
  '"snapshot" must be true, or the name of a file in .vscode/mcp-snapshots, such as "rain.json": letters, digits, ".", "-" and "_".';

const ignoreRule =
  '"ignore" is a path or a list of paths, such as $.time or $.items[*].id: names, indexes and [*], no filters.';

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

/** A name of a file only: it leads nowhere else, and is no device of Windows. */
function isSnapshot(value: unknown): value is true | string {
  if (!isString(value)) return value === true;
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}\.json$/.test(value) && !/^(con|prn|aux|nul|com\d|lpt\d)\./i.test(value);
}

function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value);
}

function isTexts(value: unknown): value is string | readonly string[] {
  return isString(value) || (Array.isArray(value) && value.every(isString));
}

function isFewTexts(value: unknown): value is string | readonly string[] {
  return isTexts(value) && (isString(value) || value.length <= testLimits.texts);
}

function isMatch(value: unknown): value is string | undefined {
  return value === undefined || isString(value);
}
