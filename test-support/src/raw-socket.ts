import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** A connection whose bytes are written by hand. */
export interface RawConnection {
  socket: Socket
  write(data: string | Uint8Array): void
  /** The error of the connection, for example a reset. */
  readonly errors: readonly Error[]
  /** All that the server has sent, once it has closed the connection. */
  received(): Promise<string>
  /** Waits until the server has sent a string. */
  receivedText(text: string): Promise<void>
}

/** Opens a TCP connection; what it receives is read as latin1, so that bytes stay countable. */
export async function openConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let text = ''
  socket.on('data', (chunk: string) => {
    text += chunk
    socket.emit('received')
  })
  // A server may reset the connection after its response.
  const errors: Error[] = []
  socket.on('error', (error) => errors.push(error))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'connect')
  return {
    socket,
    errors,
    write: (data) => void socket.write(data),
    async received() {
      await closed
      return text
    },
    async receivedText(wanted) {
      while (!text.includes(wanted)) await once(socket, 'received')
    },
  }
}

/** Sends bytes in one piece and returns the whole answer, the `Date` header made constant. */
export async function exchange(port: number, bytes: string | Uint8Array): Promise<string> {
  const connection = await openConnection(port)
  connection.write(bytes)
  const received = await connection.received()
  return received.replaceAll(/^date: .*$/gim, 'date: then')
}

/** Returns a request; `content-length` is added unless a length or an encoding is given. */
export function requestText(
  target: string,
  options: {
    method?: string
    headers?: Record<string, string>
    body?: string
    isLast?: boolean
  } = {},
): string {
  const { method = 'POST', headers = {}, body = '', isLast = true } = options
  const all = {
    host: 'shop.example',
    ...('transfer-encoding' in headers || 'content-length' in headers || method === 'GET'
      ? {}
      : { 'content-length': String(Buffer.byteLength(body, 'latin1')) }),
    ...headers,
    ...(isLast ? { connection: 'close' } : {}),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** Returns a body in chunks of at most `size`. */
export function chunked(body: string, size: number): string {
  let text = ''
  for (let start = 0; start < body.length; start += size) {
    const chunk = body.slice(start, start + size)
    text += `${chunk.length.toString(16)}\r\n${chunk}\r\n`
  }
  return `${text}0\r\n\r\n`
}
