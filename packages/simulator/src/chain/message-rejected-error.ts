/** An external message that the contract did not accept. */
export class MessageRejectedError extends Error {
  override readonly name = 'MessageRejectedError'
  /** The exit code of the contract; undefined when it did not run. */
  readonly exitCode: number | undefined
  readonly vmLog: string

  constructor(exitCode: number | undefined, vmLog: string) {
    super(`the message was not accepted${exitCode === undefined ? '' : `: exit code ${exitCode}`}`)
    this.exitCode = exitCode
    this.vmLog = vmLog
  }
}
