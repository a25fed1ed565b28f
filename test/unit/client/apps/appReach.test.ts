import { describe, expect, it } from 'vitest';
import {
  allowOf,
  type DeclaredReach,
  describeReach,
  isNoReach,
  noReach,
  policyOf,
  readReach,
  blockedSentence,
} from '../../../../src/client/apps/appReach.ts';
import { readAppMetadata } from '../../../../src/protocol/mcp/apps.ts';

/** What an app gets that sends this as `_meta.ui`. */
function declare(ui: object, blocked: readonly string[] = []): DeclaredReach {
  return readReach(readAppMetadata({ ui }, undefined), blocked);
}

function connectTo(...connectDomains: readonly unknown[]): object {
  return { csp: { connectDomains } };
}

/** The sources of a policy, by directive. */
function directives(policy: string): Readonly<Record<string, readonly string[]>> {
  const parts = policy.split('; ').map((directive) => directive.split(' '));
  return Object.fromEntries(parts.map(([name = '', ...sources]) => [name, sources]));
}

const lists = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'];

const everything = {
  csp: {
    connectDomains: ['https://api.example', 'wss://live.example:8443'],
    resourceDomains: ['https://*.cdn.example'],
    frameDomains: ['https://player.example'],
    baseUriDomains: ['https://base.example'],
  },
  permissions: { geolocation: {}, camera: {}, clipboardWrite: {}, microphone: {} },
};

describe('the policy of an app', () => {
  it('has what is declared in the directives it is declared for [security/csp-construct-from-domains]', () => {
    expect(directives(policyOf(declare(everything).reach, false))).toEqual({
      'default-src': [`'none'`],
      'script-src': [`'unsafe-inline'`, `'report-sample'`, 'https://*.cdn.example'],
      'style-src': [`'unsafe-inline'`, 'https://*.cdn.example'],
      'img-src': ['blob:', 'data:', 'https://*.cdn.example'],
      'media-src': ['blob:', 'data:', 'https://*.cdn.example'],
      'font-src': ['https://*.cdn.example'],
      'connect-src': ['blob:', 'data:', 'https://api.example', 'wss://live.example:8443'],
      'frame-src': ['https://player.example'],
      'object-src': [`'none'`],
      'base-uri': ['https://base.example'],
      'form-action': [`'none'`],
    });
  });

  it('allows nothing beyond the document where nothing is declared [security/csp-default-deny]', () => {
    const { reach, refused } = declare({});
    expect(refused).toEqual([]);
    expect(isNoReach(reach)).toBe(true);
    expect(policyOf(reach, false)).toBe(policyOf(noReach, false));
    const unset = ['default-src', 'font-src', 'frame-src', 'object-src', 'base-uri', 'form-action'];
    expect(directives(policyOf(reach, false))).toEqual({
      ...Object.fromEntries(unset.map((name) => [name, [`'none'`]])),
      'script-src': [`'unsafe-inline'`, `'report-sample'`],
      'style-src': [`'unsafe-inline'`],
      'img-src': ['blob:', 'data:'],
      'media-src': ['blob:', 'data:'],
      'connect-src': ['blob:', 'data:'],
    });
  });

  it('keeps a domain of one list out of all other directives [security/csp-no-loosening]', () => {
    const only = (list: string): readonly string[] =>
      Object.entries(directives(policyOf(declare({ csp: { [list]: ['https://only.example'] } }).reach, false))).flatMap(
        ([name, sources]) => (sources.includes('https://only.example') ? [name] : []),
      );
    expect(only('connectDomains')).toEqual(['connect-src']);
    expect(only('resourceDomains')).toEqual(['script-src', 'style-src', 'img-src', 'media-src', 'font-src']);
    expect(only('frameDomains')).toEqual(['frame-src']);
    expect(only('baseUriDomains')).toEqual(['base-uri']);
    expect(only('scriptDomains')).toEqual([]);
  });

  const noOrigins = {
    several: ['https://a.example https://b.example', 'https://a.example,https://b.example', '', ' '],
    policies: ['https://a.example; script-src *', 'https://a.example;', ';', 'https://a.example\nscript-src *'],
    markup: ['https://a.example"><script>alert(1)</script>', `https://a.example'`, 'https://a.example&quot;'],
    wildcards: ['*', '*:*', 'https://*', 'https://*.', '*.com', 'https://*.localhost', 'https://*.0.0.1'],
    partial: ['https://*.[::1]', 'https://a*.example', 'https://a.*.example', 'https://a..example'],
    schemes: ['https:', 'data:', 'blob:', 'filesystem:', 'javascript:alert(1)', 'ftp://a.example', '//a.example'],
    keywords: [`'unsafe-eval'`, `'unsafe-inline'`, `'self'`, `'strict-dynamic'`, `https://a.example 'unsafe-eval'`],
    hosts: ['https://999999999999', 'https://256.1.1.1', 'https://[:]', 'https://аpple.example', 'https://a.example.'],
    parts: ['https://a.example/path', 'https://a.example?query', 'https://a.example#part', 'file:///etc/passwd'],
    others: ['https://user:secret@a.example', 'https://a.example\\@b.example', 'https://a.example:1234567'],
  };

  it.each(Object.values(noOrigins).flat())(
    'is not loosened by the entry %j in any list [security/csp-no-loosening]',
    (entry) => {
      const { reach, refused } = declare({ csp: Object.fromEntries(lists.map((list) => [list, [entry]])) });
      expect(isNoReach(reach)).toBe(true);
      expect(refused).toEqual(Array(4).fill(`${JSON.stringify(entry)} is not an origin.`));
      expect(policyOf(reach, false)).toBe(policyOf(noReach, false));
    },
  );

  it('never names a keyword or a scheme that was not there before [security/csp-no-loosening]', () => {
    const tricky = ['unsafe-eval', 'none', 'self', 'data', 'https', 'localhost:*', '[::1]:3000', 'wasm-unsafe-eval'];
    const { reach } = declare({ csp: { connectDomains: tricky, resourceDomains: tricky } });
    for (const sources of Object.values(directives(policyOf(reach, false)))) {
      const added = sources.filter((source) => !source.startsWith('https://'));
      for (const source of added)
        expect([`'none'`, `'unsafe-inline'`, `'report-sample'`, 'blob:', 'data:']).toContain(source);
    }
  });

  it('lets it run code that it makes where the person wants that, and reach nothing more', () => {
    const { reach } = declare(everything);
    const [strict, open] = [directives(policyOf(reach, false)), directives(policyOf(reach, true))];
    const added = Object.entries(open).flatMap(([name, sources]) => {
      const more = sources.filter((source) => strict[name]?.includes(source) !== true);
      return more.length === 0 ? [] : [[name, ...more]];
    });
    expect(added).toEqual([
      ['script-src', `'unsafe-eval'`, 'blob:', 'data:'],
      ['worker-src', 'blob:', 'data:'],
    ]);
    expect(Object.keys(strict).every((name) => strict[name]?.every((source) => open[name]?.includes(source)))).toBe(
      true,
    );
  });

  it('is that of the page around the app too, but for the page’s own script and styles', () => {
    const own = 'https://*.vscode-cdn.net';
    for (const { reach } of [declare(everything), declare({})]) {
      const outer = directives(policyOf(reach, false, own));
      const without = Object.entries(outer).map(([name, sources]) => {
        const others = sources.filter((source) => source !== own);
        return [name, others.length === 0 ? [`'none'`] : others];
      });
      expect(Object.fromEntries(without)).toEqual(directives(policyOf(reach, false)));
      const widened = Object.keys(outer).filter((name) => outer[name]?.includes(own));
      expect(widened).toEqual(['script-src', 'style-src', 'font-src']);
    }
  });
});

