import { subcommandIndexes } from './subcommands.ts';

/**
 * What a program does with its command line:
 * - `tool`: it reads no files of the folder by itself
 * - `wrapper`: it runs the command in its arguments
 * - `shell`, `interpreter`: it runs a script, or code in its arguments
 * - `packages`: it runs a package, from a registry or a folder
 * - `container`: it runs an image, with folders of this machine
 * - `project`: it builds or runs what the folder has
 */
export type ProgramKind = 'tool' | 'wrapper' | 'shell' | 'interpreter' | 'packages' | 'container' | 'project';

/** A program whose files are known. */
export interface KnownProgram {
  /** The program, with its subcommand where that matters: `docker compose`. */
  readonly name: string;
  readonly kind: ProgramKind;
  /** The files that it reads by itself: see {@link programs}. */
  readonly files: readonly string[];
}

const npm = 'package.json .npmrc .pnpmfile.* pnpm-workspace.yaml .yarnrc* .yarn/releases/* .yarn/plugins/** .pnp.*';
const packages = 'package.json .npmrc .yarnrc* .pnpmfile.* .pnp.*';
const python = 'pyproject.toml setup.cfg setup.py .python-version';
const uv = `${python} uv.toml uv.lock .env`;
const compose =
  'compose.yml compose.yaml compose.*.yml compose.*.yaml docker-compose*.yml docker-compose*.yaml ' +
  'podman-compose*.y*ml container-compose*.y*ml .env Dockerfile* Containerfile* .dockerignore';
const versions =
  '.tool-versions .mise.toml .mise.*.toml mise.toml mise.*.toml .rtx.toml .mise/** mise/** .config/mise.toml ' +
  '.config/mise/** .node-version .nvmrc .python-version .ruby-version .java-version .go-version rust-toolchain*';
const make = 'GNUmakefile makefile Makefile';
const gradle =
  'build.gradle* settings.gradle* gradle.properties gradlew gradlew.bat init.gradle* gradle/** buildSrc/**';
const maven = 'pom.xml mvnw mvnw.cmd .mvn/** settings.xml';
const procfile = 'Procfile* .env .foreman .overmind.env';
const bazel = 'WORKSPACE* MODULE.bazel* BUILD* .bazelrc .bazelversion .bazeliskrc tools/bazel*';

/**
 * The files that programs read by themselves, in their working folder or one above: kind, programs, files. A program is
 * `program` or `program+word`, where the word is one of its arguments; the first row that fits is used. `*` in a file
 * matches any text, `**` all files below.
 */
