import { useId, useState } from 'preact/hooks'
import { ask } from './requests.js'

/** Creates transfers. @param onCreated called with the reference */
export function CreateForm({
  tickers,
  onCreated,
}: {
  tickers: readonly string[]
  onCreated: (reference: string) => void
}) {
  const [problem, setProblem] = useState('')
  const problemId = useId()
  const create = async (form: HTMLFormElement): Promise<void> => {
    setProblem('')
    try {
      const fields = Object.fromEntries(new FormData(form))
      // The response of the page's server.
      const { reference } = (await ask('api/transfers', fields)) as { reference: string }
      const field = form.elements.namedItem('reference')
      if (field instanceof HTMLInputElement) field.value = ''
      onCreated(reference)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const isInvalid = problem !== ''
  return (
    <section class="card" aria-labelledby="create-title">
      <h2 id="create-title">Create a transfer</h2>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void create(event.currentTarget)
        }}
      >
        <div class="pair">
          <label>
            Amount
            <input
              name="amount"
              inputmode="decimal"
              autocomplete="off"
              spellcheck={false}
              defaultValue="10.5"
              aria-invalid={isInvalid}
              aria-describedby={problemId}
            />
          </label>
          <label>
            Asset
            <select name="ticker">
              {tickers.map((ticker) => (
                <option key={ticker}>{ticker}</option>
              ))}
            </select>
          </label>
        </div>
        <label>
          Reference
          <input
            name="reference"
            autocomplete="off"
            spellcheck={false}
            maxLength={200}
            placeholder="a random one"
          />
        </label>
        <label>
          Comment
          <input name="comment" autocomplete="off" maxLength={200} />
        </label>
        <p id={problemId} class="problem" role="alert" hidden={!isInvalid}>
          {problem}
        </p>
        <button class="primary" type="submit">
          Create
        </button>
      </form>
      <p class="hint">
        A shop creates its own with <code>@ton-pay/api</code>, once it has{' '}
        <code>TONPAY_BASE_URL</code>.
      </p>
    </section>
  )
}
