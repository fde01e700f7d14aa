/** The requested and the received amount, side by side. */
export function AmountPair({
  requested,
  received,
}: {
  requested: string | undefined
  received: string | undefined
}) {
  const isDifferent = requested !== undefined && received !== undefined && requested !== received
  return (
    <span class="amounts" data-different={isDifferent ? '' : undefined}>
      <span>
        <small>requested </small>
        <strong>{requested ?? '–'}</strong>
      </span>
      <span>
        <small>received </small>
        <strong>{received ?? '–'}</strong>
      </span>
    </span>
  )
}
