/** `fetch` as a parameter. The network is a host's to give: proxies and certificates are its business. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
