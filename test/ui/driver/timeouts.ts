/** The longest wait of the driver, in milliseconds: on a busy machine parts of VS Code take up to a minute to start. */
export const driverTimeoutMs = 90_000;
