/** @returns the file name of a program without its extension, in lower case */
export function programName(token: string): string {
  return token
    .replace(/^.*[\\/]/s, '')
    .replace(/\.(?:exe|cmd|bat|ps1)$/i, '')
    .toLowerCase();
}
