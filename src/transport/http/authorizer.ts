export type { AuthorizationChallenge, AuthorizedRequest, HttpAuthorizer } from '../../protocol/httpAuthorizer.ts';
