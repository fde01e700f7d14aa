import { setOptionalText } from './elements.js'
import { ask } from './requests.js'

/** Faults that can strike the first attempt alone. */
const STRIKES = ['slow', 'drop', 'drop-answer', 'corrupt', 'truncate', 'wrong-secret']

/** Lets the buttons of a transfer do what they say. */
export function setUpActions(reference, parts) {
  const { fault, count, seconds, first, actions, problem } = parts
  fault.addEventListener('change', () => {
    const kind = fault.value
    parts['count-label'].hidden = kind !== 'duplicate'
    parts['seconds-label'].hidden = !['delay', 'slow'].includes(kind)
    parts['first-label'].hidden = !STRIKES.includes(kind)
  })
  actions.addEventListener('click', async ({ target }) => {
    const { outcome, way } = target.closest('button')?.dataset ?? {}
    if (outcome === undefined) return
    setOptionalText(problem, '')
    const kind = fault.value
    const body = {
      fault: kind,
      count: count.valueAsNumber,
      seconds: seconds.valueAsNumber,
      isFirstOnly: first.checked && STRIKES.includes(kind),
      way,
    }
    try {
      await ask(`api/transfers/${encodeURIComponent(reference)}/${outcome}`, body)
    } catch (error) {
      setOptionalText(problem, error.message)
    }
  })
}
