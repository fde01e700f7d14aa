import { element, setOptionalText } from './elements.js'
import { ask } from './requests.js'

/** Handles the form that creates transfers. @param onCreated called with the reference */
export function setUpCreateForm(onCreated) {
  const form = element('create')
  const problem = element('create-problem')
  const { amount, ticker, comment } = form.elements
  const create = async () => {
    setOptionalText(problem, '')
    amount.removeAttribute('aria-invalid')
    try {
      const body = { amount: amount.value, ticker: ticker.value, comment: comment.value }
      const { reference } = await ask('api/transfers', body)
      onCreated(reference)
    } catch (error) {
      setOptionalText(problem, error.message)
      amount.setAttribute('aria-invalid', 'true')
    }
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void create()
  })
}

/** Lists the assets. */
export function showAssets({ tickers }) {
  const { ticker } = element('create').elements
  if (ticker.options.length === tickers.length) return
  ticker.replaceChildren(...tickers.map((name) => new Option(name, name)))
}
