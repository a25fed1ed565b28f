/** How long the driver waits for what must come: on a busy machine VS Code gives its own parts up to a minute to start. */
export const patienceMs = 90_000;
