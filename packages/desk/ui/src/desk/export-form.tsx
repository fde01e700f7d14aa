import { fieldOf } from '../text/fields.js'
import { startOfDay } from '../text/time.js'

/** Downloads the books of a period of whole days in the zone of the operator. */
export function ExportForm() {
  const submit = (form: HTMLFormElement): void => {
    const values = new FormData(form)
    const query = new URLSearchParams({ format: 'csv' })
    const from = startOfDay(fieldOf(values, 'from'), 0)
    const before = startOfDay(fieldOf(values, 'to'), 1)
    if (from !== undefined) query.set('from', from)
    if (before !== undefined) query.set('before', before)
    location.assign(`api/export?${query.toString()}`)
  }
  return (
    <details class="card">
      <summary>Export for the books</summary>
      <form
        class="export"
        onSubmit={(event) => {
          event.preventDefault()
          submit(event.currentTarget)
        }}
      >
        <label>
          First day
          <input type="date" name="from" />
        </label>
        <label>
          Last day
          <input type="date" name="to" />
        </label>
        <button class="primary" type="submit">
          Download CSV
        </button>
      </form>
    </details>
  )
}
