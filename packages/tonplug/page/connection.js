import { element, setText } from './elements.js'

const RETRY_MS = 1000
const TEXTS = {
  connecting: 'Connecting…',
  connected: 'Connected',
  disconnected: 'Disconnected. Is tonplug dev still running? Reconnecting…',
}

/** Calls back with each new state, as long as the page is open. */
export function connect(onState) {
  const events = new EventSource('events')
  events.addEventListener('state', ({ data }) => {
    show('connected')
    onState(JSON.parse(data))
  })
  events.addEventListener('error', () => {
    show('disconnected')
    // The browser reconnects, unless the server refused the connection.
    if (events.readyState === EventSource.CLOSED) setTimeout(() => connect(onState), RETRY_MS)
  })
}

function show(state) {
  const status = element('connection')
  status.dataset.state = state
  setText(status, TEXTS[state])
}
