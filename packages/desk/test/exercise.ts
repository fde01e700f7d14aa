import type { TransferPage } from '@tonplug/desk'
import { COOKIE, sessionOf } from './shop.js'

/** The result of {@link exerciseDesk} for a desk that works. */
export const WORKING = {
  page: [200, 'text/html; charset=utf-8'],
  file: [200, 'text/javascript; charset=utf-8'],
  transfers: 1,
  action: [200, '{"isSuccess":true,"message":"The payment will be checked again within seconds."}'],
  foreign: 403,
  unknown: 422,
  large: 413,
  stranger: [403, ''],
}

/**
 * Uses a mounted desk as a browser does, whose operator may act: the page, its files, a list, and actions.
 * @param url of the mount, without a slash at its end
 */
export async function exerciseDesk(url: string): Promise<typeof WORKING> {
  const get = (path: string) => fetch(url + path, { headers: { cookie: COOKIE } })
  const page = await get('/')
  const [script = ''] = /assets\/[\w.-]+\.js/.exec(await page.text()) ?? []
  const file = await get(`/${script}`)
  const { transfers } = (await (await get('/api/transfers?limit=1')).json()) as TransferPage
  const stranger = await fetch(`${url}/api/transfers`)
  return {
    page: [page.status, page.headers.get('content-type') ?? ''],
    file: [file.status, file.headers.get('content-type') ?? ''],
    transfers: transfers.length,
    ...(await exerciseActions(url)),
    stranger: [stranger.status, await stranger.text()],
  }
}

async function exerciseActions(
  url: string,
): Promise<Pick<typeof WORKING, 'action' | 'foreign' | 'unknown' | 'large'>> {
  const opened = await fetch(`${url}/api/session`, { headers: { cookie: COOKIE } })
  const { token, cookie } = await sessionOf(opened)
  const send = (reportId: string, origin = new URL(url).origin) =>
    fetch(`${url}/api/reprocess`, {
      method: 'POST',
      headers: {
        origin,
        cookie: `${COOKIE}; ${cookie}`,
        'content-type': 'application/json',
        'x-csrf-token': token,
      },
      body: JSON.stringify({ reportId }),
    })
  const done = await send('report-1')
  return {
    action: [done.status, await done.text()],
    foreign: (await send('report-1', 'https://evil.example')).status,
    unknown: (await send('report-99')).status,
    large: (await send('x'.repeat(20_000))).status,
  }
}

/** Returns the page at the path without a slash: its script adds the slash, whatever a proxy has changed. */
export async function readRedirect(url: string): Promise<string> {
  const page = await fetch(url, { headers: { cookie: COOKIE }, redirect: 'manual' })
  const [hash = ''] = /sha256-/.exec(page.headers.get('content-security-policy') ?? '') ?? []
  return `${page.status} ${hash} ${await page.text()}`
}

/** Matches the result of {@link readRedirect}. */
export const ADDS_SLASH =
  /^200 sha256- .*location\.replace\(location\.origin \+ location\.pathname \+ '\/'/