describe('what an app declares', () => {
  it('is written in one form, sorted, and once', () => {
    const { reach, refused } = declare(
      connectTo('HTTPS://B.Example/', 'b.example', ' https://b.example ', '*.A.example:*', 'http://localhost:3000'),
    );
    expect(refused).toEqual([]);
    expect(reach.connect).toEqual(['http://localhost:3000', 'https://*.a.example:*', 'https://b.example']);
  });

  it('has each host in the one spelling that a browser compares', () => {
    const { reach } = declare(connectTo('https://2130706433:*', 'http://[0:0::1]:80', 'wss://0300.0250.1.1'));
    expect(reach.connect).toEqual(['http://[::1]:80', 'https://127.0.0.1:*', 'wss://192.168.1.1']);
  });

  it('is given without what is refused', () => {
    const { reach, refused } = declare(connectTo('https://good.example', '*', 'https://fine.example'));
    expect(reach.connect).toEqual(['https://fine.example', 'https://good.example']);
    expect(refused).toEqual(['"*" is not an origin.']);
  });

  it('makes no long list of refusals, and no long sentence', () => {
    const { refused } = declare(connectTo(...Array.from({ length: 90 }, () => '*'.repeat(10_000))));
    expect(refused).toHaveLength(20);
    expect(refused[0]).toBe(`"${'*'.repeat(200)}" is not an origin.`);
  });

  it('may be an origin of its own, which it is told that it cannot have', () => {
    const { reach, refused } = declare({ domain: 'a904794854a047f6.example.com' });
    expect(isNoReach(reach)).toBe(true);
    expect(refused).toEqual(['It asks for an origin of its own, which it cannot have here.']);
  });

  it('counts as something with a single domain or permission', () => {
    const single = [
      ...lists.map((list) => ({ csp: { [list]: ['https://a.example'] } })),
      { permissions: { camera: {} } },
    ];
    for (const ui of single) expect(isNoReach(declare(ui).reach)).toBe(false);
  });

  it('is what the app is told of its sandbox', () => {
    const { reach } = declare(everything);
    expect(describeReach(reach)).toEqual({
      csp: everything.csp,
      permissions: { camera: {}, microphone: {}, geolocation: {}, clipboardWrite: {} },
    });
    expect(describeReach(noReach)).toEqual({
      csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
      permissions: {},
    });
  });
});

