import { TonplugError } from './tonplug-error.js'

/** A string is not an amount in whole coins, or a number is not a number of decimals. */
export class AmountError extends TonplugError<{ input: string }> {
  override readonly name = 'AmountError'
  readonly code = 'ERR_TONPLUG_AMOUNT'

  constructor({ input, expected }: { input: unknown; expected: string }) {
    const received = (JSON.stringify(input, digitsOf) ?? String(input)).slice(0, LONGEST_INPUT)
    super({
      message: `an amount must be ${expected}; received ${received}`,
      details: { input: received },
    })
  }
}

const LONGEST_INPUT = 100

function digitsOf(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}
