import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readHeader, readNodeBody, WEBHOOK_DEFAULTS } from '@tonplug/core'
import { bodyText } from '../body-text.js'
import { printLine } from '../escape-hidden.js'
import { explainPort } from '../port.js'
import type { SourcedSecret } from '../secret.js'
import { diagnoseSignature } from '../signature/diagnose.js'
import type { Mistake } from '../signature/mistake.js'
import { onOneLine } from '../table.js'
import { untilInterrupted } from '../until-interrupted.js'

const MAX_BODY_BYTES = 1_048_576

/** A received request. */
interface Arrival {
  receivedAt: string
  method: string
  path: string
  contentType: string | null
  /** Name of the signature header; null without a signature. */
  header: string | null
  /** Null without a signature, or without a secret to check it with. */
  isMatch: boolean | null
  mistakes: Mistake[]
  bodyBytes: number
  body: string
  /** The status of the response. */
  status: number
}

/** Options of `tonplug listen`. */
export interface Listening {
  port: number
  status: number
  /** Number of requests after which it ends. */
  count: number | undefined
  /** Signatures are checked only with a secret. */
  secrets: [SourcedSecret, ...SourcedSecret[]] | undefined
  print: Print
}

type Print = (event: { url: string; isChecking: boolean } | Arrival) => void

/**
 * Listens on the loopback interface until it has received `count` requests, or is interrupted.
 * @throws {CommandError} when the port is in use.
 */
export async function listen({ port, status, count, secrets, print }: Listening): Promise<void> {
  let left = count ?? Infinity
  const ending = new AbortController()
  const end = (): void => ending.abort()
  const server = createServer((request, response) => {
    receive(request, response, { status, secrets, signal: ending.signal })
      .then((arrival) => {
        print(arrival)
        left -= 1
        if (left === 0) end()
      })
      // A request that the sender aborts is ignored, and one with a large body is closed.
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explainPort(port, error)))
    server.listen(port, '127.0.0.1', resolve)
  })
  // A listening TCP server has an AddressInfo, not a pipe name.
  const { port: taken } = server.address() as AddressInfo
  print({ url: `http://127.0.0.1:${taken}`, isChecking: secrets !== undefined })
  await untilInterrupted(ending.signal)
  end()
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeIdleConnections()
  })
}

/** Prints text, or one JSON document per line. */
export function printArrivals(isJson: boolean): Print {
  return (event) => {
    const text = isJson
      ? JSON.stringify(event)
      : 'url' in event
        ? describeStart(event)
        : describeArrival(event)
    printLine(text)
  }
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { status, secrets, signal }: Pick<Listening, 'status' | 'secrets'> & { signal: AbortSignal },
): Promise<Arrival> {
  const receivedAt = new Date().toISOString()
  const body = Buffer.from(await readNodeBody(request)({ maxBodyBytes: MAX_BODY_BYTES, signal }))
  const { method = '', url = '', headers } = request
  const header = WEBHOOK_DEFAULTS.signatureHeaders.find(
    (name) => readHeader(headers, name) !== undefined,
  )
  const found = header === undefined ? undefined : readHeader(headers, header)
  const signature = found !== undefined && 'value' in found ? found.value : undefined
  const isChecked = signature !== undefined && secrets !== undefined
  const mistakes = isChecked ? diagnoseSignature({ body, signature, secrets, encoding: 'hex' }) : []
  response.writeHead(status, { connection: 'close' }).end()
  return {
    receivedAt,
    method,
    path: url,
    contentType: headers['content-type'] ?? null,
    header: header ?? null,
    isMatch: isChecked ? mistakes.length === 0 : null,
    mistakes,
    bodyBytes: body.length,
    body: body.toString(),
    status,
  }
}

function describeStart({ url, isChecking }: { url: string; isChecking: boolean }): string {
  const checking = isChecking
    ? 'Signatures are checked.'
    : 'Signatures are not checked: set TONPAY_WEBHOOK_SECRET, or give --secret-file.'
  return `Listening at ${url}, on every path. ${checking} Ctrl-C ends it.`
}

function describeArrival(arrival: Arrival): string {
  const { receivedAt, method, path, bodyBytes, status, mistakes, body } = arrival
  return [
    '',
    `${receivedAt}  ${onOneLine(`${method} ${path}`)}  ${bodyBytes} bytes, status ${status}`,
    describeSignature(arrival),
    ...mistakes.map(({ code, problem, fix }) => `  ${code}: ${problem}\n    ${fix}`),
    bodyText(body),
  ].join('\n')
}

function describeSignature({ header, isMatch }: Arrival): string {
  if (header === null) return 'No signature.'
  if (isMatch === null) return `${header} was not checked.`
  return `${header} ${isMatch ? 'matches' : 'does not match'}.`
}
