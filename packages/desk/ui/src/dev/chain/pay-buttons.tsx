import type { Variant } from '../state.js'
import { useRequest } from './use-request.js'
import { VARIANT_NAMES } from './variant-names.js'

/** The ways to pay an order. A link without an expiry cannot be paid late. */
export function PayButtons({ id, canBeLate }: { id: string; canBeLate: boolean }) {
  const { problem, isBusy, send } = useRequest()
  return (
    <>
      <div class="actions" role="group" aria-label="Pay">
        {VARIANT_NAMES.map(([variant, name]) => (
          <button
            key={variant}
            type="button"
            class={variant === 'whole' ? 'primary' : undefined}
            disabled={isDisabled(variant, canBeLate)}
            onClick={() => void send(`api/orders/${id}/pay`, { variant })}
          >
            {name}
          </button>
        ))}
        {isBusy && <span class="busy">paying…</span>}
      </div>
      {!canBeLate && (
        <p class="hint">Pay late needs a link with an expiry: pass expiresAt to createInvoice.</p>
      )}
      <p class="problem" role="alert" hidden={problem === ''}>
        {problem}
      </p>
    </>
  )
}

function isDisabled(variant: Variant, canBeLate: boolean): boolean {
  return variant === 'late' && !canBeLate
}
