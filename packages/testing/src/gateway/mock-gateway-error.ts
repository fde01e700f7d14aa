/** The mock gateway refuses a request or a call, as the gateway would. The message states the fix. */
export class MockGatewayError extends Error {
  override readonly name = 'MockGatewayError'
  readonly code = 'ERR_TONPLUG_MOCK_GATEWAY'
  /** Status of the HTTP response. */
  readonly status: number

  constructor(facts: { status: number; message: string }) {
    super(facts.message)
    this.status = facts.status
  }
}

/** Returns the error for an invalid request or call. */
export function badRequest(message: string): MockGatewayError {
  return new MockGatewayError({ status: 400, message })
}
