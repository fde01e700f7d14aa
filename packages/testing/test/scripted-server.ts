import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen, type Listening } from '@tonplug/test-support/listen'

/** A received request. */
interface SeenRequest {
  method: string | undefined
  headers: IncomingMessage['headers']
  body: Buffer
}

/** The response to one request: a status, or a function that writes the response. */
export type Step = number | ((response: ServerResponse) => void)

/** A server that responds to each request with the next step. */
export interface ScriptedServer extends Listening {
  requests: SeenRequest[]
  /** Resolves when `count` requests have arrived. */
  waitForRequests(count: number): Promise<void>
}

/** Starts a {@link ScriptedServer}. After the last step it responds with status 599. */
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
