import { Address } from '@ton/core'

/** An error response of a simulated API. */
export class HttpError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Parses an address in any format. @throws {HttpError} when it is invalid. */
export function readAddress(text: string): Address {
  try {
    return Address.parse(text)
  } catch {
    throw new HttpError(422, `failed to parse request: ${text} is not an address`)
  }
}
