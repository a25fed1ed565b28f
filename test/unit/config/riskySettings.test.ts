import { describe, expect, it } from 'vitest';
import { riskyHeader, riskyVariable } from '../../../src/config/riskySettings.ts';

describe('tellingVariable', () => {
  it.each<[string, string]>([
    ['LD_PRELOAD', 'code'],
    ['DYLD_INSERT_LIBRARIES', 'code'],
    ['NODE_OPTIONS', 'code'],
    ['NODE_TLS_REJECT_UNAUTHORIZED', 'certificates'],
    ['NODE_EXTRA_CA_CERTS', 'certificates'],
    ['npm_config_registry', 'code'],
    ['npm_config_https_proxy', 'destination'],
    ['YARN_NPM_REGISTRY_SERVER', 'code'],
    ['BUN_OPTIONS', 'code'],
    ['DENO_CERT', 'certificates'],
    ['PYTHONPATH', 'code'],
    ['PIP_CONFIG_FILE', 'settings'],
    ['PIP_EXTRA_INDEX_URL', 'code'],
    ['UV_EXTRA_INDEX_URL', 'code'],
    ['UV_DEFAULT_INDEX', 'code'],
    ['UV_INDEX_CORP_PASSWORD', 'code'],
    ['UV_CONFIG_FILE', 'settings'],
    ['RUBYOPT', 'code'],
    ['BUNDLE_GEMFILE', 'code'],
    ['JAVA_TOOL_OPTIONS', 'code'],
    ['_JAVA_OPTIONS', 'code'],
    ['GOPROXY', 'code'],
    ['GOFLAGS', 'code'],
    ['RUSTC_WRAPPER', 'code'],
    ['CARGO_REGISTRIES_CRATES_IO_PROTOCOL', 'code'],
    ['DOTNET_STARTUP_HOOKS', 'code'],
    ['CORECLR_PROFILER_PATH', 'code'],
    ['PERL5LIB', 'code'],
    ['PHPRC', 'code'],
    ['BASH_ENV', 'code'],
    ['BASH_FUNC_ls%%', 'code'],
    ['ZDOTDIR', 'code'],
    ['OPENSSL_CONF', 'code'],
    ['SSL_CERT_FILE', 'certificates'],
    ['SSLKEYLOGFILE', 'destination'],
    ['https_proxy', 'destination'],
    ['HTTPS_PROXY', 'destination'],
    ['GIT_CONFIG_COUNT', 'code'],
    ['GIT_SSH_COMMAND', 'code'],
    ['GIT_SSL_NO_VERIFY', 'certificates'],
    ['DOCKER_HOST', 'destination'],
    ['AWS_ENDPOINT_URL_S3', 'destination'],
    ['PUBSUB_EMULATOR_HOST', 'destination'],
    ['HOME', 'settings'],
    ['XDG_CONFIG_HOME', 'settings'],
    ['PATH', 'code'],
  ])('%s: %s', (name, kind) => {
    const found = riskyVariable(name, false);
    expect(found).toMatchObject({ kind });
    expect(found?.source).toMatch(/^https:\/\//);
    expect(found?.what.length).toBeGreaterThan(5);
  });

  it.each(['PORT', 'LOG_LEVEL', 'API_KEY', 'NODE_ENV', 'GIT_AUTHOR_NAME', 'MY_PATH', 'path', 'Node_Options', 'UV'])(
    'leaves %s alone',
    (name) => {
      expect(riskyVariable(name, false)).toBeUndefined();
    },
  );

  it('compares as Windows does there', () => {
    for (const name of ['path', 'Node_Options', 'PSModulePath']) expect(riskyVariable(name, true)?.kind).toBe('code');
  });
});

it.each<[string, string | undefined]>([
  ['Host', 'destination'],
  ['proxy-authorization', 'identity'],
  ['Proxy-Connection', 'destination'],
  ['X-Forwarded-Host', 'destination'],
  ['cookie', 'identity'],
  ['Authorization', 'identity'],
  ['X-Team', undefined],
])('the header %s: %s', (name, kind) => {
  expect(riskyHeader(name)?.kind).toBe(kind);
});