const programs: readonly (readonly [ProgramKind, string, string])[] = [
  // Packages.
  ['packages', 'npx npm+exec npm+x', packages],
  ['packages', 'pnpx pnpm+dlx', `${packages} pnpm-workspace.yaml`],
  ['packages', 'yarn+dlx', `${packages} .yarn/releases/* .yarn/plugins/**`],
  ['packages', 'bunx bun+x', 'package.json .npmrc bunfig.toml .env*'],
  ['packages', 'uvx uv+tool pipx', 'uv.toml pyproject.toml .python-version'],
  ['packages', 'dnx dotnet+exec', 'global.json nuget.config Directory.*'],
  ['project', 'nix', 'flake.nix flake.lock default.nix shell.nix'],
  // Containers.
  ['project', 'docker+compose podman+compose nerdctl+compose docker-compose podman-compose', compose],
  ['project', 'docker+build docker+buildx docker+bake podman+build buildah nerdctl+build', `${compose} docker-bake.*`],
  ['container', 'docker podman nerdctl container apptainer singularity', ''],
  ['project', 'devcontainer', '.devcontainer/** .devcontainer.json'],
  // A program of the container.
  ['tool', 'kubectl+exec kubectl+attach', ''],
  [
    'project',
    'kubectl helm helmfile kustomize skaffold',
    'skaffold.y*ml helmfile* Chart.yaml values.yaml kustomization.y*ml',
  ],
  ['project', 'tilt', 'Tiltfile tilt_config.json'],
  ['project', 'earthly earth', 'Earthfile .env .arg .secret'],
  ['project', 'dagger', 'dagger.json'],
  ['project', 'act', '.actrc .env .secrets .github/workflows/**'],
  ['project', 'vagrant', 'Vagrantfile .vagrant/machines/**'],
  ['project', 'garden', 'garden.y*ml project.garden.y*ml'],
  // Tasks.
  ['project', 'task go-task', 'Taskfile*.y*ml .taskrc.y*ml .env'],
  ['project', 'just', 'justfile .justfile .env'],
  ['project', 'make gmake bmake nmake mingw32-make remake', `${make} *.mk`],
  ['project', 'rake drake', 'Rakefile* .rakerc Gemfile* rakelib/*.rake'],
  [
    'project',
    'bundle bundler gem thor guard rails',
    'Gemfile* gems.rb gems.locked .bundle/config *.gemspec Thorfile Guardfile',
  ],
  ['project', 'invoke inv fab', 'tasks.py tasks/** fabfile.py invoke.* fabric.* pyproject.toml'],
  ['project', 'doit pydoit', 'dodo.py doit.cfg pyproject.toml'],
  ['project', 'mage', 'magefile.go magefiles/** go.mod'],
  ['project', 'mask xc', 'maskfile.md README.md'],
  ['project', 'jake gulp grunt', `${npm} Jakefile* Gulpfile* Gruntfile*`],
  [
    'project',
    'ninja samu cmake ctest meson scons waf xmake premake5 tup',
    'build.ninja CMakeLists.txt CMakePresets.json CMakeUserPresets.json meson.build SConstruct wscript xmake.lua premake5.lua Tupfile',
  ],
  ['project', 'cargo-make makers', 'Makefile.toml Cargo.toml'],
  ['project', 'pre-commit prek lefthook', '.pre-commit-config.y*ml .pre-commit-hooks.y*ml lefthook.* .lefthook.*'],
  ['project', 'foreman overmind honcho hivemind goreman forego', procfile],
  ['project', 'process-compose mprocs', 'process-compose*.y*ml mprocs.y*ml .env'],
  ['project', 'pm2 pm2-runtime', 'ecosystem.config.* pm2.config.* package.json'],
  ['project', 'nodemon', 'nodemon.json .nodemonrc package.json'],
  ['project', 'supervisord circusd', 'supervisord.conf circus.ini'],
  // Python.
  ['project', 'tox', 'tox.ini tox.toml pyproject.toml setup.cfg setup.py'],
  ['project', 'nox', 'noxfile.py pyproject.toml'],
  ['project', 'uv pip pip3', `${uv} requirements*.txt constraints*.txt`],
  [
    'project',
    'poetry pdm hatch rye pipenv pixi poe flit',
    `${uv} poetry.lock poetry.toml pdm.* .pdm.toml hatch.toml Pipfile* pixi.* poe_tasks.*`,
  ],
  [
    'project',
    'pytest uvicorn gunicorn hypercorn flask fastapi streamlit fastmcp',
    `${uv} pytest.ini conftest.py gunicorn.conf.py .flaskenv app.py main.py server.py .streamlit/* fastmcp.json`,
  ],
  ['project', 'conda mamba micromamba', 'environment.y*ml .condarc'],
  // JavaScript.
  [
    'project',
    'turbo nx lerna lage rush rushx wireit moon ultra',
    `${npm} turbo.json* nx.json project.json lerna.json lage.config.* rush.json common/config/rush/** .moon/** workspace.json`,
  ],
  ['project', 'bun+run bun+start', `${npm} bunfig.toml .env*`],
  ['project', 'npm pnpm yarn yarnpkg corepack npm-run-all run-s run-p wsrun volta ni nr nlx', npm],
  ['project', 'node+--run', 'package.json'],
  ['project', 'deno+task', 'deno.json* deno.lock package.json .npmrc .env'],
  ['interpreter', 'deno', 'deno.json* deno.lock package.json'],
  ['interpreter', 'bun', 'bunfig.toml tsconfig.json .env*'],
  ['interpreter', 'tsx ts-node ts-node-esm tsimp swc-node esr jiti', 'tsconfig*.json .swcrc package.json'],
  ['interpreter', 'babel-node', '.babelrc* babel.config.* package.json'],
  ['interpreter', 'vite-node zx', 'vite.config.* tsconfig.json package.json'],
  ['interpreter', 'electron nw nwjs', 'package.json'],
  ['interpreter', 'node nodejs iojs', ''],
  [
    'project',
    'vite vitest jest mocha ava webpack rollup parcel next nuxt nuxi astro ng remix svelte-kit playwright cypress storybook expo',
    `${npm} tsconfig*.json *.config.* .mocharc* angular.json app.json`,
  ],
  [
    'project',
    'wrangler vercel netlify serverless sls sam cdk sst',
    `${npm} wrangler.* vercel.json netlify.toml serverless.* samconfig.toml template.y*ml cdk.json sst.config.*`,
  ],
  [
    'wrapper',
    'concurrently conc cross-env cross-env-shell npm-run wait-on start-server-and-test',
    'package.json .npmrc',
  ],
  // Other languages.
  ['interpreter', 'python pythonw py pypy ipython graalpy', ''],
  ['interpreter', 'ruby+-rbundler/setup ruby+bundler/setup', 'Gemfile* gems.rb gems.locked .bundle/config *.gemspec'],
  ['interpreter', 'ruby jruby truffleruby', ''],
  [
    'interpreter',
    'perl php lua luajit java javaw osascript rscript raku tclsh guile racket swipl',
    '.Rprofile .Renviron',
  ],
  [
    'project',
    'irb pry r julia octave ghci',
    '.irbrc .pryrc .Rprofile .Renviron renv.lock Project.toml Manifest.toml JuliaProject.toml .octaverc .ghci',
  ],
  ['interpreter', 'elixir erl escript iex', '.iex.exs'],
  ['project', 'mix rebar3 gleam', 'mix.exs mix.lock config/*.exs rebar.config gleam.toml'],
  ['project', 'gradle gradlew', gradle],
  ['project', 'mvn mvnw mvnd', maven],
  [
    'project',
    'sbt sbtn mill ant lein clj clojure bb jbang scala-cli scala kotlin groovy quarkus',
    'build.sbt project/*.sbt project/build.properties project/*.scala .sbtopts .jvmopts build.sc build.mill* .mill-* build.xml project.clj deps.edn bb.edn jbang-catalog.json project.scala',
  ],
  ['project', 'cargo', 'Cargo.toml Cargo.lock .cargo/config* rust-toolchain* build.rs Makefile.toml'],
  ['project', 'go air', 'go.mod go.sum go.work go.env *.go vendor/modules.txt .air.toml'],
  [
    'project',
    'dotnet msbuild nuget dotnet-script',
    '*.csproj *.fsproj *.vbproj *.sln *.slnx *.proj global.json Directory.* nuget.config *.runtimeconfig.json *.deps.json .config/dotnet-tools.json Properties/launchSettings.json appsettings*.json',
  ],
  ['project', 'composer artisan symfony', 'composer.json composer.lock auth.json artisan .env'],
  ['project', 'stack cabal runghc runhaskell', 'stack.yaml stack.yaml.lock package.yaml *.cabal cabal.project*'],
  ['project', 'dune opam', 'dune dune-project dune-workspace *.opam'],
  ['project', 'swift xcodebuild fastlane pod', 'Package.swift Package.resolved fastlane/** Fastfile Podfile'],
  [
    'project',
    'zig nim nimble crystal shards v dart flutter d dub',
    'build.zig* nim.cfg config.nims *.nimble shard.yml v.mod pubspec.* dub.*',
  ],
  ['project', 'bazel bazelisk blaze buck buck2 pants please plz', `${bazel} .buckconfig* BUCK pants.toml .plzconfig*`],
  // Environments.
  ['wrapper', 'direnv', '.envrc .env'],
  ['project', 'mise+run mise+r mise+task mise+tasks rtx+run', versions],
  ['wrapper', 'mise rtx asdf rbenv pyenv nodenv jenv goenv nvm fnm proto vfox', versions],
  ['wrapper', 'nix-shell nix-build nix-instantiate nix-env lorri', 'shell.nix default.nix flake.nix flake.lock'],
  ['project', 'devbox devenv flox', 'devbox.json devbox.lock devenv.* .flox/** flake.nix flake.lock .envrc'],
  ['project', 'guix', 'guix.scm manifest.scm channels.scm'],
  ['wrapper', 'dotenv dotenvx env-cmd dotenv-cli', '.env* .flaskenv .env-cmdrc*'],
  [
    'wrapper',
    'doppler op infisical chamber vault teller sops akeyless',
    '.env* doppler.y*ml .doppler.y*ml .infisical.json .teller.y*ml .sops.y*ml op.env',
  ],
  // Machines.
  [
    'project',
    'ansible ansible-playbook ansible-runner',
    'ansible.cfg inventory* hosts site.y*ml playbook.y*ml requirements.y*ml',
  ],
  [
    'project',
    'terraform tofu terragrunt packer pulumi',
    '*.tf *.tf.json *.tfvars *.auto.tfvars.json .terraform.lock.hcl .terraformrc terragrunt.hcl *.pkr.hcl Pulumi*.y*ml',
  ],
  ['project', 'git hg svn', '.gitattributes .gitmodules .git/config .git/hooks/** .hg/hgrc .hgrc'],
  // Commands that run others.
  ['shell', 'sh bash zsh dash ksh ash fish nu cmd powershell pwsh', ''],
  [
    'wrapper',
    'env nice ionice chrt nohup setsid stdbuf timeout time xvfb-run wsl sudo doas pkexec su runas chroot unshare nsenter',
    '',
  ],
  [
    'wrapper',
    'exec command builtin eval source . call start then do else if while not xargs parallel watch watchexec entr script unbuffer',
    '',
  ],
  [
    'wrapper',
    'strace ltrace gdb valgrind rlwrap flatpak firejail bwrap systemd-run dbus-run-session busybox winpty tini dumb-init catchsegv caffeinate arch script',
    '',
  ],
  [
    'tool',
    'cd pushd popd export set unset alias test [ [[ true false : exit return trap ulimit umask echo printf sleep wait fi done esac for case in read cat tee mkdir rm cp mv ls pwd which kill chcp title rem',
    '',
  ],
  // Programs that print a secret of the person.
  ['tool', 'gh pass security secret-tool gcloud', ''],
  ['tool', 'curl wget nc ncat socat ssh supergateway sqlite3 psql', ''],
];

