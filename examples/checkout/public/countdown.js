import { formatDuration } from './texts.js'

const SECOND_MS = 1000

/** Shows the time until `endMs` in an element, and calls `onEnd` then. Returns the function that stops it. */
export function startCountdown(element, endMs, onEnd) {
  const show = () => {
    const seconds = Math.max(0, Math.ceil((endMs - Date.now()) / SECOND_MS))
    element.textContent = formatDuration(seconds)
    if (seconds > 0) return
    clearInterval(timer)
    onEnd()
  }
  const timer = setInterval(show, SECOND_MS)
  show()
  return () => clearInterval(timer)
}
