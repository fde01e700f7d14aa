import type { AttemptSummary } from '../dev/attempt-log.js'
import { printLine } from '../escape-hidden.js'
import { onOneLine } from '../table.js'
import type { DevEvent, DevStart } from './dev.js'

/** Prints text, or one JSON document per line. */
export function printDev(isJson: boolean): (event: DevEvent) => void {
  return (event) => {
    const text = isJson
      ? JSON.stringify('start' in event ? event.start : event.attempt)
      : 'start' in event
        ? describeStart(event.start)
        : describeAttempt(event.attempt)
    printLine(text)
  }
}

function describeStart(start: DevStart): string {
  const { page, webhookUrl, header, secret, gatewayUrl, apiKey, merchant, buyer, isNetwork } = start
  const rows: [string, string][] = [
    ['Page', page],
    ['Webhooks', `${webhookUrl}, signed as ${header} with the secret in ${secret.source}`],
    ['Gateway', `TONPAY_BASE_URL=${gatewayUrl}`],
    [
      'API key',
      apiKey === null
        ? "none; every request counts as the merchant's"
        : `the one in ${apiKey.source}; a transfer without it sends no webhook`,
    ],
    [isNetwork ? 'Network' : 'Chain', chainText(start)],
    ['Merchant', merchant],
    ['Buyer', buyer],
  ]
  const lines = rows.map(([name, text]) => `${name.padEnd(8)}  ${onOneLine(text)}`)
  return [...lines, 'Ctrl-C ends it.'].join('\n')
}

function chainText({ chainUrl, isNetwork }: DevStart): string {
  if (chainUrl === null) return 'none'
  return `${chainUrl}, ${isNetwork ? 'watched for payments' : 'the base URL for API v2 and v3'}`
}

function describeAttempt({
  atMs,
  durationMs,
  reference,
  attempt,
  status,
  decision,
  error,
}: AttemptSummary): string {
  const at = new Date(atMs).toISOString()
  const result = error ?? (decision === null ? `${status}` : `${status} ${decision.kind}`)
  const text = `${reference ?? 'no reference'} attempt ${attempt}: ${result}, ${durationMs} ms`
  return `${at}  ${onOneLine(text)}`
}
