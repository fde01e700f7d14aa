import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readHeader, readNodeBody, SIGNATURE_HEADERS } from '@tonplug/core'
import { bodyText } from '../body-text.js'
import { explainPort } from '../port.js'
import type { SourcedSecret } from '../secret.js'
import { diagnoseSignature } from '../signature/diagnose.js'
import type { Mistake } from '../signature/mistake.js'
import { onOneLine } from '../table.js'
import { untilInterrupted } from '../until-interrupted.js'

const MAX_BODY_BYTES = 1_048_576

/** A request as it arrived. */
interface Arrival {
  receivedAt: string
  method: string
  path: string
  contentType: string | null
  /** The name of the header that has the signature, or null where there is none. */
  header: string | null
  /** Null where there is no signature, or no secret to check it with. */
  isMatch: boolean | null
  mistakes: Mistake[]
  bodyBytes: number
  body: string
  /** What was answered. */
  status: number
}

/** Where to listen, and what to do with what arrives. */
export interface Listening {
  port: number
  status: number
  /** After how many requests to end. */
  count: number | undefined
  /** Without one, signatures are not checked. */
  secrets: [SourcedSecret, ...SourcedSecret[]] | undefined
  print: Print
}

type Print = (event: { url: string; isChecking: boolean } | Arrival) => void

/**
 * Listens on the loopback until it has its count, or is told to end.
 * @throws {CommandError} when the port is taken.
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
      // A sender who goes away in the middle has sent nothing, and one who sends too much is cut off.
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

/** Prints for people, or one JSON document on each line. */
export function printArrivals(isJson: boolean): Print {
  return (event) => {
    const text = isJson
      ? JSON.stringify(event)
      : 'url' in event
        ? describeStart(event)
        : describeArrival(event)
    process.stdout.write(`${text}\n`)
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
  const header = SIGNATURE_HEADERS.find((name) => readHeader(headers, name) !== undefined)
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
    `${receivedAt}  ${onOneLine(`${method} ${path}`)}  ${bodyBytes} bytes, answered ${status}`,
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
