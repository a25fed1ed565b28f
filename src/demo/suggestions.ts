/** Gives all values an argument can have, given the arguments settled so far. */
export type Suggest = (settled: Readonly<Record<string, string>>) => readonly string[];

/** By argument name. A map, as the client chooses the name that is looked up. */
export type Suggestions = ReadonlyMap<string, Suggest>;

export function createSuggestions(byArgument: Readonly<Record<string, Suggest>> = {}): Suggestions {
  return new Map(Object.entries(byArgument));
}
