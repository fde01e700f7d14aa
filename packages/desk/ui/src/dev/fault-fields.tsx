/** The fault of a delivery. */
export interface DeliveryChoice {
  fault: string
  /** Number of copies. */
  count: number
  seconds: number
  isFirstOnly: boolean
}

export const NO_FAULT: DeliveryChoice = { fault: 'none', count: 2, seconds: 3, isFirstOnly: false }

const FAULTS = {
  none: 'correctly',
  duplicate: 'several times at once',
  delay: 'late',
  slow: 'with a pause in the body',
  drop: 'lost on the network',
  'drop-response': 'with its response lost',
  corrupt: 'with one bit changed',
  truncate: 'cut in half',
  'wrong-secret': 'signed with another secret',
}

/** Returns true for a fault that can be limited to the first attempt. */
export function isStrike(fault: string): boolean {
  return !['none', 'duplicate', 'delay'].includes(fault)
}

/** Selects the fault of a delivery. */
export function FaultFields({
  choice,
  onChange,
}: {
  choice: DeliveryChoice
  onChange: (choice: DeliveryChoice) => void
}) {
  const { fault, count, seconds, isFirstOnly } = choice
  const hasSeconds = fault === 'delay' || fault === 'slow'
  return (
    <fieldset class="delivery">
      <legend>Deliver the webhook</legend>
      <label class="grow">
        <span class="for-readers">How</span>
        <select
          value={fault}
          onChange={({ currentTarget }) => onChange({ ...choice, fault: currentTarget.value })}
        >
          {Object.entries(FAULTS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {fault === 'duplicate' && (
        <NumberField
          label="times"
          value={count}
          limits={{ min: 2, max: 100 }}
          onChange={(value) => onChange({ ...choice, count: value })}
        />
      )}
      {hasSeconds && (
        <NumberField
          label="seconds"
          value={seconds}
          limits={{ min: 1, max: 3600 }}
          onChange={(value) => onChange({ ...choice, seconds: value })}
        />
      )}
      {isStrike(fault) && (
        <label class="check">
          <input
            type="checkbox"
            checked={isFirstOnly}
            onChange={({ currentTarget }) =>
              onChange({ ...choice, isFirstOnly: currentTarget.checked })
            }
          />
          the first attempt only
        </label>
      )}
    </fieldset>
  )
}

function NumberField({
  label,
  value,
  limits,
  onChange,
}: {
  label: string
  value: number
  limits: { min: number; max: number }
  onChange: (value: number) => void
}) {
  return (
    <label class="number-field">
      <input
        type="number"
        step="1"
        {...limits}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
      />
      {label}
    </label>
  )
}
