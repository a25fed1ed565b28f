/** What an environment variable or header changes, in the order of display. */
export type RiskKind = 'code' | 'destination' | 'certificates' | 'settings' | 'identity';

/** The risk of an environment variable or header. */
export interface RiskyName {
  readonly kind: RiskKind;
  /** What it contains, as a phrase. */
  readonly what: string;
  /** The address of its documentation. */
  readonly source: string;
}

interface RiskyNameGroup {
  readonly source: string;
  /** Case-insensitive on every platform; the others only on Windows. */
  readonly isAnyCase?: boolean;
  /** Kind, names separated by spaces (`*` matches any text), what they contain. */
  readonly names: readonly (readonly [RiskKind, string, string])[];
}

/** What each kind of risk means, as the end of a sentence. */
export const riskEffects: Readonly<Record<RiskKind, string>> = {
  code: 'changes which code runs',
  destination: 'changes where data goes',
  certificates: 'changes which certificates are believed',
  settings: 'changes where settings are read',
  identity: 'says who is asking',
};

/** Environment variables that change what a program does. The first match is used. */
const variables: readonly RiskyNameGroup[] = [
  {
    source: 'https://man7.org/linux/man-pages/man8/ld.so.8.html',
    names: [
      ['code', 'LD_PRELOAD LD_AUDIT', 'libraries loaded into every program'],
      ['code', 'LD_*', 'options of the dynamic linker'],
      ['code', 'GCONV_PATH GLIBC_TUNABLES LOCPATH', 'where the C library finds modules and options'],
    ],
  },
  {
    source: 'https://developer.apple.com/library/archive/documentation/DeveloperTools/Conceptual/DynamicLibraries/',
    names: [['code', 'DYLD_*', 'options of the dynamic linker']],
  },
  {
    source: 'https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html',
    names: [
      ['code', 'PATH PATHEXT', 'where programs are found'],
      ['code', 'SHELL COMSPEC', 'the shell that runs commands'],
      ['code', 'EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE', 'a program that others start'],
      ['settings', 'HOME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA', 'the folder of your settings and keys'],
      ['settings', 'TMPDIR TEMP TMP', 'where temporary files are'],
    ],
  },
  {
    source: 'https://specifications.freedesktop.org/basedir-spec/latest/',
    names: [['settings', 'XDG_*', 'where programs find settings and data']],
  },
  {
    source: 'https://www.gnu.org/software/bash/manual/html_node/Bash-Variables.html',
    names: [
      ['code', 'BASH_ENV ENV', 'a script that shells run first'],
      ['code', 'BASH_FUNC_* PROMPT_COMMAND PS4', 'code that shells run'],
      ['code', 'SHELLOPTS BASHOPTS IFS CDPATH', 'how shells read scripts'],
    ],
  },
  {
    source: 'https://zsh.sourceforge.io/Doc/Release/Files.html',
    names: [['code', 'ZDOTDIR', 'where zsh finds the scripts it runs first']],
  },
  {
    source: 'https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_psmodulepath',
    names: [['code', 'PSMODULEPATH PSModulePath', 'where PowerShell finds modules']],
  },
  {
    source: 'https://nodejs.org/api/cli.html#environment-variables',
    names: [
      ['code', 'NODE_OPTIONS', 'options of every Node.js, which can load code'],
      ['code', 'NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_COMPILE_CACHE', 'where Node.js finds code'],
      ['certificates', 'NODE_TLS_REJECT_UNAUTHORIZED', '0 believes every certificate'],
      ['certificates', 'NODE_EXTRA_CA_CERTS NODE_USE_SYSTEM_CA', 'more certificates for Node.js'],
      ['destination', 'NODE_USE_ENV_PROXY', 'whether Node.js goes through a proxy'],
      ['settings', 'NODE_V8_COVERAGE NODE_REDIRECT_WARNINGS NODE_ICU_DATA', 'files that Node.js reads or writes'],
    ],
  },
  {
    source: 'https://www.electronjs.org/docs/latest/api/environment-variables',
    names: [['code', 'ELECTRON_*', 'how Electron programs start']],
  },
  {
    source: 'https://docs.npmjs.com/cli/using-npm/config',
    isAnyCase: true,
    names: [
      ['code', 'NPM_CONFIG_REGISTRY NPM_CONFIG_@*', 'where npm fetches packages'],
      [
        'code',
        'NPM_CONFIG_SCRIPT_SHELL NPM_CONFIG_NODE_OPTIONS NPM_CONFIG_GIT NPM_CONFIG_PREFIX',
        'programs and options of npm',
      ],
      ['certificates', 'NPM_CONFIG_CAFILE NPM_CONFIG_CA NPM_CONFIG_STRICT_SSL', 'certificates for npm'],
      ['destination', 'NPM_CONFIG_*PROXY', 'the proxy of npm'],
      ['settings', 'NPM_CONFIG_* PNPM_CONFIG_*', 'settings of npm and pnpm'],
    ],
  },
  {
    source: 'https://yarnpkg.com/configuration/yarnrc',
    names: [['code', 'YARN_*', 'settings of Yarn, such as where it fetches packages']],
  },
  {
    source: 'https://github.com/nodejs/corepack#environment-variables',
    names: [['code', 'COREPACK_* PNPM_HOME', 'which package manager runs, and from where']],
  },
  {
    source: 'https://bun.com/docs/runtime/environment-variables',
    names: [
      ['code', 'BUN_OPTIONS', 'options of every Bun, which can load code'],
      ['code', 'BUN_CONFIG_REGISTRY BUN_INSTALL* BUN_RUNTIME_TRANSPILER_CACHE_PATH', 'where Bun finds or fetches code'],
      ['settings', 'BUN_*', 'settings of Bun'],
    ],
  },
  {
    source: 'https://docs.deno.com/runtime/reference/env_variables/',
    names: [
      ['certificates', 'DENO_CERT DENO_TLS_CA_STORE', 'certificates for Deno'],
      ['code', 'DENO_DIR DENO_INSTALL_ROOT JSR_URL', 'where Deno finds or fetches code'],
      ['settings', 'DENO_*', 'settings of Deno'],
    ],
  },
  {
    source: 'https://docs.python.org/3/using/cmdline.html#environment-variables',
    names: [
      ['code', 'PYTHONPATH PYTHONHOME PYTHONUSERBASE PYTHONPLATLIBDIR PYTHONPYCACHEPREFIX', 'where Python finds code'],
      ['code', 'PYTHONSTARTUP PYTHONBREAKPOINT PYTHONWARNINGS PYTHONINSPECT PYTHONEXECUTABLE', 'code that Python runs'],
      ['settings', 'PYTHON_* PYTHONNOUSERSITE PYTHONSAFEPATH', 'settings of Python'],
    ],
  },
  {
    source: 'https://pip.pypa.io/en/stable/topics/configuration/',
    names: [
      ['code', 'PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS PIP_PYTHON', 'where pip fetches packages'],
      ['certificates', 'PIP_CERT PIP_TRUSTED_HOST', 'certificates for pip'],
      ['destination', 'PIP_PROXY', 'the proxy of pip'],
      ['settings', 'PIP_*', 'settings of pip, such as its configuration file'],
    ],
  },
  {
    source: 'https://docs.astral.sh/uv/reference/environment/',
    names: [
      ['code', 'UV_*INDEX* UV_FIND_LINKS UV_TORCH_BACKEND', 'where uv fetches packages'],
      ['code', 'UV_PYTHON* UV_OVERRIDE UV_CONSTRAINT UV_BUILD_CONSTRAINT UV_*DIR UV_PROJECT*', 'which code uv runs'],
      ['certificates', 'UV_INSECURE_HOST UV_NATIVE_TLS UV_SYSTEM_CERTS', 'certificates for uv'],
      ['settings', 'UV_*', 'settings of uv, such as its configuration file'],
    ],
  },
  {
    source: 'https://pipx.pypa.io/stable/reference/environment-variables/',
    names: [['code', 'PIPX_* VIRTUAL_ENV CONDA_* POETRY_*', 'which Python environment is used']],
  },
  {
    source: 'https://docs.ruby-lang.org/en/master/ruby/options_md.html',
    names: [['code', 'RUBYOPT RUBYLIB RUBYPATH RUBYSHELL', 'code and options that Ruby loads']],
  },
  {
    source: 'https://bundler.io/man/bundle-config.1.html',
    names: [['code', 'BUNDLE_* GEM_HOME GEM_PATH GEM_SPEC_CACHE', 'which gems are loaded, and from where']],
  },
  {
    source: 'https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html',
    names: [
      [
        'code',
        'JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS JDK_JAVAC_OPTIONS',
        'options of every Java, which can load code',
      ],
      ['code', 'CLASSPATH JAVA_HOME', 'where Java code is found'],
      ['code', 'MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS GRADLE_USER_HOME JBANG_*', 'options of Java build tools'],
    ],
  },
  {
    source: 'https://pkg.go.dev/cmd/go#hdr-Environment_variables',
    names: [
      [
        'code',
        'GOPROXY GOSUMDB GONOSUMDB GONOSUMCHECK GONOPROXY GOPRIVATE GOVCS',
        'where Go fetches modules, and how they are checked',
      ],
      ['code', 'GOFLAGS GOTOOLCHAIN GOROOT GOPATH GOBIN GOMODCACHE GOCACHE GOWORK', 'which Go code and tools are used'],
      ['certificates', 'GOINSECURE', 'modules fetched without certificates'],
      ['settings', 'GOENV GOAUTH', 'settings of Go'],
    ],
  },
  {
    source: 'https://doc.rust-lang.org/cargo/reference/environment-variables.html',
    names: [
      ['code', 'RUSTC* RUSTDOC* RUSTFLAGS RUSTUP_*', 'which Rust compiler runs, and how'],
      ['code', 'CARGO_*', 'settings of Cargo, such as where it fetches packages'],
    ],
  },
  {
    source: 'https://www.gnu.org/software/make/manual/html_node/Implicit-Variables.html',
    names: [['code', 'CC CXX LD AR MAKEFLAGS CGO_* CMAKE_*', 'which compilers run, and how']],
  },
  {
    source: 'https://learn.microsoft.com/dotnet/core/tools/dotnet-environment-variables',
    names: [
      ['code', 'DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS DOTNET_SHARED_STORE', 'code that .NET programs load'],
      ['code', 'CORECLR_* COR_PROFILER* COR_ENABLE_PROFILING COMPLUS_* COMPlus_*', 'code that .NET programs load'],
      ['code', 'DOTNET_ROOT* DOTNET_HOST_PATH MSBUILD* NUGET_*', 'where .NET code is found'],
      ['settings', 'DOTNET_*', 'settings of .NET'],
    ],
  },
  {
    source: 'https://perldoc.perl.org/perlrun#ENVIRONMENT',
    names: [['code', 'PERL5* PERLLIB PERLIO* PERL_*', 'code and options that Perl loads']],
  },
  {
    source: 'https://www.php.net/manual/en/configuration.file.php',
    names: [['code', 'PHPRC PHP_INI_SCAN_DIR COMPOSER_*', 'settings of PHP, which can load code']],
  },
  {
    source: 'https://www.lua.org/manual/5.4/manual.html#7',
    names: [['code', 'LUA_INIT* LUA_PATH* LUA_CPATH*', 'code that Lua loads']],
  },
  {
    source: 'https://stat.ethz.ch/R-manual/R-devel/library/base/html/Startup.html',
    names: [['code', 'R_PROFILE* R_ENVIRON* R_LIBS* R_HOME', 'code that R loads']],
  },
  {
    source: 'https://pptr.dev/api/puppeteer.configuration',
    names: [['code', 'PUPPETEER_* PLAYWRIGHT_* CHROME_PATH CHROME_BIN', 'which browser runs']],
  },
  {
    source: 'https://docs.openssl.org/master/man7/openssl-env/',
    names: [
      ['code', 'OPENSSL_CONF* OPENSSL_MODULES OPENSSL_ENGINES', 'settings of OpenSSL, which can load code'],
      ['certificates', 'SSL_CERT_FILE SSL_CERT_DIR', 'the certificates that are believed'],
      ['destination', 'SSLKEYLOGFILE', 'a file that gets the keys of every connection'],
    ],
  },
  {
    source: 'https://curl.se/docs/manpage.html#ENVIRONMENT',
    isAnyCase: true,
    names: [
      [
        'destination',
        'HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY WS_PROXY WSS_PROXY',
        'requests go through this proxy',
      ],
      ['destination', 'NO_PROXY', 'what goes past the proxy'],
      ['certificates', 'CURL_CA_BUNDLE REQUESTS_CA_BUNDLE', 'the certificates that are believed'],
      ['settings', 'CURL_HOME WGETRC NETRC', 'settings of downloads'],
      ['destination', 'GLOBAL_AGENT_*', 'requests go through this proxy'],
    ],
  },
  {
    source: 'https://git-scm.com/docs/git#_environment_variables',
    names: [
      ['code', 'GIT_CONFIG*', 'settings of git, which can run programs'],
      [
        'code',
        'GIT_SSH* GIT_ASKPASS SSH_ASKPASS GIT_PROXY_COMMAND GIT_EXTERNAL_DIFF GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER',
        'a program that git starts',
      ],
      [
        'code',
        'GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_ALTERNATE_*',
        'where git finds programs and hooks',
      ],
      ['certificates', 'GIT_SSL_*', 'certificates for git'],
      ['settings', 'GIT_ATTR_*', 'settings of git'],
    ],
  },
  {
    source: 'https://man.openbsd.org/ssh-agent.1',
    names: [['identity', 'SSH_AUTH_SOCK GPG_AGENT_INFO GNUPGHOME', 'who signs in with your keys']],
  },
  {
    source: 'https://docs.docker.com/reference/cli/docker/#environment-variables',
    names: [
      ['destination', 'DOCKER_HOST DOCKER_CONTEXT CONTAINER_HOST BUILDKIT_HOST', 'which machine runs containers'],
      ['certificates', 'DOCKER_CERT_PATH DOCKER_TLS* DOCKER_CONTENT_TRUST*', 'which images and machines are believed'],
      ['settings', 'DOCKER_CONFIG CONTAINERS_* REGISTRY_AUTH_FILE', 'settings of containers'],
    ],
  },
  {
    source: 'https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/',
    names: [['destination', 'KUBECONFIG', 'which cluster is spoken to, and how programs sign in']],
  },
  {
    source: 'https://docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html',
    names: [
      [
        'destination',
        'AWS_ENDPOINT_URL* AWS_EC2_METADATA_SERVICE_ENDPOINT AWS_CONTAINER_CREDENTIALS_*',
        'who gets requests for AWS',
      ],
      ['certificates', 'AWS_CA_BUNDLE', 'certificates for AWS'],
      [
        'settings',
        'AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_WEB_IDENTITY_TOKEN_FILE',
        'settings of AWS, which can run programs',
      ],
    ],
  },
  {
    source: 'https://cloud.google.com/docs/authentication/application-default-credentials',
    names: [
      ['destination', 'GCE_METADATA_* *_EMULATOR_HOST CLOUDSDK_*', 'who gets requests for Google Cloud'],
      ['settings', 'GOOGLE_APPLICATION_CREDENTIALS', 'a file of credentials, which can run programs'],
    ],
  },
  {
    source: 'https://learn.microsoft.com/python/api/overview/azure/identity-readme#environment-variables',
    names: [
      ['destination', 'AZURE_AUTHORITY_HOST IDENTITY_ENDPOINT MSI_ENDPOINT AZURE_CONFIG_DIR', 'where Azure signs in'],
    ],
  },
  {
    source: 'https://opentelemetry.io/docs/specs/otel/protocol/exporter/',
    names: [['destination', 'OTEL_EXPORTER_*', 'who gets what the program records']],
  },
  {
    source: 'https://developer.hashicorp.com/vault/docs/commands#environment-variables',
    names: [
      ['destination', 'VAULT_ADDR VAULT_PROXY_ADDR CONSUL_HTTP_ADDR NOMAD_ADDR', 'which server gets secrets'],
      ['certificates', 'VAULT_SKIP_VERIFY VAULT_CACERT VAULT_CAPATH', 'certificates for Vault'],
    ],
  },
  {
    source: 'https://platform.openai.com/docs/libraries',
    names: [['destination', 'OPENAI_BASE_URL OPENAI_API_BASE ANTHROPIC_BASE_URL', 'who gets requests for a model']],
  },
];

