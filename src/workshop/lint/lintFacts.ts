import type { Implementation } from '../../protocol/mcp/base.ts';
import type { Prompt } from '../../protocol/mcp/prompts.ts';
import type { Resource, ResourceTemplate } from '../../protocol/mcp/resources.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';

/** What is known of a server: what it listed, and what it was seen to do. Nothing is asked of it. */
export interface LintFacts {
  /** What the server is called in its configuration: hosts put it before the names of tools. */
  readonly label: string;
  readonly serverInfo?: Implementation | undefined;
  readonly instructions?: string | undefined;
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
  /** Absent where nothing was watched: the rules about it say *nothing to check*. */
  readonly observed?: LintObservations | undefined;
}

export interface LintObservations {
  /** Lines on standard output that were no messages; absent for a server that is not reached by stdio. */
  readonly stdoutNoise?: readonly string[] | undefined;
  /** How many they were, where their text is not kept. */
  readonly ignoredLines?: number | undefined;
  /** Results of calls: whether each has structured content, and a text beside it. */
  readonly results?: readonly ObservedResult[];
  /** Codes with which the server has refused what does not exist. */
  readonly refusals?: readonly ObservedRefusal[];
}

export interface ObservedResult {
  readonly tool: string;
  readonly hasStructuredContent: boolean;
  /** The text blocks of the result. */
  readonly texts: readonly string[];
  /** `structuredContent` as JSON. */
  readonly structured?: string;
}

export interface ObservedRefusal {
  readonly of: 'unknownTool' | 'unknownPrompt' | 'unknownResource';
  /** Of the JSON-RPC error; absent where the server answered with a result. */
  readonly code?: number;
}