/** The files that decide which version of a program the shims of version managers start. */
export const shimFiles: readonly string[] = versions.split(' ');

const byName = new Map<string, { readonly word: string; readonly program: KnownProgram }[]>();

/** True for a program of the table, named as by `programName`, with or without a version. */
export function isKnownProgram(name: string): boolean {
  return rowsOf(name) !== undefined;
}

/** @returns what is known of a program with these arguments; see {@link isKnownProgram} */
export function findKnownProgram(name: string, args: readonly string[]): KnownProgram | undefined {
  const own = subcommandIndexes(name, args);
  // Less is said of packages than of a project, so there the word must be the subcommand: `npm run x` is not `npm x`.
  return rowsOf(name)?.find(({ word, program }) => {
    if (word === '') return true;
    return program.kind === 'packages' || program.kind === 'tool'
      ? own.some((index) => args[index] === word)
      : args.includes(word);
  })?.program;
}

function rowsOf(name: string): readonly { readonly word: string; readonly program: KnownProgram }[] | undefined {
  if (byName.size === 0) fillIndex();
  // The names are short, and what finds a version takes the square of the length.
  if (name.length > 64) return undefined;
  return byName.get(name) ?? byName.get(name.replace(/[-_]?v?\d[\d.]*$/, ''));
}

function fillIndex(): void {
  for (const [kind, names, files] of programs) {
    for (const written of names.split(' ')) {
      const [name = '', word = ''] = written.split('+');
      const program = { name: word === '' ? name : `${name} ${word}`, kind, files: files.split(' ').filter(Boolean) };
      byName.set(name, [...(byName.get(name) ?? []), { word, program }]);
    }
  }
}
