import { useState } from 'preact/hooks'
import { type DeliveryChoice, FaultFields, isStrike, NO_FAULT } from './fault-fields.js'
import { ask } from './requests.js'

const PAYMENTS = [
  ['whole', 'Pay'],
  ['half', 'Pay half'],
  ['twice', 'Pay twice'],
  ['misdirected', 'Pay the wrong wallet'],
  ['unnoticed', 'Pay without a webhook'],
] as const

/** The buttons that pay a transfer, fail it, or send its webhook again. */
export function TransferActions({
  reference,
  isNetwork,
  isPaid,
}: {
  reference: string
  isNetwork: boolean
  isPaid: boolean
}) {
  const [choice, setChoice] = useState<DeliveryChoice>(NO_FAULT)
  const [problem, setProblem] = useState('')
  const begin = async (outcome: string, variant?: string): Promise<void> => {
    setProblem('')
    const isFirstOnly = choice.isFirstOnly && isStrike(choice.fault)
    const path = `api/transfers/${encodeURIComponent(reference)}/${outcome}`
    await ask(path, { ...choice, isFirstOnly, variant }).catch((error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    )
  }
  return (
    <>
      <FaultFields choice={choice} onChange={setChoice} />
      <div class="actions" role="group" aria-label="Actions">
        {!isNetwork &&
          PAYMENTS.map(([variant, label]) => (
            <button
              key={variant}
              type="button"
              class={variant === 'whole' ? 'primary' : undefined}
              onClick={() => void begin('pay', variant)}
            >
              {label}
            </button>
          ))}
        {!isNetwork && (
          <button type="button" onClick={() => void begin('fail')}>
            Fail
          </button>
        )}
        <button type="button" disabled={!isPaid} onClick={() => void begin('resend')}>
          Send the webhook again
        </button>
      </div>
      <p class="problem" role="alert" hidden={problem === ''}>
        {problem}
      </p>
    </>
  )
}
