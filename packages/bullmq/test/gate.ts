import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy for Redis that a test can close, or pause so that no bytes pass. */
export interface Gate {
  url: string
  hold: () => void
  release: () => void
  close: () => void
}

export async function openGate(target: string): Promise<Gate> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isHeld = false
  const server = createServer((socket) => {
    const redis = connect(Number(port), hostname)
    sockets.add(socket)
    socket.on('data', (bytes) => isHeld || redis.write(bytes))
    redis.on('data', (bytes) => isHeld || socket.write(bytes))
    for (const end of [socket, redis]) end.on('error', () => undefined)
    redis.on('close', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      redis.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const disconnect = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    // A server that listens on TCP has a port.
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => {
      isHeld = true
    },
    release: () => {
      isHeld = false
      // Bytes that were dropped would be missing on these connections.
      disconnect()
    },
    close: () => {
      server.close()
      disconnect()
    },
  }
}
