import { onTestFinished } from 'vitest'

/** The status events of an order, as far as they have arrived. */
export interface StatusStream {
  response: Response
  text: string
  isEnded: boolean
  /** The statuses so far. */
  readonly statuses: string[]
  abort: () => void
}

/** Requests the status events of an order, and reads them until the test ends. */
export async function openStatusStream(url: string, init: RequestInit = {}): Promise<StatusStream> {
  const controller = new AbortController()
  const response = await fetch(url, { ...init, signal: controller.signal })
  const stream: StatusStream = {
    response,
    text: '',
    isEnded: false,
    get statuses() {
      const matches = stream.text.matchAll(/^data: \{"status":"(\w+)"/gm)
      return [...matches].map(([, status = '']) => status)
    },
    abort: () => controller.abort(),
  }
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) stream.text += decoder.decode(bytes)
    stream.isEnded = true
  }
  // Rejects when the test aborts.
  read().catch(() => undefined)
  onTestFinished(stream.abort)
  return stream
}
