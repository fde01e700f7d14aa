import { type Filter, NO_FILTER } from './filter.js'

/** The conditions of both lists. */
export function Filters({
  filter,
  onChange,
}: {
  filter: Filter
  onChange: (filter: Filter) => void
}) {
  return (
    <search class="filters card">
      <label class="grow">
        Filter
        <input
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder="Reference, hash, amount, event or decision"
          value={filter.text}
          onInput={({ currentTarget }) => onChange({ ...filter, text: currentTarget.value })}
        />
      </label>
      <label>
        Result
        <select
          value={filter.result}
          onChange={({ currentTarget }) =>
            // The options below.
            onChange({ ...filter, result: currentTarget.value as Filter['result'] })
          }
        >
          <option value="all">all</option>
          <option value="completed">accepted</option>
          <option value="problem">with a problem</option>
        </select>
      </label>
      <button type="button" onClick={() => onChange(NO_FILTER)}>
        Clear
      </button>
    </search>
  )
}
