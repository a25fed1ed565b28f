import { isRecord, isString } from '../../base/json.ts';
import { launchIdentity } from '../../client/connection/launchIdentity.ts';
import type { Server } from '../../client/server/managedServer.ts';
import { noisePrefix } from '../../client/trace/connectionTap.ts';
import type { TrafficLog } from '../../client/trace/trafficLog.ts';
import type { TrafficRow, TrafficSource } from '../../client/trace/trafficRow.ts';
import { isToolCall } from '../../protocol/mcp/tools.ts';
import type { LintFacts, LintObservations, ObservedRefusal, ObservedResult } from './lintFacts.ts';

/** The latest rows that are looked at, and characters of a result that is judged. */
const bounds = { rows: 20_000, characters: 200_000 };

/** What the lint takes of a running server, and of its traffic. */
export function lintFactsOf(
  label: string,
  { contents, session, ignoredLines }: Pick<Server, 'contents' | 'session' | 'ignoredLines'>,
  traffic: TrafficLog,
): LintFacts {
  const listed = { ...contents, label, serverInfo: session?.server, instructions: session?.instructions };
  return withObserved(listed, traffic, session?.transport === 'stdio', ignoredLines);
}

/** Facts with what the traffic has of the server. Only over stdio is output that is no message noise. */
export function withObserved(
  facts: LintFacts,
  traffic: TrafficLog,
  isStdio: boolean,
  ignoredLines?: number,
): LintFacts {
  const { stdoutNoise, ...seen } = observeTraffic(traffic, facts) ?? {};
  return { ...facts, observed: isStdio ? { ...seen, ignoredLines, stdoutNoise } : seen };
}

/**
 * What a server was seen to do, from the traffic that is kept: the latest result of each tool that it lists now, the latest refusal of
 * each kind, and output that was no message. Earlier runs of the same program count. Sends nothing. A message is parsed at each access:
 * only those of rows that matter are looked at.
 */
export function observeTraffic(
  log: TrafficLog,
  { label, tools }: Pick<LintFacts, 'label' | 'tools'>,
): LintObservations | undefined {
  const rows = rowsOf(log, label);
  const [latest] = rows;
  if (latest === undefined) return undefined;
  const results = new Map<string, ObservedResult>();
  for (const row of rows) {
    const { subject: tool } = row;
    if (tool === undefined || results.has(tool) || !isToolCall(row.method)) continue;
    const result = resultOf(row, tool);
    if (result !== undefined) results.set(tool, result);
  }
  const listed = new Set(tools.map(({ name }) => name));
  return {
    results: [...results.values()].filter(({ tool }) => listed.has(tool)),
    refusals: refusalsIn(rows, listed),
    stdoutNoise: noiseIn(rows.filter(({ source }) => source === latest.source)),
  };
}

/** The rows of the program that has the label now, the latest first. */
function rowsOf(log: TrafficLog, label: string): readonly TrafficRow[] {
  // Before the last id is asked for.
  log.read();
  const rows = [...log.from(log.nextId - bounds.rows)]
    .filter(({ source }) => source.label === label && source.peer === 'server')
    .toReversed();
  const identities = new Map<TrafficSource, string>();
  const identityOf = (source: TrafficSource): string => {
    const known = identities.get(source) ?? launchIdentity(source.plan);
    identities.set(source, known);
    return known;
  };
  const [latest] = rows;
  return rows.filter(({ source }) => latest !== undefined && identityOf(source) === identityOf(latest.source));
}

function resultOf(row: TrafficRow, tool: string): ObservedResult | undefined {
  if (row.state !== 'ok' || row.direction !== 'sent' || row.isForgotten || row.size > bounds.characters)
    return undefined;
  const { answer } = row;
  const result = isRecord(answer) ? answer['result'] : undefined;
  if (!isRecord(result) || !Array.isArray(result['content'])) return undefined;
  const { content, structuredContent } = result;
  const texts = (content as readonly unknown[]).flatMap((block) =>
    isRecord(block) && block['type'] === 'text' && isString(block['text']) ? [block['text']] : [],
  );
  const hasStructuredContent = structuredContent !== undefined;
  return {
    tool,
    hasStructuredContent,
    texts,
    ...(hasStructuredContent && { structured: JSON.stringify(structuredContent) }),
  };
}

const lists = [
  { of: 'unknownTool', list: 'tools/list', isUse: isToolCall, member: 'tools' },
  { of: 'unknownPrompt', list: 'prompts/list', isUse: (method: string) => method === 'prompts/get', member: 'prompts' },
] as const;

/** A read that fails may have other reasons: only one that says so is a refusal of what does not exist. */
const missingResource = /\bunknown resource\b|\bresource\b.{0,200}\b(?:not found|does not exist)\b/is;

function refusalsIn(rows: readonly TrafficRow[], tools: ReadonlySet<string>): readonly ObservedRefusal[] {
  const named = lists.flatMap(({ of, list, isUse, member }): readonly ObservedRefusal[] => {
    const known = new Set(of === 'unknownTool' ? tools : []);
    const whole = new Set<TrafficSource>();
    for (const row of rows) {
      if (row.method !== list) continue;
      const { source, request, answer } = row;
      for (const name of namesIn(answer, member)) known.add(name);
      // A list is whole where its first page is kept.
      if (isRecord(request) && !(isRecord(request['params']) && 'cursor' in request['params'])) whole.add(source);
    }
    const latest = rows.find(
      ({ source, method, subject, hasAnswer }) =>
        isUse(method) && hasAnswer && subject !== undefined && !known.has(subject) && whole.has(source),
    );
    return latest === undefined ? [] : [refusal(of, latest)];
  });
  const resource = rows.find(
    (row) => row.method === 'resources/read' && row.state === 'error' && missingResource.test(errorIn(row.answer)),
  );
  return resource === undefined ? named : [...named, refusal('unknownResource', resource)];
}

function refusal(of: ObservedRefusal['of'], { code }: TrafficRow): ObservedRefusal {
  return code === undefined ? { of } : { of, code };
}

function namesIn(answer: unknown, member: string): readonly string[] {
  const result = isRecord(answer) ? answer['result'] : undefined;
  const entries = isRecord(result) ? result[member] : undefined;
  if (!Array.isArray(entries)) return [];
  return (entries as readonly unknown[]).flatMap((entry) =>
    isRecord(entry) && isString(entry['name']) ? [entry['name']] : [],
  );
}

function errorIn(answer: unknown): string {
  const error = isRecord(answer) ? answer['error'] : undefined;
  return isRecord(error) && isString(error['message']) ? error['message'].slice(0, 1_000) : '';
}

/** With secrets hidden: it is shown. */
function noiseIn(rows: readonly TrafficRow[]): readonly string[] {
  return rows
    .filter(({ kind }) => kind === 'note')
    .flatMap(({ request, source }) =>
      isString(request) && request.startsWith(noisePrefix)
        ? [source.redactor().text(request.slice(noisePrefix.length), 200)]
        : [],
    )
    .toReversed();
}
