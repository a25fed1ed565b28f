/** The part of an issuer that stands for the tenant of the person, in metadata that all tenants share (Microsoft Entra). */
const tenantPlace = '{tenantid}';

/**
 * True for the same issuer. The host may be written in capitals, and the default port written out; one without a path may be
 * written with or without the final slash (RFC 3986, section 6.2).
 */
export function sameIssuer(one: string, other: string | undefined): boolean {
  return one === other || (other !== undefined && normalized(one) === normalized(other));
}

function normalized(issuer: string): string {
  const [, host, path = ''] = /^(https?:\/\/[\w.:[\]-]+)((?:\/.*)?)$/i.exec(issuer) ?? [];
  return host === undefined || !URL.canParse(host) ? issuer : new URL(host).origin + (path === '/' ? '' : path);
}

/** True for an issuer of all tenants. */
export function isTemplate(issuer: string): boolean {
  return issuer.includes(tenantPlace);
}

/** True when `issuer` is `template` with one segment of a path, or a part of it, in the place of the tenant. */
export function isTemplateOf(template: string, issuer: string): boolean {
  const parts = template.split(tenantPlace);
  const [before = '', after = ''] = parts;
  // The place must be in the path: any tenant has the same origin.
  if (parts.length !== 2 || !/^https?:\/\/[^/?#]+\//.test(before)) return false;
  const tenant = issuer.slice(before.length, issuer.length - after.length);
  return issuer === `${before}${tenant}${after}` && /^[\w.-]+$/.test(tenant);
}
