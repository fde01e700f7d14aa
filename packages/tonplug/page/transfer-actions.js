import { setOptionalText } from './elements.js'
import { ask } from './requests.js'

/** Faults that can be limited to the first attempt. */
const STRIKES = ['slow', 'drop', 'drop-response', 'corrupt', 'truncate', 'wrong-secret']

/** Handles the buttons of a transfer. */
export function setUpActions(reference, parts) {
  const { fault, count, seconds, first, actions, problem } = parts
  fault.addEventListener('change', () => {
    const kind = fault.value
    parts['count-label'].hidden = kind !== 'duplicate'
    parts['seconds-label'].hidden = !['delay', 'slow'].includes(kind)
    parts['first-label'].hidden = !STRIKES.includes(kind)
  })
  actions.addEventListener('click', async ({ target }) => {
    const { outcome, variant } = target.closest('button')?.dataset ?? {}
    if (outcome === undefined) return
    setOptionalText(problem, '')
    const kind = fault.value
    const body = {
      fault: kind,
      count: count.valueAsNumber,
      seconds: seconds.valueAsNumber,
      isFirstOnly: first.checked && STRIKES.includes(kind),
      variant,
    }
    try {
      await ask(`api/transfers/${encodeURIComponent(reference)}/${outcome}`, body)
    } catch (error) {
      setOptionalText(problem, error.message)
    }
  })
}
