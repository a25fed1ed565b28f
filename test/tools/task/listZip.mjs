// @ts-check
import { readFile } from 'node:fs/promises';

const endOfCentralDirectory = 0x06054b50;
const centralFileHeader = 0x02014b50;

/**
 * The names of the files in a zip archive, from its central directory (PKWARE APPNOTE 4.3.12 and 4.3.16).
 *
 * @param {string} file
 * @returns {Promise<readonly string[]>} paths with forward slashes, folders left out
 */
export async function listZip(file) {
  const bytes = await readFile(file);
  const end = findBackwards(bytes, endOfCentralDirectory);
  const count = bytes.readUInt16LE(end + 10);
  let position = bytes.readUInt32LE(end + 16);
  const names = [];
  for (let index = 0; index < count; index += 1) {
    if (bytes.readUInt32LE(position) !== centralFileHeader) throw new Error(`${file} is damaged at byte ${position}.`);
    const nameLength = bytes.readUInt16LE(position + 28);
    const extraLength = bytes.readUInt16LE(position + 30);
    const commentLength = bytes.readUInt16LE(position + 32);
    names.push(bytes.toString('utf8', position + 46, position + 46 + nameLength));
    position += 46 + nameLength + extraLength + commentLength;
  }
  return names.filter((name) => !name.endsWith('/'));
}

/**
 * @param {Buffer} bytes
 * @param {number} signature
 */
function findBackwards(bytes, signature) {
  for (let position = bytes.length - 22; position >= 0; position -= 1) {
    if (bytes.readUInt32LE(position) === signature) return position;
  }
  throw new Error('This is not a zip archive: it has no central directory.');
}
