/** `fetch` as a parameter: the host provides it, with its proxies and certificates. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
