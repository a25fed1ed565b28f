import { CancelledError } from '../../base/errors.ts';

/** The reason for which the questions of a server end that the person has muted meanwhile. */
export class MutedError extends CancelledError {
  constructor() {
    super('The server was muted');
  }
}
