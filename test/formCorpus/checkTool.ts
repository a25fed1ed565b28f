import { messageOf } from '../../src/base/errors.ts';
import { isRecord, isString, type JsonValue, type UnknownRecord } from '../../src/base/json.ts';
import { BranchMemory } from '../../src/forms/branchMemory.ts';
import { FormEngine } from '../../src/forms/formEngine.ts';
import { isSameJson } from '../../src/schema/schemaNode.ts';
import { countFields } from './countFields.ts';
import { examplesOf } from './examples.ts';
import { fieldsOf, rebuild } from './rebuild.ts';

/** One tool of a file. */
export interface CorpusTool {
  readonly name: string;
  readonly inputSchema: UnknownRecord;
}

/** What the form of one tool can do. */
export interface ToolReport {
  readonly name: string;
  readonly properties: number;
  readonly fields: number;
  readonly json: number;
  readonly examples: number;
  readonly failed: number;
  /** What is not whole. */
  readonly problems: readonly string[];
}

/** The form of a tool: its fields, and whether generated examples go from the form to JSON and back unchanged. */
export function checkTool({ name, inputSchema }: CorpusTool): ToolReport {
  const problems: string[] = [];
  let [fields, json, failed, examples] = [0, 0, 0, 0];
  try {
    const engine = new FormEngine(inputSchema);
    const counted = countFields(engine);
    fields = counted.fields;
    json = counted.json.length;
    problems.push(...counted.json.map((each) => `${each.name} is JSON: ${each.reason.replace(/\.$/, '')}`));
    for (const example of examplesOf(inputSchema)) {
      examples += 1;
      const problem = roundTripProblem(engine, example);
      if (problem === undefined) continue;
      failed += 1;
      problems.push(`${shown(example)} failed: ${problem}`);
    }
  } catch (error) {
    failed += 1;
    problems.push(messageOf(error));
  }
  return { name, properties: fields + json, fields, json, examples, failed, problems };
}

/** Builds a value with the form, writes it as JSON, and opens the form with that. */
function roundTripProblem(engine: FormEngine, example: JsonValue): string | undefined {
  const form = rebuild(engine, example);
  const [problem] = form.problems;
  if (problem !== undefined) return problem;
  if (!isSameJson(form.value, example)) return `it came back as ${shown(form.value)}`;
  const value = JSON.parse(JSON.stringify(form.value)) as JsonValue;
  const before = fieldsOf(engine, form);
  const after = fieldsOf(engine, { value, memory: new BranchMemory() });
  const different = before.find((field, index) => field !== after[index]);
  return before.length === after.length && different === undefined
    ? undefined
    : `as JSON it has other fields: ${different ?? after.find((field) => !before.includes(field)) ?? ''}`;
}

function shown(value: JsonValue | undefined): string {
  return (JSON.stringify(value) ?? '').slice(0, 300);
}

/** The tools in the text of a file: a list, or an object with a list `tools`. @throws {Error} for any other text */
export function readTools(path: string, text: string): readonly CorpusTool[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${messageOf(error)}`, { cause: error });
  }
  const list: unknown = isRecord(value) ? value['tools'] : value;
  if (!Array.isArray(list)) throw new Error(`${path} has no list of tools: write [{ "name", "inputSchema" }, …].`);
  return (list as unknown[]).map((tool, index) => {
    if (!isRecord(tool) || !isString(tool['name']) || !isRecord(tool['inputSchema']))
      throw new Error(`${path}: tool ${index + 1} needs a text "name" and an object "inputSchema".`);
    return { name: tool['name'], inputSchema: tool['inputSchema'] };
  });
}
