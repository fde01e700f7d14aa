/** A request of the page is refused. The message says why; the page shows it. */
export class PageRequestError extends Error {
  override readonly name = 'PageRequestError'
  /** That of the answer. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
