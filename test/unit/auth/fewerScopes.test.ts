import { describe, expect, it } from 'vitest';
import { fewerScopes } from '../../../src/auth/fewerScopes.ts';
import { OAuthRefusal } from '../../../src/auth/signInErrors.ts';

describe('fewerScopes', () => {
  it.each<[string, readonly string[], readonly string[] | undefined, readonly string[] | undefined]>([
    ['The scope mcp:admin is not allowed.', ['mcp:read', 'mcp:admin'], undefined, ['mcp:read']],
    ['Unknown scope: chat:write', ['chat:write', 'write'], undefined, ['write']],
    ['Invalid scopes: "api://x/admin", b.', ['api://x/admin', 'b', 'c'], undefined, ['c']],
    ['Invalid scope. Valid scopes are: read, write', ['admin', 'read'], undefined, ['read']],
    ['read is not a valid scope', ['read', 'write'], undefined, ['write']],
    ['admin is no allowed scope', ['admin', 'read'], undefined, ['read']],
    ['not allowed scopes: admin', ['admin', 'read'], undefined, ['read']],
    ['x is not an allowed scope: see docs', ['a', 'x'], undefined, ['a']],
    ['None of the allowed values: x', ['a', 'x'], undefined, ['a']],
    ['x is not valid. Valid scopes are: a, b', ['a', 'x'], undefined, ['a']],
    ['nobody knows admin', ['read', 'admin', 'write'], ['admin', 'read'], ['read', 'write']],
    ['nobody knows that', ['read', 'admin', 'write'], ['admin', 'read'], ['read', 'admin']],
    // Some list no scopes of their resources.
    ["scope 'offline_access' is not allowed", ['read:x', 'offline_access'], ['openid', 'offline_access'], ['read:x']],
    ['One or more scopes are not configured', ['read:x', 'offline_access'], ['openid', 'offline_access'], ['read:x']],
    ['read:x is not allowed', ['read:x', 'openid'], ['openid', 'offline_access'], undefined],
    ['', ['openid', 'offline_access'], ['openid'], ['openid']],
    // Words of the error message that are not of the authorization server.
    ['', ['settings', 'client', 'read'], undefined, undefined],
    ['', ['read', 'offline_access'], undefined, ['read']],
    ['read', ['read'], undefined, undefined],
  ])('%j of %j, of which %j are listed, leaves %j', (description, scopes, listed, left) => {
    const refusal = new OAuthRefusal('invalid_scope', `${description} Set "scopes" in your settings.`, description);
    const server = { issuer: 'https://as.example', ...(listed !== undefined && { scopes_supported: [...listed] }) };
    expect(fewerScopes(scopes, refusal, server)).toEqual(left);
  });

  it('keeps to what the client is registered for', () => {
    const refusal = new OAuthRefusal('invalid_scope', 'No.');
    const server = { issuer: 'https://as.example', scopes_supported: ['read', 'admin'] };
    expect(fewerScopes(['read', 'admin'], refusal, server, ['read'])).toEqual(['read']);
    expect(fewerScopes(['read', 'admin'], refusal, server, ['openid'])).toBeUndefined();
  });
});
