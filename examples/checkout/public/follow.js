import { getJson } from './requests.js'
import { texts } from './texts.js'

const RETRY_MS = 3000

const connection = document.getElementById('connection')

/** Shows that the shop cannot be reached, or that it can. */
function showConnection(isLost) {
  const problem = navigator.onLine ? 'unreachable' : 'offline'
  connection.textContent = isLost || !navigator.onLine ? texts.problems[problem] : ''
}

/** Calls `onEvent` for each status of an order. Returns the function that ends it. */
export function followStatus(reference, onEvent) {
  let events
  let retry
  let isLost = false
  const show = (isNowLost) => {
    isLost = isNowLost
    showConnection(isLost)
  }
  const open = () => {
    clearTimeout(retry)
    events?.close()
    events = new EventSource(`/orders/${encodeURIComponent(reference)}/events`)
    events.onopen = () => show(false)
    events.onmessage = ({ data }) => {
      show(false)
      onEvent(JSON.parse(data))
    }
    events.onerror = () => {
      show(true)
      // The browser reconnects by itself, except after an error of HTTP.
      if (events.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS)
    }
  }
  const onOffline = () => showConnection(isLost)
  addEventListener('offline', onOffline)
  addEventListener('online', open)
  open()
  return () => {
    removeEventListener('offline', onOffline)
    removeEventListener('online', open)
    clearTimeout(retry)
    events.close()
    connection.textContent = ''
  }
}

/** Returns the JSON of a path, however often the shop must be asked; undefined when it does not exist. */
export async function readPatiently(path) {
  for (;;) {
    try {
      const json = await getJson(path)
      showConnection(false)
      return json
    } catch ({ key }) {
      if (key === 'over') return undefined
      showConnection(true)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