const headers: readonly RiskyNameGroup[] = [
  {
    source: 'https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers',
    isAnyCase: true,
    names: [
      ['destination', 'HOST', 'the host that the server takes the request for'],
      ['identity', 'PROXY-AUTHORIZATION', 'signs in at a proxy on the way'],
      ['destination', 'PROXY-*', 'speaks to a proxy on the way'],
      [
        'destination',
        'FORWARDED X-FORWARDED-* X-REAL-IP X-HTTP-METHOD-OVERRIDE X-ORIGINAL-*',
        'where the request claims to come from',
      ],
      ['identity', 'AUTHORIZATION COOKIE', 'signs in with every request'],
      ['identity', 'ORIGIN REFERER', 'the page that the request claims to come from'],
    ],
  },
];

/**
 * @param isWindows compare names case-insensitively
 * @returns the risk of an environment variable, or `undefined` for an ordinary one
 */
export function riskyVariable(name: string, isWindows: boolean): RiskyName | undefined {
  return lookUp(variables, name, isWindows);
}

/** {@link riskyVariable} for the name of a header. */
export function riskyHeader(name: string): RiskyName | undefined {
  return lookUp(headers, name, false);
}

function lookUp(groups: readonly RiskyNameGroup[], name: string, isWindows: boolean): RiskyName | undefined {
  for (const { source, isAnyCase = false, names } of groups) {
    const sought = isAnyCase || isWindows ? name.toUpperCase() : name;
    for (const [kind, patterns, what] of names) {
      if (patterns.split(' ').some((pattern) => matchesPattern(sought, pattern))) return { kind, what, source };
    }
  }
  return undefined;
}

function matchesPattern(name: string, pattern: string): boolean {
  const parts = pattern.split('*');
  const [start = '', middle, ...rest] = parts;
  if (middle === undefined) return name === pattern;
  const end = rest.at(-1) ?? middle;
  const inner = rest.length === 0 ? '' : middle;
  return (
    name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end) && name.includes(inner)
  );
}
