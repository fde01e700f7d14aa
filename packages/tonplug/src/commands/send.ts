import { createGatewayStandIn, signPayload } from '@tonplug/testing'
import { CommandError, UsageError } from '../failure.js'
import { explainError } from '../explain-error.js'
import type { Report } from '../report.js'
import type { SourcedSecret } from '../secret.js'
import { onOneLine } from '../table.js'

const ANSWER_TIMEOUT_MS = 10_000
const SHOWN_CHARACTERS = 500

/** What to send, and where to. */
export interface Sending {
  /** Signed and sent as it is. */
  body: Uint8Array
  url: string
  secret: SourcedSecret
  header: string
  /** Whether to try again as the gateway does, after 1, 5 and 15 seconds. */
  isRetried: boolean
}

/** One request, and its answer or the reason why there is none. */
type Attempt = { status: number; body: string } | { error: string }

/** Signs the bytes as the gateway does and posts them. */
export async function send(sending: Sending): Promise<Report> {
  checkSecret(sending.secret)
  const url = readUrl(sending.url)
  const attempts = sending.isRetried ? await deliver(sending, url) : [await postOnce(sending, url)]
  const last = attempts.at(-1)
  if (last === undefined) throw new CommandError('nothing was sent')
  const isDelivered = isAcknowledged(last)
  const texts = attempts.map((attempt, index) => `attempt ${index + 1}: ${attemptText(attempt)}`)
  return {
    isDone: isDelivered,
    json: { url, isDelivered, attempts },
    text: [...texts, isDelivered ? 'Delivered.' : `Not delivered. ${adviceOn(last)}`].join('\n'),
  }
}

async function deliver({ body, secret, header }: Sending, url: string): Promise<Attempt[]> {
  const { attempts } = await createGatewayStandIn({ url, secret: secret.value, header }).deliver(
    body,
  )
  return attempts.map(({ status, body: answer, error }) =>
    status === undefined ? { error: explainError(error) } : { status, body: answer },
  )
}

async function postOnce({ body, secret, header }: Sending, url: string): Promise<Attempt> {
  const { headers } = signPayload(body, secret.value, { header })
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    return { status: answer.status, body: await answer.text().catch(() => '') }
  } catch (error) {
    return { error: explainError(error) }
  }
}

function isAcknowledged(attempt: Attempt): boolean {
  return 'status' in attempt && attempt.status >= 200 && attempt.status < 300
}

function attemptText(attempt: Attempt): string {
  if ('error' in attempt) return onOneLine(attempt.error)
  const body = onOneLine(attempt.body).slice(0, SHOWN_CHARACTERS)
  return body === '' ? `${attempt.status}` : `${attempt.status} ${body}`
}

function adviceOn(attempt: Attempt): string {
  if ('error' in attempt) return 'Does a server listen there, and is the address right?'
  const { status } = attempt
  if (status === 401) {
    return 'The receiver does not take the signature: has it another secret, or does a parser read the body first? See `tonplug verify`.'
  }
  if (status === 400) {
    return 'The signature was right; the body is no webhook that the receiver knows.'
  }
  if (status === 404 || status === 405) return 'The address has no webhook route for POST.'
  if (status >= 300 && status < 400) {
    return 'The gateway follows no redirects; give the final address.'
  }
  return 'The log of the receiver says why.'
}

function checkSecret({ source, value }: SourcedSecret): void {
  if (value === value.trim()) return
  throw new UsageError(
    `the secret in ${source} begins or ends with white space; trim it, as a receiver refuses it so`,
  )
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw new UsageError(
      '--url: give an http:// or https:// address without a user, such as http://localhost:3000/webhooks/ton',
    )
  }
  return url.href
}
