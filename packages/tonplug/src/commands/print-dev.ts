import type { AttemptSummary } from '../dev/attempt-log.js'
import { printLine } from '../escape-hidden.js'
import { onOneLine } from '../table.js'
import type { DevChainStart, DevEvent, DevGatewayStart, DevStart } from './dev.js'

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

function describeStart({ page, chain, gateway }: DevStart): string {
  const rows: [string, string][] = [
    ['Page', page],
    ...(chain === null ? [] : chainRows(chain)),
    ...(gateway === null ? [] : gatewayRows(gateway)),
  ]
  const lines = rows.map(([name, text]) => `${name.padEnd(8)}  ${onOneLine(text)}`)
  return [...lines, ...shopLines(chain), 'Ctrl-C ends it.'].join('\n')
}

function chainRows({ url, shopRoute }: DevChainStart): [string, string][] {
  return [
    ['Chain', `${url}, the base URL for API v2 and v3; needs no key`],
    ['Shop', `${shopRoute}, read for the status of orders`],
  ]
}

function gatewayRows(gateway: DevGatewayStart): [string, string][] {
  const { webhookUrl, header, secret, gatewayUrl, apiKey, merchant, buyer } = gateway
  const { isNetwork, chainUrl } = gateway
  return [
    ['Webhooks', `${webhookUrl}, signed as ${header} with the secret in ${secret.source}`],
    ['Gateway', `TONPAY_BASE_URL=${gatewayUrl}`],
    [
      'API key',
      apiKey === null
        ? "none; every request counts as the merchant's"
        : `from ${apiKey.source}; a transfer without it sends no webhook`,
    ],
    ...(isNetwork ? [['Network', `${chainUrl}, watched for payments`] as [string, string]] : []),
    ['Merchant', merchant],
    ['Buyer', buyer],
  ]
}

/** The lines to copy into the terminal of the shop. */
function shopLines(chain: DevChainStart | null): string[] {
  if (chain === null) return []
  const lines = chain.environment.map(({ name, value }) => `export ${name}=${value}`)
  return ['', 'In the terminal of your shop:', ...lines, '']
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
