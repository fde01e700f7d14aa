import { useId, useState } from 'preact/hooks'
import { useRequest } from './use-request.js'

/** Sends 100 TON and 100 USDT to any address. */
export function Faucet() {
  const { problem, isBusy, send } = useRequest()
  const [sentTo, setSentTo] = useState('')
  const titleId = useId()
  const fund = async (address: string): Promise<void> => {
    setSentTo('')
    if ((await send('api/faucet', { address })) !== undefined) setSentTo(address)
  }
  return (
    <section class="card later" aria-labelledby={titleId}>
      <h2 id={titleId}>Faucet</h2>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const address = new FormData(event.currentTarget).get('address')
          if (typeof address === 'string') void fund(address)
        }}
      >
        <label>
          Address
          <input name="address" autocomplete="off" spellcheck={false} placeholder="0Q…" />
        </label>
        <button type="submit" disabled={isBusy}>
          Send 100 of each coin
        </button>
      </form>
      <p class="problem" role="alert" hidden={problem === ''}>
        {problem}
      </p>
      <p role="status" class="hint" hidden={sentTo === ''}>
        {`Sent to ${sentTo.slice(0, 6)}….`}
      </p>
    </section>
  )
}
