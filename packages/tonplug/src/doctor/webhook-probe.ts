import { transferCompleted } from '@tonplug/testing'
import { explainError } from '../explain-error.js'
import { readStart } from '../read-start.js'

/** A response, or the error of a request without one. */
export type Reply =
  | { status: number; body: string; headers: Headers; sentAtMs: number; receivedAtMs: number }
  | { error: string; code: string }

/** The responses of the webhook route to two requests that are signed with a wrong secret. */
export interface WebhookReplies {
  /** To the JSON of a delivery. */
  json: Reply
  /** To bytes that no JSON parser accepts. Absent when the first request had no response. */
  bytes: Reply | undefined
}

const SHOWN_CHARACTERS = 200
/** The format of a signature, which no secret has made. */
const WRONG_SIGNATURE = `sha256=${'0'.repeat(64)}`
/** Payments with long comments and addresses have bodies of this size. */
const BODY_BYTES = 4096

/** Sends requests that a receiver rejects before it stores or decides anything. */
export async function probeWebhook(url: string, timeoutMs: number): Promise<WebhookReplies> {
  const delivery = JSON.stringify(transferCompleted({ reference: 'tonplug-doctor' }))
  const json = await post(url, delivery.padEnd(BODY_BYTES), timeoutMs)
  if ('error' in json) return { json, bytes: undefined }
  return { json, bytes: await post(url, 'not JSON', timeoutMs) }
}

async function post(url: string, body: string, timeoutMs: number): Promise<Reply> {
  const sentAtMs = Date.now()
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-tonpay-signature': WRONG_SIGNATURE },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = (await readStart(response, SHOWN_CHARACTERS)).slice(0, SHOWN_CHARACTERS)
    const { status, headers } = response
    return { status, body: text, headers, sentAtMs, receivedAtMs: Date.now() }
  } catch (error) {
    return { error: explainError(error), code: codeOf(error) }
  }
}

/** Returns the code of the innermost error, for example `ECONNREFUSED`; otherwise its name. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error.cause instanceof Error) return codeOf(error.cause)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** Returns true for the body of every rejection by a receiver. */
export function isFromReceiver(body: string): boolean {
  return body.replaceAll(/\s/g, '') === '{"ok":false}'
}
