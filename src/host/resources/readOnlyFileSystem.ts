import { type FileStat, FileSystemError, type FileType, FilePermission, type Uri } from 'vscode';

/** Everything a file system must answer that has nothing to write. */
export abstract class ReadOnlyFileSystem {
  createDirectory(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }
}

/** @param changedAt milliseconds since the epoch */
export function readOnlyStat(type: FileType, changedAt: number, size = 0): FileStat {
  return { type, ctime: changedAt, mtime: changedAt, size, permissions: FilePermission.Readonly };
}
