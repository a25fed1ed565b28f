/** What a body claims to be, in lower case and without parameters; empty when it does not say. */
export function mediaType({ headers }: Response): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase();
}
