import type { JsonObject } from '../../src/base/json.ts';
import type { ListedCall } from '../../src/shared/callListMessages.ts';
import type { HistoryView, ToolView } from '../../src/shared/toolMessages.ts';

/** A tool with a field of each kind. */
export const toolView: ToolView = {
  server: 'weather',
  name: 'plan_trip',
  title: 'Plan a Trip',
  description: 'Plans a trip along **several stops**, with the weather of each. Writes nothing.',
  claims: [
    { icon: 'eye', label: 'only reads data', detail: 'According to its server, it only reads data.' },
    {
      icon: 'globe',
      label: 'contacts other systems',
      detail: 'According to its server, it contacts other systems, such as the web.',
    },
  ],
  taskSupport: 'A call may continue as a task.',
  schema: {
    type: 'object',
    properties: {
      traveller: { type: 'string', title: 'Who travels', description: 'Is written above the plan.', examples: ['Ada'] },
      start: { type: 'string', format: 'date' },
      budget: { type: ['number', 'null'], minimum: 0, description: 'In euros; null for no limit.' },
      speed: { type: 'string', enum: ['slow', 'fast'], default: 'slow' },
      nights: { type: 'boolean', description: 'Travel by night too.' },
      notes: { type: 'string', maxLength: 2_000, deprecated: true },
      way: {
        oneOf: [
          { title: 'Train', type: 'object', properties: { class: { type: 'integer', minimum: 1, maximum: 2 } } },
          { title: 'Address of a route', type: 'string', format: 'uri' },
        ],
      },
      stops: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1, maximum: 7 } },
          required: ['city'],
        },
      },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      position: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
      extra: { not: { type: 'null' }, $ref: 'https://example.com/elsewhere' },
    },
    required: ['traveller', 'stops'],
  },
  notices: ['The server "weather" is not running. The tool is shown as it was last seen.'],
  state: 'stopped',
  revision: 1,
};

/** Arguments with one fault: a stop of nine days. */
export const toolArguments: JsonObject = {
  traveller: 'Ada',
  start: '2026-03-01',
  budget: null,
  way: { class: 2 },
  stops: [
    { city: 'Lisbon', days: 9 },
    { city: 'Porto', days: 2 },
  ],
  labels: { team: 'blue' },
  position: [38.7, -9.1],
};

/** Calls that ended in every way. */
export const toolHistory: HistoryView = {
  entries: [
    {
      id: 'e',
      at: 1_700_000_005_000,
      durationMs: 1_200,
      outcome: 'done',
      words: [
        { text: 'traveller: "Ada"', differs: false },
        { text: 'stops[0].city: "Lisbon"', differs: true },
      ],
    },
    {
      id: 'd',
      at: 1_700_000_004_000,
      durationMs: 80,
      outcome: 'toolError',
      words: [{ text: 'traveller: "Ada"', differs: false }],
    },
    {
      id: 'c',
      at: 1_700_000_003_000,
      durationMs: 30,
      outcome: 'error',
      words: [{ text: 'traveller: "Grace"', differs: true }],
    },
    { id: 'b', at: 1_700_000_002_000, durationMs: 9_000, outcome: 'cancelled', words: [] },
    { id: 'a', at: 1_700_000_001_000, outcome: 'declined', words: [{ text: 'traveller: "Eve"', differs: true }] },
  ],
  more: 12,
  isKept: true,
};

/** Calls of several servers; the newest was two minutes before `now`. */
export function listedCalls(now: number): readonly ListedCall[] {
  return toolHistory.entries.map((entry, index) => ({
    ...entry,
    at: now - 120_000 - index * 3_600_000,
    server: index === 2 ? 'notes' : 'weather',
    tool: index === 2 ? 'search_a_long_name_of_a_tool_that_has_to_wrap_somewhere' : 'plan_trip',
    since: index === 3 ? 'changed' : index === 2 ? 'removed' : 'same',
  }));
}
