import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { hexToByteArray, SessionCrypto } from '@tonconnect/protocol'
import type { PaymentRequest, SimulatedWallet } from '@tonplug/simulator'
import { onTestFinished } from 'vitest'

/** A bridge of TON Connect, and a wallet app that is connected to it. */
export interface WalletBridge {
  url: string
  /** Scans the link of a page: the wallet connects, and then signs, or answers with the code of an error. */
  scan(link: string, wallet: SimulatedWallet, answer?: WalletAnswer): void
  /** Requests that the wallet has received. */
  requests: PaymentRequest[]
}

/** `bad request` and `unknown` are errors of the wallet; after the second one it may have signed. */
type WalletAnswer = 'sign' | 'decline' | 'bad request' | 'unknown'

const ERROR_CODES = { unknown: 0, 'bad request': 1, decline: 300 }

interface BridgeMessage {
  id: string
  method: string
  params: string[]
}

/** Runs a bridge until the test ends. */
export async function openBridge(): Promise<WalletBridge> {
  /** Open streams of pages. */
  const streams = new Map<string, ServerResponse>()
  /** Events by page. A page whose stream was interrupted gets the ones after the last that it has received. */
  const events = new Map<string, string[]>()
  const wallets = new Map<string, (from: string, message: string) => void>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bridge')
    const id = searchParams.get('client_id') ?? ''
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (pathname === '/bridge/events') {
      response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' })
      response.write('event: heartbeat\n\n')
      const received = Number(searchParams.get('last_event_id') ?? 0)
      for (const event of (events.get(id) ?? []).slice(received)) response.write(event)
      streams.set(id, response)
      response.on('close', () => {
        if (streams.get(id) === response) streams.delete(id)
      })
      return
    }
    response.writeHead(200, headers).end('{}')
    if (request.method !== 'POST') return
    void text(request).then((message) => wallets.get(searchParams.get('to') ?? '')?.(id, message))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  // A server on a port has no other kind of address.
  const { port } = server.address() as AddressInfo
  const requests: PaymentRequest[] = []
  return {
    url: `http://127.0.0.1:${port}/bridge`,
    requests,
    scan(link, wallet, answer = 'sign') {
      const page = new URL(link).searchParams.get('id') ?? ''
      const session = new SessionCrypto()
      const send = (message: object): void => {
        const sealed = session.encrypt(JSON.stringify(message), hexToByteArray(page))
        const data = { from: session.sessionId, message: Buffer.from(sealed).toString('base64') }
        const sent = events.get(page) ?? []
        const event = `event: message\nid: ${sent.length + 1}\ndata: ${JSON.stringify(data)}\n\n`
        events.set(page, [...sent, event])
        streams.get(page)?.write(event)
      }
      wallets.set(session.sessionId, (from, message) => {
        const opened = session.decrypt(Buffer.from(message, 'base64'), hexToByteArray(from))
        const { id, method, params } = JSON.parse(opened) as BridgeMessage
        if (method !== 'sendTransaction') return
        const request = readRequest(params[0] ?? '')
        requests.push(request)
        if (answer !== 'sign') {
          send({ id, error: { code: ERROR_CODES[answer], message: answer } })
          return
        }
        void wallet.pay(request).then(() => send({ id, result: 'te6ccgEBAQEAAgAAAA==' }))
      })
      send(connectEvent(wallet))
    },
  }
}

function readRequest(json: string): PaymentRequest {
  const { valid_until: validUntil, ...request } = JSON.parse(json) as PaymentRequest & {
    valid_until: number
  }
  return { ...request, validUntil }
}

function connectEvent({ address, publicKey }: SimulatedWallet): object {
  const account = {
    name: 'ton_addr',
    address: address.toRawString(),
    network: '-3',
    publicKey: publicKey.toString('hex'),
    walletStateInit: 'te6ccgEBAQEAAgAAAA==',
  }
  const device = {
    platform: 'browser',
    appName: 'test',
    appVersion: '1',
    maxProtocolVersion: 2,
    features: ['SendTransaction', { name: 'SendTransaction', maxMessages: 4 }],
  }
  return { event: 'connect', id: 1, payload: { items: [account], device } }
}
