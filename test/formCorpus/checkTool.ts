import { messageOf } from '../../src/base/errors.ts';
import { isRecord, isString, type UnknownRecord } from '../../src/base/json.ts';
import { createFormEngine } from '../../src/forms/formEngine.ts';
import { countFields } from './countFields.ts';
import { examplesOf } from './examples.ts';
import { rebuild } from './rebuild.ts';

/** One tool of a file. */
export interface CorpusTool {
  readonly name: string;
  readonly inputSchema: UnknownRecord;
}

/** What the form of one tool can do. */
export interface ToolReport {
  readonly properties: number;
  readonly fields: number;
  readonly json: number;
  readonly examples: number;
  readonly failed: number;
  /** What is not whole, a line each. */
  readonly problems: readonly string[];
}

/** The form of a tool: its fields, and whether generated examples go from the form to JSON and back unchanged. */
export function checkTool({ name, inputSchema }: CorpusTool): ToolReport {
  const problems: string[] = [];
  let [fields, json, failed] = [0, 0, 0];
  const examples = examplesOf(inputSchema);
  try {
    const engine = createFormEngine(inputSchema);
    const counted = countFields(engine);
    fields = counted.fields;
    json = counted.json.length;
    problems.push(...counted.json.map((each) => `${name}: ${each.name} is JSON: ${each.reason}`));
    for (const example of examples) {
      const once = rebuild(engine, example);
      const text = JSON.stringify(once.value);
      const twice = once.value === undefined ? once : rebuild(engine, JSON.parse(text) as typeof example);
      const isSame = text === JSON.stringify(example) && once.kinds.join() === twice.kinds.join();
      if (isSame && once.misfits.length === 0) continue;
      failed += 1;
      const why = once.misfits[0] ?? `it came back as ${text.slice(0, 200)}`;
      problems.push(`${name}: ${JSON.stringify(example).slice(0, 200)} failed: ${why}`);
    }
  } catch (error) {
    failed += 1;
    problems.push(`${name}: ${messageOf(error)}`);
  }
  return { properties: fields + json, fields, json, examples: examples.length, failed, problems };
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
