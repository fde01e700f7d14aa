/** Downloads the books of a period of whole days in the zone of the operator. */
export function ExportForm() {
  const submit = (form: HTMLFormElement): void => {
    const values = new FormData(form)
    const query = new URLSearchParams({ format: 'csv' })
    const from = startOfDay(values.get('from'), 0)
    const before = startOfDay(values.get('to'), 1)
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

/** Returns the start of a day in ISO 8601, some days later; `undefined` without a day. */
function startOfDay(value: FormDataEntryValue | null, days: number): string | undefined {
  const [year, month, day] = typeof value === 'string' ? value.split('-').map(Number) : []
  if (year === undefined || month === undefined || day === undefined) return undefined
  return new Date(year, month - 1, day + days).toISOString()
}
