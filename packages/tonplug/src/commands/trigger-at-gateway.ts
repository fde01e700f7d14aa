import { type Attempt, describeDelivery } from '../deliveries.js'
import { explainError } from '../explain-error.js'
import { CommandError, UsageError } from '../failure.js'
import { readStart } from '../read-start.js'
import type { Report } from '../report.js'
import { onOneLine } from '../table.js'
import { describeFields, type Triggered } from './trigger.js'

const MAX_RESPONSE_BYTES = 1_048_576
/** Longer than all retries of the gateway. */
const TIMEOUT_MS = 90_000
const REFERENCE =
  "give the reference of one of the gateway's transfers; `tonplug trigger create` prints it"

/** A response of the mock gateway's control API. */
interface DeliveryResult {
  isDelivered: boolean
  attempts: Attempt[]
}

/** Creates, pays or fails a transfer at a mock gateway in another process. */
export async function triggerAtGateway(
  { outcome, transfer, txHash, rawAmount }: Triggered,
  gateway: string,
): Promise<Report> {
  const root = `${readBase(gateway)}/mock-gateway/transfers`
  if (outcome === 'create') {
    const created = await post(root, { ...transfer, rawAmount: transfer.rawAmount.toString() })
    return { isDone: true, json: created, text: describeFields(created) }
  }
  const { reference } = transfer
  if (reference === undefined) throw new UsageError(`--reference: ${REFERENCE}`)
  const payment = { rawAmount: rawAmount?.toString(), txHash }
  const result = await post(`${root}/${encodeURIComponent(reference)}/${outcome}`, payment)
  if (!isDeliveryResult(result)) throw new CommandError(`${gateway} is not a mock gateway`)
  const { isDelivered, attempts } = result
  const isSent = attempts.length > 0
  return {
    isDone: isDelivered || !isSent,
    json: { gateway, reference, isDelivered, attempts },
    text: isSent ? describeDelivery(isDelivered, attempts) : 'Done; the gateway sends no webhook.',
  }
}

function isDeliveryResult(result: object): result is DeliveryResult {
  return 'isDelivered' in result && 'attempts' in result && Array.isArray(result.attempts)
}

async function post(url: string, body: object): Promise<object> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    const text = `${url} does not respond (${explainError(error)}); is the mock gateway running there?`
    throw new CommandError(text)
  })
  const text = await readStart(response, MAX_RESPONSE_BYTES)
  const value = readJson(text)
  if (value === undefined) {
    const start = onOneLine(text).slice(0, 200)
    throw new CommandError(
      `${url} is not a mock gateway: it responded with ${response.status} ${start}`,
    )
  }
  if (response.ok) return value
  const reason = 'error' in value ? onOneLine(String(value.error)) : 'no reason'
  throw new CommandError(`the gateway responded with ${response.status}: ${reason}`)
}

function readJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function readBase(text: string): string {
  if (URL.canParse(text) && /^https?:\/\/[^/@]+\/?$/.test(text)) return new URL(text).origin
  const example = 'for example http://127.0.0.1:3001'
  throw new UsageError(
    `--gateway: give the URL that \`listen()\` of the mock gateway returned, ${example}`,
  )
}
