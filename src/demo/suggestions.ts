/** Returns all values of an argument; `settled` has the arguments that are already chosen. */
export type Suggest = (settled: Readonly<Record<string, string>>) => readonly string[];

/** By name of the argument. A map, because the client chooses the name to look up. */
export type Suggestions = ReadonlyMap<string, Suggest>;

/** @param byArgument a function for each argument that has completions */
export function createSuggestions(byArgument: Readonly<Record<string, Suggest>> = {}): Suggestions {
  return new Map(Object.entries(byArgument));
}
