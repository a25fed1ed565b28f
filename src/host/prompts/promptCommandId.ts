/**
 * The id of a prompt's own command: `patchbay.prompt.<server>.<prompt>`. Dots and percent signs in the server's label are
 * percent-encoded, so that no two prompts share an id.
 */
export function promptCommandId(server: string, prompt: string): string {
  const label = server.replace(/[%.]/g, (character) => (character === '%' ? '%25' : '%2E'));
  return `patchbay.prompt.${label}.${prompt}`;
}

/** An entry of keybindings.json that runs a prompt. */
export function keybindingSnippet(server: string, prompt: string, values: Readonly<Record<string, string>>): string {
  const args = { ...(Object.keys(values).length > 0 && { arguments: values }), then: 'show' };
  return JSON.stringify({ key: 'ctrl+alt+shift+p', command: promptCommandId(server, prompt), args }, undefined, 2);
}
