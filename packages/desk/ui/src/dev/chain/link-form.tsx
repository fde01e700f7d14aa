import { useEffect, useId, useRef } from 'preact/hooks'
import { useRequest } from './use-request.js'

/**
 * Opens a link or a TON Connect request of the shop, also a link that follows `#` in the address of the page.
 * @param onOpened called with the id of the order
 */
export function LinkForm({ onOpened }: { onOpened: (id: string) => void }) {
  const { problem, send } = useRequest()
  const field = useRef<HTMLInputElement>(null)
  const problemId = useId()
  const open = async (link: string): Promise<void> => {
    const opened = await send('api/orders', { link })
    if (opened === undefined) return
    if (field.current !== null) field.current.value = ''
    // The response of the page's server.
    onOpened((opened as { id: string }).id)
  }
  useEffect(() => {
    const openHash = (): void => {
      const link = location.hash.slice(1)
      if (link.startsWith('ton://')) void open(link)
    }
    openHash()
    addEventListener('hashchange', openHash)
    return () => removeEventListener('hashchange', openHash)
  }, [])
  return (
    <section class="card" aria-labelledby="link-title">
      <h2 id="link-title">Open a payment link</h2>
      <form
        class="link-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void open(field.current?.value ?? '')
        }}
      >
        <label class="grow">
          Link of your shop, or a TON Connect request
          <input
            ref={field}
            name="link"
            autocomplete="off"
            spellcheck={false}
            placeholder="ton://transfer/…?amount=…"
            aria-invalid={problem !== ''}
            aria-describedby={problemId}
          />
        </label>
        <button class="primary" type="submit">
          Open
        </button>
      </form>
      <p id={problemId} class="problem" role="alert" hidden={problem === ''}>
        {problem}
      </p>
    </section>
  )
}
