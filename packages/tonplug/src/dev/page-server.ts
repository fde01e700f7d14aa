import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BodyTooLargeError, readNodeBody } from '@tonplug/core'
import { createEventStream, type EventStream } from './event-stream.js'
import { type JsonFields, readFields } from './json-fields.js'
import { checkHost, checkSameOrigin, SECURITY_HEADERS } from './page-access.js'
import { type PageFile, readPageFiles } from './page-files.js'
import { PageRequestError } from './page-request-error.js'
import type { Playground } from './playground.js'

const MAX_BODY_BYTES = 16_384

/** A page that is served. */
export interface PageServer {
  url: string
  close(): Promise<void>
}

/** What answers are made from. */
interface Page {
  playground: Playground
  files: Map<string, PageFile>
  events: EventStream
}

/** Serves the page of a playground on the loopback. @param port 0 for a free one. */
export async function servePage(playground: Playground, port: number): Promise<PageServer> {
  const events = createEventStream(() => playground.state())
  const page = { playground, files: readPageFiles(), events }
  const server = createServer((request, response) => {
    answer(page, request, response).catch((error: unknown) => refuse(response, error))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  }).catch((error: unknown) => {
    events.close()
    throw error
  })
  const stopTelling = playground.onChange(() => events.tell())
  // A listening TCP server has an AddressInfo, not a pipe name.
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}`,
    close: () =>
      new Promise((resolve) => {
        stopTelling()
        events.close()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  { playground, files, events }: Page,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
  checkHost(request)
  const pathname = pathOf(request)
  const file = files.get(pathname)
  if (file !== undefined) {
    checkMethod(request, 'GET')
    response.writeHead(200, { 'content-type': file.type }).end(file.content)
    return
  }
  checkSameOrigin(request)
  if (pathname === '/events') {
    checkMethod(request, 'GET')
    events.add(response)
    return
  }
  const [, api, kind, id = '', outcome] = pathname.split('/').map(decode)
  if (api === 'api' && kind === 'attempts' && outcome === undefined) {
    checkMethod(request, 'GET')
    const attempt = playground.attempt(Number(id))
    if (attempt === undefined) throw new PageRequestError(404, 'This delivery is forgotten.')
    writeJson(response, 200, attempt)
  } else if (pathname === '/api/transfers') {
    checkMethod(request, 'POST')
    writeJson(response, 201, playground.create(await readBody(request)))
  } else if (api === 'api' && kind === 'transfers' && outcome !== undefined) {
    checkMethod(request, 'POST')
    playground.begin(id, outcome, await readBody(request))
    writeJson(response, 202, {})
  } else {
    throw new PageRequestError(404, 'There is nothing here.')
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  const base = 'http://127.0.0.1'
  if (!URL.canParse(url, base)) throw new PageRequestError(400, 'The path is none.')
  return new URL(url, base).pathname
}

function checkMethod({ method }: IncomingMessage, expected: 'GET' | 'POST'): void {
  if (method !== expected) throw new PageRequestError(405, `This takes ${expected}.`)
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new PageRequestError(400, 'The path is not encoded as paths are.')
  }
}

async function readBody(request: IncomingMessage): Promise<JsonFields> {
  // The server closes its connections when it closes, which ends a read as well.
  const { signal } = new AbortController()
  const body = await readNodeBody(request)({ maxBodyBytes: MAX_BODY_BYTES, signal })
  return readFields(Buffer.from(body).toString())
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  // What was not read of the body is in the way of another request.
  response.setHeader('connection', 'close')
  const { status, message } = refusalOf(error)
  writeJson(response, status, { error: message })
}

function refusalOf(error: unknown): { status: number; message: string } {
  if (error instanceof PageRequestError) return error
  if (error instanceof BodyTooLargeError) {
    return { status: 413, message: `The body is larger than ${MAX_BODY_BYTES} bytes.` }
  }
  return { status: 500, message: error instanceof Error ? error.message : String(error) }
}

function writeJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
