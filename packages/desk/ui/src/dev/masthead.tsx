import favicon from '../favicon.svg'
import type { Connection } from './use-server-state.js'

const TEXTS: Record<Connection, string> = {
  connecting: 'Connecting…',
  connected: 'Connected',
  disconnected: 'Disconnected. Is tonplug dev still running? Reconnecting…',
}

/** The title, the webhook route on the tab of the gateway, and the state of the connection. */
export function Masthead({
  webhookUrl,
  connection,
}: {
  webhookUrl: string | undefined
  connection: Connection
}) {
  return (
    <header class="masthead">
      <h1>
        <img src={favicon} alt="" width="28" height="28" />
        tonplug dev
      </h1>
      <p id="target">
        {webhookUrl === undefined ? (
          'A TON chain on this machine'
        ) : (
          <>
            Webhooks go to <code>{webhookUrl}</code>
          </>
        )}
      </p>
      <p id="connection" role="status" data-state={connection}>
        {TEXTS[connection]}
      </p>
    </header>
  )
}
