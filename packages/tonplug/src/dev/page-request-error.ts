/** A rejected request of the page. The page shows the message. */
export class PageRequestError extends Error {
  override readonly name = 'PageRequestError'
  /** The status of the response. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