describe('the permissions of an app', () => {
  it('are the features of its frame [security/permissions-allow-attr]', () => {
    expect(allowOf(declare(everything).reach)).toBe('camera; microphone; geolocation; clipboard-write');
    expect(allowOf(declare({ permissions: { clipboardWrite: {} } }).reach)).toBe('clipboard-write');
  });

  it('are none where none are declared, or none that exist [security/permissions-allow-attr]', () => {
    expect(allowOf(noReach)).toBe('');
    const permissions = { 'camera *; usb': {}, clipboardRead: {}, 'display-capture': {} };
    expect(allowOf(declare({ permissions }).reach)).toBe('');
  });
});

describe('blocked domains', () => {
  it.each([
    ['https://evil.example', 'evil.example'],
    ['https://deep.sub.evil.example:8443', 'evil.example'],
    ['wss://EVIL.example', 'Evil.Example'],
    ['https://evil.example', ' evil.example '],
    ['https://*.evil.example', 'evil.example'],
    // A wildcard would reach a subdomain that is blocked.
    ['https://*.example.org', 'evil.example.org'],
    ['http://localhost:3000', 'localhost'],
    ['https://evil.example', 'https://evil.example.:443/'],
    // One host has many spellings, and this computer many names.
    ['https://2130706433', '127.0.0.1'],
    ['https://0x7f.1', '127.0.0.1'],
    ['https://0177.0.0.1:*', '127.0.0.1'],
    ['http://127.1:8080', '127.0.0.1:8080'],
    ['https://[::ffff:127.0.0.1]', '127.0.0.1'],
    ['https://[::7f00:1]', 'localhost'],
    ['https://[::1]', '127.0.0.1'],
    ['https://127.0.0.1', 'LOCALHOST'],
    ['https://127.0.0.1', '2130706433'],
    ['https://*.app.localhost', 'localhost'],
    ['https://0xa9fea9fe', '169.254.169.254'],
    ['https://[2002:808:404::]', '8.8.4.4'],
    ['https://8.8.4.4', '[::ffff:8.8.4.4]'],
    ['https://[0:0:0:0:0:ffff:a9fe:a9fe]', '[::ffff:169.254.169.254]'],
  ])('refuse %s where %j is blocked, in every list [security/global-allowlist]', (entry, blocked) => {
    const csp = Object.fromEntries(lists.map((list) => [list, [entry, 'https://good.test']]));
    const { reach, refused } = declare({ csp }, ['', blocked]);
    const good = ['https://good.test'];
    expect(reach).toEqual({ connect: good, resources: good, frames: good, baseUris: good, permissions: [] });
    expect(refused).toHaveLength(4);
    for (const sentence of refused) expect(sentence).toMatch(/ is blocked by your settings\.$/);
    expect(policyOf(reach, false).toLowerCase()).not.toContain('evil');
  });

  it('leave domains alone that only look like them [security/global-allowlist]', () => {
    const { reach, refused } = declare(
      connectTo('https://notevil.example', 'https://evil.example.org', 'https://example', 'https://*.other.example'),
      ['evil.example', '', ' '],
    );
    expect(refused).toEqual([]);
    expect(reach.connect).toHaveLength(4);
  });
});

it.each(['*.evil.example', 'https://evil.example', '.evil.example', 'evil.example/', 'EVIL.example:443', '[::1]'])(
  'blocks a domain written as %s too',
  (blocked) => {
    const csp = { connectDomains: ['https://api.evil.example', 'http://[::1]:8080', 'https://good.example'] };
    const { connect } = declare({ csp }, [blocked]).reach;
    expect(connect).toHaveLength(2);
    expect(connect).toContain('https://good.example');
  },
);

const asks = (list: string): string => ` Its server can ask for the domain in _meta.ui.csp.${list}.`;
const isSetting = " “Allow for This App…” in the app's tab allows it; after a no, use “Review Permissions…”.";

it.each([
  ['connect-src https://api.example/v1', asks('connectDomains')],
  ['connect-src wss://api.example/', asks('connectDomains')],
  ['script-src-elem https://cdn.example/x.js', asks('resourceDomains')],
  ['style-src-attr https://cdn.example/', asks('resourceDomains')],
  ['font-src https://cdn.example/a.woff2', asks('resourceDomains')],
  ['frame-src https://video.example/', asks('frameDomains')],
  ['base-uri https://video.example/', asks('baseUriDomains')],
  ['script-src eval', isSetting],
  ['script-src wasm-eval', isSetting],
  ['worker-src blob', isSetting],
  ['script-src-elem data', isSetting],
  ['worker-src data', isSetting],
  ['font-src data', ''],
  ['frame-src blob', ''],
  ['form-action https://x.example', ''],
  ['window.open https://x.example', ''],
  ['', ''],
])('says what a policy has blocked, and what allows it: %s', (blocked, advice) => {
  expect(blockedSentence(blocked)).toBe(`Its policy has blocked ${blocked}.${advice}`);
});
