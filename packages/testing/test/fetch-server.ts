import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen, type Listening } from '@tonplug/test-support/listen'

/** Serves a Fetch handler over `node:http`, as Fetch servers for Node do. */
export function serveFetch(handle: (request: Request) => Promise<Response>): Promise<Listening> {
  return listen((incoming, outgoing) => {
    handle(toRequest(incoming))
      .then((response) => write(response, outgoing))
      .catch(() => outgoing.writeHead(500).end())
  })
}

function toRequest(incoming: IncomingMessage): Request {
  const { method = 'GET', url = '/', headersDistinct, headers } = incoming
  const fetchHeaders = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) fetchHeaders.append(name, value)
  }
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: fetchHeaders,
    ...(hasBody && { body: toWeb(incoming), duplex: 'half' }),
  })
}

/** Cancellation ends the reading but not the connection, so that a response can still be sent. */
function toWeb(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let isOver = false
  const endWith = (end: () => void): void => {
    if (!isOver) end()
    isOver = true
  }
  return new ReadableStream({
    start(controller) {
      incoming.on('data', (chunk: Buffer) => isOver || controller.enqueue(new Uint8Array(chunk)))
      incoming.on('end', () => endWith(() => controller.close()))
      incoming.on('error', (error) => endWith(() => controller.error(error)))
    },
    cancel: () => endWith(() => undefined),
  })
}

async function write(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(await response.text())
}
