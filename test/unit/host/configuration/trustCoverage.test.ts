import { createHash } from 'node:crypto';
import { appendFile, chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { splitCommandLine } from '../../../../src/config/splitCommandLine.ts';
import { uncoveredCode } from '../../../../src/config/resolvedCode.ts';
import { createTrustRecord, describeChange } from '../../../../src/config/trustRecord.ts';
import { setting, stdioView } from '../../../fixtures/launches.ts';
import { inspectCode } from '../../../../src/host/configuration/inspectCode.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

let root: string;
let workspace: string;

beforeEach(async () => {
  root = await temporaryFolder();
  workspace = join(root, 'app');
  await mkdir(workspace);
});

/** Writes a file; a relative name is one of the workspace. */
async function write(name: string, text = 'harmless'): Promise<void> {
  const path = name.startsWith('/') ? name : join(workspace, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
}

interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly envFileValues?: Readonly<Record<string, string>>;
  readonly platform?: NodeJS.Platform;
}

/** What the trust service knows of a launch: the files it runs now, their record, and what the question says of the rest. */
async function look(line: readonly string[], { cwd = '.', env = {}, envFileValues = {}, platform }: Surroundings = {}) {
  const [command = '', ...args] = line;
  const variables = Object.entries(env).map(([name, value]) => setting(name, value));
  const view = stdioView(line, { cwd: join(workspace, cwd), env: variables, envFileValues });
  const plan = { kind: 'stdio', command, args, cwd: view.cwd, env: { ...envFileValues, ...env } } as const;
  const digests = {
    digest: async (path: string) =>
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
  };
  const context = { folders: [workspace], inherited: { PATH: join(root, 'bin') }, digests };
  const facts = await inspectCode(plan, view, { ...context, platform: platform ?? process.platform });
  return { facts, record: await createTrustRecord(view, facts), says: uncoveredCode(facts) };
}

async function given(program: string, files: readonly string[]): Promise<void> {
  await write(program.startsWith('.') ? program : join(root, 'bin', program));
  for (const file of files) await write(file);
}

/** A command line, a file that decides what it runs, and what is around it. */
const lines: [line: string, file: string, around?: Surroundings][] = [
  // The forms of the trial.
  ['docker compose run --rm -i mcp', 'docker-compose.yml'],
  ['docker compose -f deploy.yml run mcp', 'deploy.yml'],
  ['docker-compose run mcp', 'docker-compose.yml'],
  ['task mcp', 'Taskfile.yml'],
  ['rake mcp', 'Rakefile'],
  ['nix-shell --run mcp', 'shell.nix'],
  ['tox -e mcp', 'tox.ini'],
  ['turbo run mcp', 'package.json'],
  ['nx run mcp', 'project.json'],
  ['direnv exec . mcp', '.envrc'],
  ['mise run mcp', 'mise.toml'],
  ['uvx --from ./pkg mcp', 'pkg/pyproject.toml'],
  ['npx -y file:./pkg', 'pkg/package.json'],
  ['ruby -r ./hook server.js', 'hook.rb'],
  ['java -cp lib.jar Main', 'lib.jar'],
  ['electron .', 'package.json'],
  ['pm2 start eco.config.js', 'eco.config.js'],
  ['corepack pnpm start', 'package.json'],
  ['./gradlew run', 'build.gradle'],
  ['npm start', 'package.json'],
  ['node server.js', 'server.js'],
  ['npm start', '.npmrc'],
  ['npx tool', '.npmrc'],
  ['yarn start', '.yarnrc.yml'],
  ['bun server.js', 'bunfig.toml'],
  // Other programs.
  ['podman-compose up', 'compose.override.yaml'],
  ['podman compose run mcp', 'compose.yaml'],
  ['docker compose --project-directory deploy run mcp', 'deploy/compose.yml'],
  ['docker --context x compose run mcp', '.env'],
  ['docker build ./image', 'image/Dockerfile'],
  ['go-task mcp', 'taskfile.yaml'],
  ['just mcp', 'justfile'],
  ['make -C sub mcp', 'sub/Makefile'],
  ['rake -f build.rake mcp', 'build.rake'],
  ['bundle exec rackup', 'Gemfile'],
  ['nox -s mcp', 'noxfile.py'],
  ['invoke mcp', 'tasks.py'],
  ['pdm run mcp', 'pyproject.toml'],
  ['uv run server', 'uv.lock'],
  ['pipenv run mcp', 'Pipfile'],
  ['pnpm mcp', 'pnpm-workspace.yaml'],
  ['yarn mcp', '.yarn/releases/yarn-4.cjs'],
  ['deno task mcp', 'deno.jsonc'],
  ['lerna run mcp', 'lerna.json'],
  ['tsx server.ts', 'tsconfig.json'],
  ['asdf exec python x', '.tool-versions'],
  ['nix run .#mcp', 'flake.nix'],
  ['nix develop -c mcp', 'flake.lock'],
  ['nix run path:./flake', 'flake/flake.nix'],
  ['devbox run mcp', 'devbox.json'],
  ['./mvnw exec:java', '.mvn/wrapper/maven-wrapper.properties'],
  ['./gradlew run', 'gradle/wrapper/gradle-wrapper.properties'],
  ['cargo run', '.cargo/config.toml'],
  ['cargo run', 'build.rs'],
  ['go run ./cmd/server', 'cmd/server/main.go'],
  ['dotnet run', 'server.csproj'],
  ['php artisan mcp', 'artisan'],
  ['composer run mcp', 'composer.json'],
  ['mix mcp', 'mix.exs'],
  ['stack exec mcp', 'stack.yaml'],
  ['swift run', 'Package.swift'],
  ['bazelisk run //mcp', 'MODULE.bazel'],
  ['vagrant ssh -c mcp', 'Vagrantfile'],
  ['pre-commit run mcp', '.pre-commit-config.yaml'],
  ['foreman start', 'Procfile'],
  ['nodemon', 'nodemon.json'],
  ['terraform console', 'main.tf'],
  ['ansible-playbook play.yml', 'play.yml'],
  ['earthly +mcp', 'Earthfile'],
  ['skaffold dev', 'skaffold.yaml'],
  ['Rscript server.R', '.Rprofile'],
  ['python3.12 -m server', 'server.py'],
  ['python -m server.main', 'server/main.py'],
  // Other ways to name a file.
  ['node server', 'server/index.js'],
  ['node -r ./hook server.js', 'hook.cjs'],
  ['node --require=./hook server.js', 'hook/index.js'],
  ['ruby -rhook -Ilib server.rb', 'lib/hook.rb'],
  ['perl -I lib server.pl', 'lib/deep/Module.pm'],
  ['java @args.txt', 'args.txt'],
  ['java -javaagent:agent.jar=x Main', 'agent.jar'],
  ['java -cp a.jar:b.jar Main', 'b.jar'],
  ['node --import file:WORKSPACE/hook.mjs server.js', 'hook.mjs'],
  ['node --import file://WORKSPACE/a%20hook.mjs server.js', 'a hook.mjs'],
  ['npx -y file:./pkg', 'pkg/dist/index.js'],
  ['npx ./pkg', 'pkg/index.js'],
  ['npx --package=./pkg mcp', 'pkg/index.js'],
  ['uvx --from pkg@./pkg mcp', 'pkg/server.py'],
  ['uv run --with-requirements requirements.txt mcp', 'requirements.txt'],
  ['docker run --env-file=settings.env image', 'settings.env'],
  ['docker run --mount type=bind,source=./entry.sh,target=/entry.sh image', 'entry.sh'],
  ['electron .', 'app.js'],
  ['tool --config settings.json', 'settings.json'],
  // What runs has the name of a subcommand.
  ['uvx --from ./pkg run', 'pkg/server.py'],
  ['uvx --from ./pkg tool', 'pkg/server.py'],
  ['uvx --from ./pkg exec', 'pkg/server.py'],
  ['npx --package=./pkg run', 'pkg/lib/server.js'],
  ['npx -p ./pkg run', 'pkg/lib/server.js'],
  ['npm exec --package=./pkg dlx', 'pkg/lib/server.js'],
  ['pipx run --spec ./pkg run', 'pkg/server.py'],
  ['uv tool run --from ./pkg tool', 'pkg/server.py'],
  ['ruby -I lib -r hook run', 'lib/hook.rb'],
  ['perl -Ilib -MHook run', 'lib/Hook.pm'],
  ['java -cp lib run', 'lib/run.class'],
  ['java -p mods -m m/Main', 'mods/m/Main.class'],
  ['node run', 'run.js'],
  ['uv run tool', 'uv.lock'],
  ['npm run x', 'pnpm-workspace.yaml'],
  ['bun dev', 'package.json'],
  ['bun --silent mcp', 'package.json'],
  // A module whose name is glued to its option.
  ['python -mserver', 'server.py'],
  ['python3 -Bmserver', 'server.py'],
  ['python -um pkg.main', 'pkg/main.py'],
  ['python -minvoke mcp', 'tasks.py'],
  ['python -mpytest', 'conftest.py'],
  // A version after the name of a known program.
  ['npx -y gulp@5 mcp', 'gulpfile.js'],
  ['npx gulp@latest', 'gulpfile.js'],
  ['pnpm dlx gulp@5', 'gulpfile.js'],
  ['uvx nox@2024 -s mcp', 'noxfile.py'],
  ['uvx invoke==2.2', 'tasks.py'],
  ['npx -y mocha@10', '.mocharc.json'],
  ['npx -y tsx@4.0.0 server.ts', 'tsconfig.json'],
  // Assignments in arguments.
  ['env PATH=./bin2:/bin node s.js', 'bin2/node'],
  ['sh -c "PATH=./bin2:$PATH node s.js"', 'bin2/node'],
  ['env PYTHONPATH=./lib python s.py', 'lib/sitecustomize.py'],
  ['env RUBYLIB=lib ruby s.rb', 'lib/json.rb'],
  ['env NODE_PATH=lib node s.js', 'lib/x/index.js'],
  ['env PERL5LIB=lib perl s.pl', 'lib/strict.pm'],
  ['env CLASSPATH=lib java Main', 'lib/Main.class'],
  ['env HOME=home npx x', 'home/.npmrc'],
  ['env -Csub node s.js', 'sub/s.js'],
  ['npx -p a -p b -p c -p d mcp', 'node_modules/d/package.json'],
  ['npx -p a -p b -p c -p d mcp', 'node_modules/.bin/mcp'],
  // Java.
  ['java -cp lib/* com.acme.Main', 'lib/a.jar'],
  ['java com.acme.Main', 'com/acme/Main.class'],
  // Chains.
  ['env X=1 npx tool', '.npmrc'],
  ['sudo -u me docker compose run mcp', 'compose.yml'],
  ['time nice -n 5 rake mcp', 'Rakefile'],
  ['direnv exec . node server.js', '.envrc'],
  ['mise exec -- python server.py', 'mise.toml'],
  ['bash -c \'exec task "mcp"\'', 'Taskfile.yml'],
  ['sh -c "cd sub && ./run.sh --fast"', 'sub/run.sh'],
  ['concurrently \'exec task "mcp"\'', 'Taskfile.yml'],
  ['cmd /c rake mcp', 'Rakefile'],
  ['cmd /crake mcp', 'Rakefile'],
  ['pwsh -Command \'exec task "mcp"\'', 'Taskfile.yml'],
  ['npx task mcp', 'Taskfile.yml'],
  ['poetry run rake mcp', 'Rakefile'],
  // From a folder below.
  ['npm start', 'package.json', { cwd: 'packages/server' }],
  ['just mcp', '.justfile', { cwd: 'packages/server' }],
  ['node ../hook.js', 'packages/hook.js', { cwd: 'packages/server' }],
  // A package that is loaded before the script.
  ['node --import=hook server.js', 'node_modules/hook/package.json'],
  ['node -r hook/register server.js', 'node_modules/hook/register.js'],
  ['node --loader @scope/hook server.js', 'node_modules/@scope/hook/loader.mjs'],
  ['ruby -rbundler/setup server.rb', 'Gemfile'],
  ['ruby -r bundler/setup server.rb', 'Gemfile.lock'],
  // A line within an option.
  ['ssh -o "ProxyCommand=sh ./proxy.sh %h" host', 'proxy.sh'],
  ['ssh -oProxyCommand=make host', 'Makefile'],
  ['socat STDIO EXEC:make', 'Makefile'],
  ['socat STDIO "SYSTEM:task mcp"', 'Taskfile.yml'],
  ['nodemon --exec=rake', 'Rakefile'],
  // What runs may have the name of data.
  ['node assets/logo.svg', 'assets/logo.svg'],
  ['bash docs/setup.md', 'docs/setup.md'],
  ['bash --norc docs/setup.md x', 'docs/setup.md'],
  ['sh -c ". ./docs/setup.md"', 'docs/setup.md'],
  ['node server.log', 'server.log'],
  ['node -r ./hook.svg s.txt', 'hook.svg'],
  ['node --require=./hook.svg s.txt', 'hook.svg'],
  ['java -cp x.sock Main', 'x.sock'],
  ['java -cp a.jar:x.sock Main', 'x.sock'],
  // Folders that follow each other.
  ['sh -c "cd sub && cd deep && exec node s.js"', 'sub/deep/s.js'],
  ['env -C sub sh -c "cd sub && cd deep && exec node s.js"', 'sub/sub/deep/s.js'],
  ['sh -c \'cd "$PWD/sub" && exec node s.js\'', 'sub/s.js'],
  ['sh -c \'cd "$PWD"/sub && exec node s.js\'', 'sub/s.js'],
  ['wsl --cd sub node s.js', 'sub/s.js'],
  ['pwsh -WorkingDirectory sub -File s.ps1', 'sub/s.ps1'],
  ['pwsh -wd sub -File s.ps1', 'sub/s.ps1'],
  ['cmd /c "start /b /D sub node s.js"', 'sub/s.js'],
  ['sh -c \'PATH="$PWD/bin2:$PATH" node s.js\'', 'bin2/node'],
  ['sh -c "export PATH=$(pwd)/bin2:$PATH; node s.js"', 'bin2/node'],
  ['sh -c \'A="$(node server.js)" npx -y foo\'', 'server.js'],
  // Package runners.
  ['yarn dlx x', '.yarn/releases/yarn-4.cjs'],
  ['yarn dlx x', '.yarn/plugins/a/b.cjs'],
  ['pnpm dlx x', 'pnpm-workspace.yaml'],
  // What runs after a package.
  ['npx -y wrapper rake mcp', 'Rakefile'],
  ['npx -y wrapper --name x -- rake mcp', 'Rakefile'],
  ['npx -y wrapper ./gradlew run', 'build.gradle'],
  ['ruby /usr/bin/rake mcp', 'Rakefile'],
  ['kubectl -n exec apply -k .', 'kustomization.yaml'],
  // Options with a value before a folder.
  ['node --env-file-if-exists x src', 'src/deep/a.js'],
  ['node --watch-path lib src', 'src/deep/a.js'],
  ['node --new-option x src', 'src/deep/a.js'],
  ['ts-node -P x src', 'src/deep/a.ts'],
  ['bun --tsconfig-override x.json src', 'src/deep/a.ts'],
  ['deno run -c deno.jsonc src', 'src/deep/a.ts'],
  // Through the environment.
  ['node server.js', 'hook.js', { env: { NODE_OPTIONS: '--require ./hook' } }],
  ['python server.py', 'lib/sitecustomize.py', { env: { PYTHONPATH: './lib' } }],
  ['bundle exec mcp', 'other/Gemfile', { env: { BUNDLE_GEMFILE: 'other/Gemfile' } }],
  ['docker compose run mcp', 'b.yml', { env: { COMPOSE_FILE: 'a.yml:b.yml' } }],
  ['make mcp', 'extra.mk', { env: { MAKEFILES: 'extra.mk' } }],
  ['dotnet x.dll', 'hook.dll', { env: { DOTNET_STARTUP_HOOKS: './hook.dll' } }],
  ['perl server.pl', 'lib/Hook.pm', { env: { PERL5OPT: '-Ilib -MHook' } }],
  ['ruby server.rb', 'hook.rb', { env: { RUBYOPT: '-r./hook' } }],
  ['java Main', 'agent.jar', { env: { JAVA_TOOL_OPTIONS: '-javaagent:agent.jar' } }],
  ['node server.js', 'hook.js', { envFileValues: { NODE_OPTIONS: '-r ./hook.js' } }],
  ['tool', 'plugin.js', { env: { TOOL_PLUGIN: 'plugin.js' } }],
];

function wordsOf(line: string): readonly string[] {
  return splitCommandLine(line).map((word) => word.replaceAll('WORKSPACE', workspace));
}

describe.runIf(process.platform !== 'win32')('a file of the workspace that decides what runs', () => {
  it.each(lines)('asks again when it changes, comes or goes: %s, %s', async (line, file, around) => {
    const words = wordsOf(line);
    const files = line.startsWith('electron') ? ['package.json'] : [];
    await given(words[0] ?? '', [...files, file]);
    if (file === 'app.js') await write('package.json', '{"main": "app.js"}');
    if (around?.cwd !== undefined) await mkdir(join(workspace, around.cwd), { recursive: true });
    const before = await look(words, around);
    expect(describeChange(before.record, (await look(words, around)).record)).toEqual([]);
    await appendFile(join(workspace, file), 'rm -rf /');
    const changed = await look(words, around);
    expect(describeChange(before.record, changed.record).join('\n')).toContain(file);
    await rm(join(workspace, file));
    const gone = await look(words, around);
    expect(describeChange(changed.record, gone.record).join('\n')).toContain(file);
    expect(describeChange(gone.record, before.record).join('\n')).toContain(file);
  });
});

const open = 'Any other file in this folder';
const loads = 'Files that these files load';
const builds = (what: string): string => `What ${what} builds or runs in this folder`;
const looks = (what: string, language: string): string =>
  `${what} in the working folder, where ${language} looks first`;

describe.runIf(process.platform !== 'win32')('the question', () => {
  it.each([
    'tool --fast',
    './tool',
    'env A=1 tool',
    'sudo -u me tool',
    'bash -c "node server.js; tool"',
    'cmd /c tool',
    'cmd /ctool',
    'docker run -v .:/work image',
    'docker run -v ./data:/data image',
    'node .',
    // A program before the container hides nothing.
    'sudo docker run -v ./data:/data image',
    'sudo docker run -v .:/work image',
    'env A=1 docker run -v ./data:/data image',
    'env A=1 podman run -v ./data:/data image',
    'cmd /c docker run -v ./data:/data image',
    'sh -c "docker run -v ./data:/data image"',
    'timeout 9 docker run --mount type=bind,source=./data,target=/data image',
    'apptainer exec ./data sh',
    'docker run -v ./data:/data compose',
    // The code of a shell runs files that it does not name.
    'sh -c "cat *.sh | sh"',
    'sh -c "ls | xargs node"',
    'sh -c "sh ./a*"',
    'env A=1 sh -c "sh ./a*"',
    'bash -lc "sh a\'\'.sh"',
    'bash -c "sh a\\.sh"',
    'docker run -v ./data:/data build',
    'sh -c "sh $(ls *.sh)"',
    'bash -c \'. "$HOOK"\'',
    'bash -lc "exec $TOOL --fast"',
    'sh -c "node server.js & $TOOL"',
    'sh -c "node server.js&$TOOL"',
    'sh -c "node -r ${HOOK} server.js"',
    'concurrently "sh ./a*"',
    'npx concurrently "sh $(ls *.sh)"',
    'ssh "-oProxyCommand=sh ./a*" host',
    'sh -c \'cd "$D" && exec node s.js\'',
    'sh -c "cd $(cat where) && exec node s.js"',
    'node --test',
    'node --test --watch src',
    'deno test',
  ])('says that files of the folder decide what runs: %s', async (line) => {
    await given('node', ['data/a.txt', 'server.js']);
    const { says, facts } = await look(wordsOf(line));
    expect(says).toContain(open);
    expect(facts.uncovered.map(({ warning }) => warning)).toContain('Any file in this folder may decide what runs.');
  });

  it.each([
    'docker run -i --rm -v WORKSPACE:/w -w /w node:20 node server',
    'bash -c "cd WORKSPACE && rackup"',
    'env -C WORKSPACE mytool',
    'mytool --dir WORKSPACE',
    'mytool WORKSPACE/a.txt',
    'sh -c "sh WORKSPACE/*.sh"',
  ])('says so as well where the working folder is another: %s', async (line) => {
    expect((await look(wordsOf(line), { cwd: '../other' })).says).toContain(open);
  });

  it.each(['mytool --fast', 'mytool app', 'sh -c "sh */*.sh"'])(
    'says so of a working folder above the workspace, and of no other: %s',
    async (line) => {
      expect((await look(wordsOf(line), { cwd: '..' })).says).toContain(open);
      expect((await look(wordsOf(line), { cwd: '../other' })).says).toEqual([]);
    },
  );

  it.each([
    ['node bin/server', 'bin/server'],
    ['bash bin/run', 'bin/run'],
    ['python3 tools/mcp', 'tools/mcp'],
    ['direnv exec . npx x', '.envrc'],
    ['npx -y x', '.npmrc'],
    ['mise exec -- npx x', 'mise.toml'],
    ['bunx x', 'bunfig.toml'],
    ['node docs/setup.md', 'docs/setup.md'],
    ['node server.js docs/setup.md', 'docs/setup.md', false],
    ['uvx x', 'pyproject.toml', false],
    ['uvx x', '.python-version', false],
    ['npx -y x --env .env', '.env', false],
    ['make x', 'Makefile', false],
  ])('says that files load others: %s, %s', async (line, file, expected = true) => {
    await write(file);
    expect((await look(wordsOf(line))).says.includes(loads)).toBe(expected);
  });

  it('says so of a line with more words, or parts of one, than are looked at', async () => {
    const words = Array.from({ length: 5_000 }, (_, index) => `x${index}`);
    expect((await look(['node', ...words])).says).toContain(open);
    expect((await look(['node', ',x'.repeat(500), 'server.js'])).says).toContain(open);
  });

  it('looks at any line with bounded work, which takes minutes without bounds, and names its program', async () => {
    const assignments = 'x=y '.repeat(1_000);
    const different = Array.from({ length: 8_000 }, (_, index) => `A${index}=${index}`).join(' ');
    for (const words of [
      Array.from({ length: 8 }, () => ['bash', assignments]).flat(),
      ['bash', different, different, 'bash', different],
      ['node', `node${'1'.repeat(200_000)}x`],
      ['sh', '-c', 'A=$('.repeat(8_000)],
      ['sh', '-c', `A="'"$("`.repeat(8_000)],
      Array.from({ length: 4_000 }, () => '/c'),
    ]) {
      expect((await look(words)).facts.code?.name.split(' ')[0]).toBe(words[0]);
    }
  });

  it('covers a file of the workspace that a shell finds from the home folder', async () => {
    vi.stubEnv('HOME', root);
    await write('hook.txt');
    const before = await look(wordsOf('sh -c ". ~/app/hook.txt; npx -y foo"'));
    await write('hook.txt', 'other');
    const after = await look(wordsOf('sh -c ". ~/app/hook.txt; npx -y foo"'));
    expect(describeChange(before.record, after.record).join()).toContain('hook.txt has changed');
    await write('sub/s.js');
    const { facts, says } = await look(wordsOf('sh -c "cd $HOME/app && cd sub && exec node s.js"'), {
      cwd: '../other',
    });
    expect(facts.files.map(({ path }) => path)).toEqual([join(workspace, 'sub/s.js')]);
    expect(says).toEqual([loads]);
    vi.unstubAllEnvs();
  });

  it('says so where a folder has more files than it covers, and of a listing that is cut', async () => {
    for (let index = 0; index < 250; index += 1) await write(`lib/${index}.rb`);
    expect((await look(['ruby', '-I', 'lib', 'server.rb'])).says).toContain(open);
    expect((await look(['ruby', '-I', 'other', 'server.rb'])).says).not.toContain(open);
  });

  it.each<[line: string, ...says: string[]]>([
    ['npx -y @scope/pkg@1.2.3', 'Dependencies of @scope/pkg@1.2.3, which are not pinned'],
    ['npx -y @modelcontextprotocol/server-filesystem WORKSPACE ./docs'],
    ['uvx mcp-server-git --repository WORKSPACE'],
    ['uvx mcp-server-sqlite --db-path ./data.db'],
    ['cmd /d /s /c "npx -y foo"'],
    ['npx -y @modelcontextprotocol/server-filesystem /home/me/git'],
    ['npx -y @modelcontextprotocol/server-filesystem "C:\\Users\\me\\git"'],
    ['cmd /c npx -y server-filesystem /home/me/git'],
    ['uvx mcp-server-git --repository /home/me/task'],
    ['npx -y some-mcp --language swift'],
    ['env A=1 npx -y some-mcp --tool cargo'],
    ['docker run -i --rm image --tool cargo'],
    ['node server.js --tool cargo', loads],
    ['uv --directory /home/me/git run x', builds('uv')],
    ['kubectl exec -i pod -- server'],
    ['bash -c "source ~/.nvm/nvm.sh && npx -y foo"'],
    ['bash -c \'. "$HOME/.nvm/nvm.sh"; exec npx -y foo\''],
    ['sh -c "GITHUB_TOKEN=$(gh auth token) docker run -i --rm -e GITHUB_TOKEN image"'],
    ['sh -c \'GITHUB_TOKEN="$(gh auth token)" docker run -i --rm -e GITHUB_TOKEN image\''],
    ['sh -c "export PATH=/opt/homebrew/bin:$PATH; exec npx -y foo"'],
    ['bash -c \'PATH="$HOME/.local/bin:$PATH" uvx foo\''],
    ['bash -c "PATH=/opt/bin${PATH:+:$PATH} npx -y foo"'],
    ['python -I -c "import x"'],
    ['docker run -i --rm python'],
    ['uvx --python python3.12 mcp-server-x'],
    ['python -c "import x"', looks('Modules', 'Python')],
    ['env A=1 python3', looks('Modules', 'Python')],
    ['lua /opt/server.lua', looks('Modules', 'Lua')],
    ['php /opt/server.php', looks('Modules', 'PHP')],
    ['deno run --allow-write=./data.db npm:x'],
    ['sh -c "node server.js > server.log"', loads],
    [
      'docker run -i --rm -e "GITHUB_TOKEN=$(gh auth token) docker run -i --rm -e GITHUB_TOKEN image" ghcr.io/github/github-mcp-server',
    ],
    ['env A=1 npx -y my-server'],
    ['cmd /c npx -y my-server'],
    ['node server.js ./docs', loads],
    ['uvx --from mcp-server-x run'],
    ['uvx mcp-server-x'],
    ['sh -c \'cd "my data" && exec npx -y x | tee "log"\''],
    ['python -m mcp_server', looks('The module mcp_server', 'Python')],
    ['bun dev', builds('bun')],
    ['sh -c \'node server.js --key "$API_KEY" --home $HOME\'', loads],
    ['pipx run mcp-server-x'],
    ['npm run x', builds('npm')],
    ['npm start', builds('npm')],
  ])('says no more than it must of %s', async (line, ...expected) => {
    await given('npx', ['server.js', 'docs/a.md', 'docs/b.txt', 'docs/package.json', 'data.db', 'src/a.ts']);
    const words = wordsOf(line);
    const before = await look(words);
    expect(before.says).toEqual(expected);
    expect(before.facts.searchedFolders).toEqual([]);
    // Work in the folder, which no server of these is made of.
    const work = ['docs/a.md', 'docs/b.txt', 'docs/package.json', 'data.db', 'server.log', 'src/a.ts', 'src/new.ts'];
    for (const file of [...work, 'README.md']) await write(file, 'other');
    expect(describeChange(before.record, (await look(words)).record)).toEqual([]);
  });

  it.each([
    ['cmd /c npx -y x', 'npx.cmd'],
    ['cmd /c npx -y x', 'npx.EXE'],
    ['node server', 'server.bat'],
    ['npx -y x', 'npx.com'],
    ['cmd /c start.bat', 'start.bat.exe'],
    ['npx -y x', 'node_modules/.bin/x.cmd'],
    ['npx -y x', 'node_modules/.bin/x.ps1'],
    ['shim.cmd x', 'node.cmd'],
    ['cmd /c .\\\\tool'.replaceAll('\\\\', '/'), 'tool.ps1'],
  ])('comes again on Windows where a program appears beside what is named: %s, %s', async (line, file) => {
    await given('shim.cmd', []);
    const before = await look(line.split(' '), { platform: 'win32' });
    await write(file);
    const after = await look(line.split(' '), { platform: 'win32' });
    expect(describeChange(before.record, after.record).join()).toContain(`${file} is new`);
  });

  it('covers the script that an installed package names, which the shims of Windows start', async () => {
    await write('node_modules/x/package.json', '{"bin": {"x": "cli/main.js"}}');
    await write('node_modules/x/cli/main.js');
    const before = await look(['npx', '-y', 'x']);
    await write('node_modules/x/cli/main.js', 'other');
    const after = await look(['npx', '-y', 'x']);
    expect(describeChange(before.record, after.record).join()).toContain('cli/main.js has changed');
  });

  it('comes again where the version that a shim of a version manager starts changes', async () => {
    await write(join(root, 'shims', 'node'));
    const line = [join(root, 'shims', 'node'), 'server.js'];
    const before = await look(line);
    await write('.tool-versions', 'node 8');
    expect(describeChange(before.record, (await look(line)).record).join()).toContain('.tool-versions is new');
  });
});
