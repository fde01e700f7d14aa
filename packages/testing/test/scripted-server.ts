import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen, type Listening } from './listen.js'

/** A request as it arrived. */
interface SeenRequest {
  method: string | undefined
  headers: IncomingMessage['headers']
  body: Buffer
}

/** What the server does with one request: a status, or anything at all. */
export type Step = number | ((response: ServerResponse) => void)

/** A listening server that answers its first request by the first step, and so on. */
export interface ScriptedServer extends Listening {
  requests: SeenRequest[]
  /** Resolves when that many requests have arrived. */
  waitForRequests(count: number): Promise<void>
}

/** Starts a {@link ScriptedServer}; beyond its last step it answers 599. */
export async function startScriptedServer(steps: readonly Step[]): Promise<ScriptedServer> {
  const requests: SeenRequest[] = []
  let waiters: { count: number; resolve: () => void }[] = []
  const server = await listen((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, headers } = request
      const step = steps[requests.length] ?? 599
      requests.push({ method, headers, body: Buffer.concat(chunks) })
      if (typeof step === 'number') response.writeHead(step).end(`step ${step}`)
      else step(response)
      for (const { count, resolve } of waiters) if (count <= requests.length) resolve()
      waiters = waiters.filter(({ count }) => count > requests.length)
    })
  })
  return {
    ...server,
    requests,
    waitForRequests: async (count) => {
      if (requests.length >= count) return
      await new Promise<void>((resolve) => waiters.push({ count, resolve }))
    },
  }
}
