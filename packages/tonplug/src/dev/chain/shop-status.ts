import { explainError } from '../../explain-error.js'
import { onOneLine } from '../../table.js'

const RETRY_MS = 1_000
const HINT = 'Start the shop, or set --shop to its status route.'

/** The newest status of an order at the shop. */
export interface ShopStatus {
  /** A status of `payments.watchStatus`; null before the shop has sent one. */
  status: string | null
  /** Why the shop sends no status; null while it does. */
  problem: string | null
}

/** Follows the status of orders at the shop. */
export interface ShopStatuses {
  /** Begins to follow an order until it is paid. `listener` gets each change. */
  follow(reference: string, listener: (status: ShopStatus) => void): void
  close(): void
}

/**
 * Follows orders at a route that `orderStatusStream` serves.
 * @param route a URL with `:reference` in the place of the reference
 */
export function createShopStatuses(route: string): ShopStatuses {
  const ending = new AbortController()
  const { signal } = ending
  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(end, RETRY_MS)
      signal.addEventListener('abort', end)
      function end(): void {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
    })
  const run = async (url: string, listener: (status: ShopStatus) => void): Promise<void> => {
    let status: string | null = null
    while (!signal.aborted && status !== 'paid') {
      try {
        for await (const received of readStatuses(url, signal)) {
          status = received
          listener({ status, problem: null })
        }
      } catch (error) {
        if (signal.aborted) return
        listener({ status, problem: onOneLine(`${explainError(error)}. ${HINT}`) })
      }
      if (status !== 'paid') await wait()
    }
  }
  return {
    follow(reference, listener) {
      // As a string, `$&` in a reference would be replaced.
      void run(
        route.replaceAll(':reference', () => encodeURIComponent(reference)),
        listener,
      )
    },
    close: () => ending.abort(),
  }
}

/** Reads the statuses of a stream of server-sent events. @throws {Error} for any other response. */
async function* readStatuses(url: string, signal: AbortSignal): AsyncGenerator<string> {
  const response = await fetch(url, { signal, headers: { accept: 'text/event-stream' } })
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || !type.startsWith('text/event-stream') || response.body === null) {
    void response.body?.cancel()
    const received = `${response.status} ${type}`.trim()
    throw new Error(`expected an event stream from ${url}; received ${received}`)
  }
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const status = statusOf(line)
      if (status !== undefined) yield status
    }
  }
}

function statusOf(line: string): string | undefined {
  if (!line.startsWith('data:')) return undefined
  const value: unknown = JSON.parse(line.slice('data:'.length))
  const isObject = typeof value === 'object' && value !== null && 'status' in value
  return isObject && typeof value.status === 'string' ? value.status : undefined
}
