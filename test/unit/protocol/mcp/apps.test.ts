import { describe, expect, it } from 'vitest';
import {
  createServerRequestHandlers,
  type ClientFeaturePorts,
} from '../../../../src/client/serverRequests/serverRequestHandlers.ts';
import {
  appUriOf,
  isAppMimeType,
  isForApps,
  isForModels,
  readAppMetadata,
  uiOf,
} from '../../../../src/protocol/mcp/apps.ts';
import type { ClientCapabilities } from '../../../../src/protocol/mcp/lifecycle.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { setUpServer, statelessSetUp } from '../../../fixtures/scriptedManagedServer.ts';

describe('the address of a tool’s app', () => {
  it.each([
    [{ ui: { resourceUri: 'ui://weather/map' } }, 'ui://weather/map'],
    // The deprecated flat key counts where there is no nested one.
    [{ 'ui/resourceUri': 'ui://old' }, 'ui://old'],
    [{ ui: { visibility: ['app'] }, 'ui/resourceUri': 'ui://old' }, 'ui://old'],
    [{ ui: { resourceUri: 'ui://new' }, 'ui/resourceUri': 'ui://old' }, 'ui://new'],
    [{ ui: 'ui://x' }, undefined],
    [undefined, undefined],
  ])('of the metadata %j is %s', (_meta, uri) => {
    expect(appUriOf({ ...(_meta && { _meta }) })).toBe(uri);
  });

  it.each([
    'https://example.com/app',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    ' ui://x',
    'ui:x',
    '',
    42,
    null,
    ['ui://x'],
  ])('is not %j', (resourceUri) => {
    expect(appUriOf({ _meta: { ui: { resourceUri } } })).toBeUndefined();
    expect(appUriOf({ _meta: { 'ui/resourceUri': resourceUri } })).toBeUndefined();
  });

  it('is missing where the metadata is no object', () => {
    expect([undefined, null, 'x', [], { ui: [] }, { ui: null }].map(uiOf)).toEqual(Array(6).fill(undefined));
  });
});

describe('the visibility of a tool', () => {
  it.each([
    [{}, true, true],
    [{ visibility: ['model', 'app'] }, true, true],
    [{ visibility: ['model'] }, true, false],
    [{ visibility: ['app'] }, false, true],
    [{ visibility: [] }, false, false],
    [{ visibility: ['somebody'] }, false, false],
    // What is not as specified counts as absent.
    [{ visibility: 'app' }, true, true],
    [{ visibility: [1, 'app'] }, true, true],
  ])('%j lets models call it: %s, and apps: %s', (ui, models, apps) => {
    expect([isForModels({ _meta: { ui } }), isForApps({ _meta: { ui } })]).toEqual([models, apps]);
  });

  it('is for all where a tool has no metadata', () => {
    expect([isForModels({}), isForApps({})]).toEqual([true, true]);
  });
});

describe('the type of an app', () => {
  it.each(['text/html;profile=mcp-app', 'text/html; profile=mcp-app', 'Text/HTML ;Profile=MCP-App'])(
    'may be written %s',
    (type) => expect(isAppMimeType(type)).toBe(true),
  );

  it.each([
    undefined,
    '',
    'text/html',
    'text/html+skybridge',
    'text/html;profile=mcp-app2',
    'text/html;profile=mcp-app;x=y',
    'text/plain;profile=mcp-app',
  ])('is not %s', (type) => expect(isAppMimeType(type)).toBe(false));
});

describe('the metadata of an app', () => {
  it('is neutral where nothing is given, or nothing usable', () => {
    const neutral = {
      domains: { connect: [], resources: [], frames: [], baseUris: [] },
      permissions: [],
      domain: undefined,
      prefersBorder: undefined,
    };
    expect(readAppMetadata(undefined, undefined)).toEqual(neutral);
    const csp = { connectDomains: 'https://a.example', resourceDomains: { 0: 'https://a.example' } };
    const broken = { csp, permissions: ['camera'], domain: 7, prefersBorder: 'yes' };
    expect(readAppMetadata({ ui: broken }, undefined)).toEqual(neutral);
    expect(readAppMetadata({ ui: { csp: ['x'], permissions: 'camera' } }, undefined)).toEqual(neutral);
  });

  it('has each list under its own name', () => {
    const csp = {
      connectDomains: ['https://connect.example'],
      resourceDomains: ['https://resource.example', 7, null],
      frameDomains: ['https://frame.example'],
      baseUriDomains: ['https://base.example'],
    };
    const ui = { csp, domain: 'own.example', prefersBorder: false };
    expect(readAppMetadata({ ui }, undefined)).toEqual({
      domains: {
        connect: ['https://connect.example'],
        resources: ['https://resource.example'],
        frames: ['https://frame.example'],
        baseUris: ['https://base.example'],
      },
      permissions: [],
      domain: 'own.example',
      prefersBorder: false,
    });
  });

  it('names only permissions that exist and are given as objects', () => {
    const permissions = { camera: {}, microphone: true, geolocation: null, clipboardWrite: {}, usb: {} };
    expect(readAppMetadata({ ui: { permissions } }, undefined).permissions).toEqual(['camera', 'clipboardWrite']);
  });

  it('has at most a hundred domains in a list', () => {
    const connectDomains = Array.from({ length: 5_000 }, (_, index) => `https://a${index}.example`);
    const { connect } = readAppMetadata({ ui: { csp: { connectDomains } } }, undefined).domains;
    expect(connect).toEqual(connectDomains.slice(0, 100));
  });
});

const apps = 'io.modelcontextprotocol/ui';
const offered = { mimeTypes: ['text/html;profile=mcp-app'] };

function declared(ports: ClientFeaturePorts): ClientCapabilities {
  const requesting = { label: 's', definition: () => Promise.resolve('d'), cause: () => undefined };
  return createServerRequestHandlers(requesting, ports, { record: () => {} }, createManualClock()).capabilities;
}

describe('the capability for apps', () => {
  it('is sent when a session is opened by a handshake [capabilities/mimetypes-required]', async () => {
    const { server, latest } = setUpServer({ answerers: { apps: () => true } });
    await server.start();
    expect(latest().sentFor('initialize')).toMatchObject([
      { params: { capabilities: { extensions: { [apps]: offered } } } },
    ]);
  });

  it('is sent with each request of the stateless era [capabilities/mimetypes-required]', async () => {
    const { server, latest } = setUpServer({
      ...statelessSetUp,
      capabilities: { tools: {} },
      script: (scripted) => scripted.on('tools/list', () => ({ tools: [] })),
      answerers: { apps: () => true },
    });
    await server.start();
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { [apps]: offered } } };
    expect(latest().sentFor('tools/list')).toMatchObject([{ params: { _meta: meta } }]);
  });

  it('is absent where apps are switched off, or cannot be shown, while other extensions stay', () => {
    for (const ports of [{}, { apps: () => false }]) {
      expect(Object.keys(declared(ports).extensions ?? {})).toEqual(['io.modelcontextprotocol/skills']);
    }
  });
});
