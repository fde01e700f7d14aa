import { fieldOf } from '../text/fields.js'

/** A search field, which opens the page of a search. */
export function SearchForm(props: {
  search: string
  placeholder: string
  /** Returns the link to the page of a search. */
  linkOf: (search: string) => string
}) {
  const { search, placeholder, linkOf } = props
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault()
          location.hash = linkOf(fieldOf(new FormData(event.currentTarget), 'search'))
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
            placeholder={placeholder}
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
