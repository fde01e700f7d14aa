import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { DeskRequestError } from './responses.js'

const COOKIE = 'tonplug_desk'
const VALUE = /^[\w-]{43}$/

/**
 * Returns the token of an operator's session, and the header that sets its cookie unless the request has one. The token is
 * derived from the cookie, which no other site can read or send, so any process can check it. Without a `Path` the cookie
 * belongs to the folder of this request, whatever prefix a proxy has added.
 */
export function csrfSession(
  request: Request,
  operator: string,
): { csrfToken: string; headers: Record<string, string> } {
  const known = cookieOf(request)
  const secret = known ?? randomBytes(32).toString('base64url')
  const csrfToken = tokenOf(secret, operator)
  if (known !== undefined) return { csrfToken, headers: {} }
  const isSecure =
    request.url.startsWith('https:') || request.headers.get('x-forwarded-proto') === 'https'
  const secure = isSecure ? '; Secure' : ''
  const cookie = `${COOKIE}=${secret}; HttpOnly; SameSite=Strict${secure}`
  return { csrfToken, headers: { 'set-cookie': cookie } }
}

/** @throws {DeskRequestError} with 403 unless a page of the desk has sent this request, for this operator. */
export function checkCsrf(request: Request, operator: string): void {
  const secret = cookieOf(request)
  const sent = request.headers.get('x-csrf-token') ?? ''
  const isOurs = secret !== undefined && isEqual(sent, tokenOf(secret, operator))
  if (isOurs && isSameOrigin(request)) return
  throw new DeskRequestError(403, 'CSRF', 'The session has changed. Reload the page and try again.')
}

/** Browsers send at least one of the two headers with a POST; other programs may send neither. */
function isSameOrigin({ headers, url }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = headers.get('origin')
  if (origin === null) return true
  const hosts = [headers.get('host'), headers.get('x-forwarded-host'), new URL(url).host]
  return URL.canParse(origin) && hosts.includes(new URL(origin).host)
}

function cookieOf({ headers }: Request): string | undefined {
  const cookies = (headers.get('cookie') ?? '').split(/;\s*/)
  const found = cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))
  const value = found?.slice(COOKIE.length + 1) ?? ''
  return VALUE.test(value) ? value : undefined
}

function tokenOf(secret: string, operator: string): string {
  return createHmac('sha256', secret).update(operator).digest('base64url')
}

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
