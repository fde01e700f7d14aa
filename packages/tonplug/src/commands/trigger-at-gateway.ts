import { type Attempt, describeDelivery } from '../deliveries.js'
import { explainError } from '../explain-error.js'
import { CommandError, UsageError } from '../failure.js'
import type { Report } from '../report.js'
import { onOneLine } from '../table.js'
import { describeFields, type Triggered } from './trigger.js'

/** Longer than the gateway's patience with a shop. */
const TIMEOUT_MS = 90_000
const REFERENCE = "say which of the gateway's transfers; `tonplug trigger create` prints it"

/** What a stand-in answers. */
interface ToldDelivery {
  isDelivered: boolean
  attempts: Attempt[]
}

/** Creates a transfer at a stand-in that runs in another process, or has one of its transfers paid, or fail. */
export async function triggerAtGateway(
  { outcome, transfer, txHash, rawAmount }: Triggered,
  gateway: string,
): Promise<Report> {
  const root = `${readBase(gateway)}/stand-in/transfers`
  if (outcome === 'create') {
    const created = await post(root, { ...transfer, rawAmount: transfer.rawAmount.toString() })
    return { isDone: true, json: created, text: describeFields(created) }
  }
  const { reference } = transfer
  if (reference === undefined) throw new UsageError(`--reference: ${REFERENCE}`)
  const payment = { rawAmount: rawAmount?.toString(), txHash }
  const told = await post(`${root}/${encodeURIComponent(reference)}/${outcome}`, payment)
  if (!isToldDelivery(told)) throw new CommandError(`${gateway} is no gateway stand-in`)
  const { isDelivered, attempts } = told
  const isSent = attempts.length > 0
  return {
    isDone: isDelivered || !isSent,
    json: { gateway, reference, isDelivered, attempts },
    text: isSent ? describeDelivery(isDelivered, attempts) : 'Done; the gateway sends no webhook.',
  }
}

function isToldDelivery(told: object): told is ToldDelivery {
  return 'isDelivered' in told && 'attempts' in told && Array.isArray(told.attempts)
}

async function post(url: string, body: object): Promise<object> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    const text = `${url} does not answer (${explainError(error)}); is the gateway stand-in running there?`
    throw new CommandError(text)
  })
  const text = await answer.text()
  const value = readJson(text)
  if (value === undefined) {
    const start = onOneLine(text).slice(0, 200)
    throw new CommandError(`${url} is no gateway stand-in: it answered ${answer.status} ${start}`)
  }
  if (answer.ok) return value
  const reason = 'error' in value ? onOneLine(String(value.error)) : 'no reason'
  throw new CommandError(`the gateway answered ${answer.status}: ${reason}`)
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
  const example = 'such as http://127.0.0.1:3001'
  throw new UsageError(`--gateway: give what \`listen()\` of the stand-in returned, ${example}`)
}
