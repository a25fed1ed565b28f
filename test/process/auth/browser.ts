/**
 * A browser and its user: follows redirects, keeps cookies, fills in and submits every form.
 * @returns the first address outside of `origin`, which is where the sign-in leads back to
 */
export async function signInWithBrowser(start: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step += 1) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form !== undefined && { method: 'POST', body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const page = await response.text();
    form = undefined;
    if (location !== null) {
      url = new URL(location, url);
      if (url.origin !== start.origin) return url;
      continue;
    }
    const action = /<form[^>]* action="([^"]+)" method="post"/.exec(page)?.[1];
    if (action === undefined) throw new Error(`The browser stopped at ${url.pathname}: ${textOf(page).slice(0, 500)}`);
    url = new URL(action, url);
    form = new URLSearchParams({ login: 'ada', password: 'secret' });
    for (const [, name = '', value = ''] of page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)) {
      form.set(name, value);
    }
  }
  throw new Error('The browser was sent around in circles.');
}

function textOf(page: string): string {
  return page
    .replaceAll(/<style>.*?<\/style>|<[^>]+>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
