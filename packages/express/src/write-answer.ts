import type { IncomingMessage, ServerResponse } from 'node:http'
import { systemClock } from '@tonplug/core'
import type { Answer } from '@tonplug/core'

const DRAIN_BYTES = 1_048_576
const DRAIN_MS = 500

/**
 * Writes a response unless the connection is closed or another response has been started.
 * Bytes that still arrive are read and discarded for up to 500 ms, because closing the connection immediately could discard
 * the response. After that, the connection is closed.
 */
export function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Pick<Answer, 'status' | 'headers' | 'body'>,
): void {
  if (response.headersSent || response.destroyed || response.socket?.destroyed === true) return
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-length': Buffer.byteLength(answer.body),
  })
  const body = request.method === 'HEAD' ? undefined : answer.body
  if (request.complete) {
    response.end(body)
    return
  }
  if (body !== undefined) response.write(body)
  drain(request, () => response.end())
}

function drain(request: IncomingMessage, end: () => void): void {
  let bytesLeft = DRAIN_BYTES
  const cancelTimer = systemClock.setTimer(stop, DRAIN_MS)
  request
    .on('data', (chunk: Uint8Array) => {
      bytesLeft -= chunk.length
      if (bytesLeft < 0) stop()
    })
    .once('end', stop)
    .once('close', stop)
    .resume()

  function stop(): void {
    cancelTimer()
    end()
    if (!request.complete) request.destroy()
  }
}
