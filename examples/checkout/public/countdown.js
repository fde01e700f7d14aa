const SECOND_MS = 1000

/** Shows the time until `end` in an element, and calls `onEnd` then. Returns the function that stops it. */
export function startCountdown(element, end, onEnd) {
  const show = () => {
    const seconds = Math.max(0, Math.ceil((end - Date.now()) / SECOND_MS))
    const minutes = Math.floor(seconds / 60)
    element.textContent = `${minutes}:${String(seconds % 60).padStart(2, '0')}`
    if (seconds > 0) return
    clearInterval(timer)
    onEnd()
  }
  const timer = setInterval(show, SECOND_MS)
  show()
  return () => clearInterval(timer)
}
