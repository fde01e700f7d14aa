/** The stand-in refuses a request or a call, as the gateway would. The message says what to change. */
export class GatewayStandInError extends Error {
  override readonly name = 'GatewayStandInError'
  readonly code = 'ERR_TONPLUG_GATEWAY_STAND_IN'
  /** The status of the HTTP answer with which it refuses the same over HTTP. */
  readonly status: number

  constructor(facts: { status: number; message: string }) {
    super(facts.message)
    this.status = facts.status
  }
}

/** @returns the error for a request or a call that is wrong by itself. */
export function badRequest(message: string): GatewayStandInError {
  return new GatewayStandInError({ status: 400, message })
}
