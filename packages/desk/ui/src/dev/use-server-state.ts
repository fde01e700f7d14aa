import { useEffect, useState } from 'preact/hooks'
import type { PageState } from './state.js'

const RETRY_MS = 1000

export type Connection = 'connecting' | 'connected' | 'disconnected'

/** Returns the newest state of the server, which sends each change. */
export function useServerState(): { state: PageState | undefined; connection: Connection } {
  const [state, setState] = useState<PageState>()
  const [connection, setConnection] = useState<Connection>('connecting')
  useEffect(() => {
    let events: EventSource
    let timer: ReturnType<typeof setTimeout>
    const connect = (): void => {
      events = new EventSource('events')
      events.addEventListener('state', ({ data }: MessageEvent<string>) => {
        setConnection('connected')
        // The server sends a PageState.
        setState(JSON.parse(data) as PageState)
      })
      events.addEventListener('error', () => {
        setConnection('disconnected')
        // The browser reconnects, unless the server refused the connection.
        if (events.readyState === EventSource.CLOSED) timer = setTimeout(connect, RETRY_MS)
      })
    }
    connect()
    return () => {
      clearTimeout(timer)
      events.close()
    }
  }, [])
  return { state, connection }
}
