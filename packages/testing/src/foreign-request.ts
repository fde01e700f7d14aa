import type { IncomingMessage } from 'node:http'

/**
 * Returns why a request may come from a page of another web site, or `undefined`. Browsers send such requests to servers on
 * the loopback interface too, also under a name that the site controls (DNS rebinding). Other programs send no `origin`.
 */
export function describeForeignRequest({ headers, socket }: IncomingMessage): string | undefined {
  const port = socket.localPort ?? 0
  const { host = '', origin, 'sec-fetch-site': site = 'same-origin' } = headers
  if (!isLocal(host, port)) {
    return `the header host must be localhost, 127.0.0.1 or [::1] with port ${port}`
  }
  const [, originHost] = /^http:\/\/(.*)$/i.exec(origin ?? `http://${host}`) ?? []
  if (originHost === undefined || !isLocal(originHost, port)) {
    return 'pages of other origins are not allowed: the header origin must be that of this server'
  }
  return site === 'same-origin' || site === 'none'
    ? undefined
    : 'pages of other origins are not allowed'
}

function isLocal(host: string, port: number): boolean {
  const [, name = '', given = '80'] = /^(.*?)(?::(\d+))?$/.exec(host.toLowerCase()) ?? []
  return /^(?:localhost\.?|127\.0\.0\.1|\[::1\])$/.test(name) && Number(given) === port
}
