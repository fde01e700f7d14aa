import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BodyTooLargeError, readNodeBody } from '@tonplug/core'
import { createEventStream, type EventStream } from './event-stream.js'
import { type JsonFields, readFields } from './json-fields.js'
import { checkHost, checkSameOrigin, SECURITY_HEADERS } from './page-access.js'
import { type PageFile, readPageFiles } from './page-files.js'
import { PageRequestError } from './page-request-error.js'
import { readPageState, type PageApi } from './page-api.js'
import { checkMethod, routeRequest } from './page-routes.js'

const MAX_BODY_BYTES = 16_384

/** A running page server. */
export interface PageServer {
  url: string
  close(): Promise<void>
}

/** The dependencies of the request handlers. */
interface Page {
  api: PageApi
  files: Map<string, PageFile>
  events: EventStream
}

/** Serves the page on the loopback interface. @param port 0 for a free one. */
export async function servePage(api: PageApi, port: number): Promise<PageServer> {
  const events = createEventStream(() => readPageState(api))
  const page = { api, files: readPageFiles(), events }
  const server = createServer((request, response) => {
    handle(page, request, response).catch((error: unknown) => refuse(response, error))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  }).catch((error: unknown) => {
    events.close()
    throw error
  })
  const notify = (): void => events.notify()
  const unsubscribe = [api.chain?.onChange(notify), api.gateway?.onChange(notify)]
  // A listening TCP server has an AddressInfo, not a pipe name.
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}`,
    close: () =>
      new Promise((resolve) => {
        for (const stop of unsubscribe) stop?.()
        events.close()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function handle(
  { api, files, events }: Page,
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
  const [, prefix, ...path] = pathname.split('/').map(decode)
  if (prefix !== 'api') throw new PageRequestError(404, 'This path does not exist.')
  const body = (): Promise<JsonFields> => readBody(request)
  const routed = await routeRequest(api, { method: request.method, path, body })
  writeJson(response, routed.status, routed.body)
}

function pathOf({ url = '' }: IncomingMessage): string {
  const base = 'http://127.0.0.1'
  if (!URL.canParse(url, base)) throw new PageRequestError(400, 'The path is invalid.')
  return new URL(url, base).pathname
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new PageRequestError(400, 'The path is not URL-encoded.')
  }
}

async function readBody(request: IncomingMessage): Promise<JsonFields> {
  // The server closes its connections when it closes, which also ends a read.
  const { signal } = new AbortController()
  const body = await readNodeBody(request)({ maxBodyBytes: MAX_BODY_BYTES, signal })
  return readFields(Buffer.from(body).toString())
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  // Unread bytes of the body would precede the next request.
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
