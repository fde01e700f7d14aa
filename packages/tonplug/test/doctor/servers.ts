import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import tls, { type ConnectionOptions, type TLSSocket } from 'node:tls'
import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import { freePort } from '@tonplug/test-support/free-port'
import { createTestLogger } from '@tonplug/testing'
import express, { type Express } from 'express'
import { onTestFinished, vi } from 'vitest'
import { KEY } from './certificates.js'

export const SECRET = 'whsec_5f1c0a7b9d2e4f60'

/** Listens on a free port until the test ends. Returns the base URL. */
export async function listen(listener: RequestListener): Promise<string> {
  return `http://${await open(createServer(listener))}`
}

/** Responds to every request over TLS, with this certificate of {@link KEY}. Returns the base URL. */
export async function listenWithTls(
  cert: string,
  { isTrusted }: { isTrusted: boolean },
): Promise<string> {
  if (isTrusted) trust(cert)
  return `https://${await open(createTlsServer({ key: KEY, cert }, (_, response) => response.end()))}`
}

/** Lets TLS clients of this process trust a certificate until the test ends. Node 20 has no function for it. */
function trust(cert: string): void {
  const { connect } = tls
  // The only overload that fetch uses.
  const connectWithTrust = (options: ConnectionOptions): TLSSocket =>
    connect({ ...options, ca: cert })
  const spy = vi.spyOn(tls, 'connect').mockImplementation(connectWithTrust as typeof connect)
  onTestFinished(() => spy.mockRestore())
}

/** Returns the host and port of a server that runs until the test ends. */
async function open(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server on a port has no other kind of address.
  const { port } = server.address() as AddressInfo
  return `127.0.0.1:${port}`
}

/** A PostgreSQL that rejects every password. Servers of tests often accept any. Returns the host and port. */
export async function passwordRejectingPostgres(): Promise<string> {
  const server = createTcpServer((socket) => {
    // The first message is the start; a request for the password follows, as clear text.
    socket.once('data', () => {
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]))
      socket.once('data', () => rejectLogin(socket))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  // As above.
  const { port } = server.address() as AddressInfo
  return `127.0.0.1:${port}`
}

function rejectLogin(socket: Socket): void {
  const text = 'password authentication failed for user "shop"'
  const fields = Buffer.from(`SFATAL\0VFATAL\0C28P01\0M${text}\0\0`)
  const head = Buffer.alloc(5, 'E')
  head.writeInt32BE(fields.length + 4, 1)
  socket.end(Buffer.concat([head, fields]))
}

/** Returns a base URL without a server. */
export async function closedServer(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`
}

/** Runs an Express app with a receiver, and returns the URL of its webhook. */
export async function shop(
  mount: (app: Express, receiver: ReturnType<typeof openReceiver>) => void,
  options: { isStarted?: boolean } = {},
): Promise<{ url: string }> {
  const app = express()
  // Express logs every error in other environments.
  app.set('env', 'test')
  mount(app, openReceiver(options))
  return { url: `${await listen(app)}/webhooks/ton` }
}

function openReceiver({ isStarted = true }: { isStarted?: boolean }) {
  const orders = memoryOrderRepository()
  const payments = createPayments({ orders, logger: createTestLogger(), autoStart: isStarted })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  onTestFinished(async () => {
    await receiver.close()
    await payments.close()
  })
  return receiver
}

/** The faults of a proxy before API v3. */
export interface ApiFaults {
  /** The status for requests with the key. */
  keyStatus?: number
  /** Requests within one second; others are rejected with 429. */
  rate?: number
  /** The error of its clock, positive when it is ahead. */
  offsetMs?: number
}

/** Runs TON Center: a simulated chain behind a proxy that checks keys and rates. */
export async function tonCenter(
  chain: string,
  { keyStatus = 200, rate = 100, offsetMs = 0 }: ApiFaults = {},
): Promise<string> {
  const receivedAtMs: number[] = []
  return listen((request, response) => {
    const nowMs = Date.now()
    receivedAtMs.push(nowMs)
    response.setHeader('date', new Date(nowMs + offsetMs).toUTCString())
    const isOver = receivedAtMs.filter((atMs) => atMs > nowMs - 1000).length > rate
    const status = isOver ? 429 : hasKey(request) ? keyStatus : 200
    if (status !== 200) return void response.writeHead(status).end('{}')
    void forward(`${chain}${request.url ?? ''}`).then((body) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    })
  })
}

function hasKey(request: IncomingMessage): boolean {
  return request.headers['x-api-key'] !== undefined
}

async function forward(url: string): Promise<string> {
  return (await fetch(url)).text()
}
