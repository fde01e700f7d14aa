import { toHex } from '../text/hash.js'
import { linkTo } from './route.js'

/** Searches all transfers of a group. */
export function SearchForm({ group, search }: { group: string; search: string }) {
  const submit = (form: HTMLFormElement): void => {
    const wanted = new FormData(form).get('search')
    if (typeof wanted !== 'string') return
    location.hash = linkTo('transfers', { group, search: toHex(wanted.trim()) })
  }
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault()
          submit(event.currentTarget)
        }}
      >
        <label class="grow">
          <span class="for-readers">Search</span>
          <input
            // A new search replaces what was typed.
            key={search}
            type="search"
            name="search"
            autocomplete="off"
            spellcheck={false}
            placeholder="Order, comment, hash, link, address or amount"
            defaultValue={search}
          />
        </label>
        <button class="primary" type="submit">
          Search
        </button>
      </form>
    </search>
  )
}
