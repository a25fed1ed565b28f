// Takes the place of the native module @vscode/spdlog in the installed VS Code server, which is not compiled there.
// Without it every log output channel stays empty. Rotation is left out: a server lives for one session.
const { appendFileSync } = require('node:fs');
const { mkdir } = require('node:fs/promises');
const path = require('node:path');

const levelNames = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
const offLevel = levelNames.length;

class Logger {
  #file;
  #level = levelNames.indexOf('info');
  #isFormatted = true;
  #pending = '';

  constructor(_type, _name, file) {
    this.#file = file;
  }

  trace(message) {
    this.#write(0, message);
  }

  debug(message) {
    this.#write(1, message);
  }

  info(message) {
    this.#write(2, message);
  }

  warn(message) {
    this.#write(3, message);
  }

  error(message) {
    this.#write(4, message);
  }

  critical(message) {
    this.#write(5, message);
  }

  getLevel() {
    return this.#level;
  }

  setLevel(level) {
    this.#level = level;
  }

  // VS Code sets only the pattern that #write uses.
  setPattern() {}

  clearFormatters() {
    this.#isFormatted = false;
  }

  flush() {
    const text = this.#pending;
    this.#pending = '';
    if (text !== '') appendFileSync(this.#file, text);
  }

  drop() {
    this.flush();
    this.#level = offLevel;
  }

  #write(level, message) {
    if (level < this.#level) return;
    if (this.#pending === '') setImmediate(() => this.flush());
    this.#pending += this.#isFormatted ? `${timestamp()} [${levelNames[level]}] ${message}\n` : message;
  }
}

function timestamp() {
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return local.toISOString().replace('T', ' ').replace('Z', '');
}

async function createLogger(name, file) {
  await mkdir(path.dirname(file), { recursive: true });
  return new Logger('rotating', name, file);
}

exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
