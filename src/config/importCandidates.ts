/** The shapes in which clients keep their servers. */
export type ImportFormat = 'mcpServers' | 'claudeCode' | 'vscode' | 'zed';

/** A file in which another client may have servers. */
export interface ImportCandidate {
  readonly client: string;
  readonly format: ImportFormat;
  readonly path: string;
}

export interface ImportPlace {
  readonly platform: 'win32' | 'darwin' | 'linux';
  readonly userHome: string;
  /** For `APPDATA` and `XDG_CONFIG_HOME`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Where other clients keep the servers of the user. The files need not exist. */
export function importCandidates(place: ImportPlace): ImportCandidate[] {
  const { userHome } = place;
  const settings = settingsFolder(place);
  const inHome = (client: string, format: ImportFormat, ...segments: string[]): ImportCandidate => {
    return { client, format, path: join(place, userHome, ...segments) };
  };
  const inSettings = (client: string, format: ImportFormat, ...segments: string[]): ImportCandidate => {
    return { client, format, path: join(place, settings, ...segments) };
  };
  return [
    inSettings('Claude Desktop', 'mcpServers', 'Claude', 'claude_desktop_config.json'),
    inHome('Claude Code', 'claudeCode', '.claude.json'),
    inHome('Cursor', 'mcpServers', '.cursor', 'mcp.json'),
    inHome('Windsurf', 'mcpServers', '.codeium', 'windsurf', 'mcp_config.json'),
    inHome('Gemini CLI', 'mcpServers', '.gemini', 'settings.json'),
    inSettings('VS Code', 'vscode', 'Code', 'User', 'mcp.json'),
    inSettings('VS Code Insiders', 'vscode', 'Code - Insiders', 'User', 'mcp.json'),
    inSettings('VSCodium', 'vscode', 'VSCodium', 'User', 'mcp.json'),
    inSettings(
      'Cline',
      'mcpServers',
      'Code',
      'User',
      'globalStorage',
      'saoudrizwan.claude-dev',
      'settings',
      'cline_mcp_settings.json',
    ),
    place.platform === 'win32'
      ? inSettings('Zed', 'zed', 'Zed', 'settings.json')
      : inHome('Zed', 'zed', '.config', 'zed', 'settings.json'),
  ];
}

function settingsFolder(place: ImportPlace): string {
  const { platform, userHome, environment } = place;
  switch (platform) {
    case 'win32':
      return environment['APPDATA'] ?? join(place, userHome, 'AppData', 'Roaming');
    case 'darwin':
      return join(place, userHome, 'Library', 'Application Support');
    case 'linux':
      return environment['XDG_CONFIG_HOME'] ?? join(place, userHome, '.config');
  }
}

function join({ platform }: ImportPlace, ...segments: string[]): string {
  return segments.join(platform === 'win32' ? '\\' : '/');
}
