import { Address } from '@ton/core'

/** An answer other than 200. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** An account in any spelling. @throws {Refusal} when it is none. */
export function readAddress(text: string): Address {
  try {
    return Address.parse(text)
  } catch {
    throw new Refusal(422, `failed to parse request: ${text} is not an address`)
  }
}
