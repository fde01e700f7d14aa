import type { Reply, Respond } from './mock-api.js'

type Headers = Record<string, string>

/** Responds with a status and a body: a string, or JSON. */
export function respond(status: number, body: unknown, headers: Headers = {}): Reply {
  return { status, headers, body }
}

/** Responds in the envelope of a success of API v2. */
export function succeed(result: unknown): Reply {
  return { body: { ok: true, result } }
}

/** Responds in the envelope of an error of API v2. */
export function refuse(status: number, error: string, headers: Headers = {}): Reply {
  return { status, headers, body: { ok: false, error, code: status } }
}

/** Never responds. */
export const hang: Respond = () => undefined

/** Begins a body and stops. */
export const stallBody: Respond = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"ok":true,')
}

/** Closes the connection in the middle of a body. */
export const truncate: Respond = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"ok":true,', () => response.destroy())
}

/** Closes the connection with a reset. */
export const reset: Respond = (request) => {
  request.socket.resetAndDestroy()
}

/** Sends that many bytes, at the pace of the reader. @param sent counts them */
export function flood(bytes: number, sent: { bytes: number }, headers: Headers = {}): Respond {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    const block = Buffer.alloc(1_048_576, ' ')
    const write = (): void => {
      while (sent.bytes < bytes) {
        sent.bytes += block.length
        if (!response.write(block)) return void response.once('drain', write)
      }
      response.end()
    }
    write()
  }
}
