/** The media type of a response in lower case, without parameters; empty without `Content-Type`. */
export function mediaType({ headers }: Response): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  return type.trim().toLowerCase();
}
