import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { Logger } from '@tonplug/core'

/** An error with a status and a message for the client. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly status: number
  readonly code: string

  constructor(facts: { status: number; code: string; message: string }) {
    super(facts.message)
    this.status = facts.status
    this.code = facts.code
  }
}

/** Responds to paths without a route. */
export const refuseUnknownPath: RequestHandler = (request) => {
  throw new RequestError({
    status: 404,
    code: 'not_found',
    message: `There is nothing at ${request.path}`,
  })
}

/** Writes errors as JSON: the message of client errors; for all others 500 without a reason, and a log line. */
export function createErrorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error)
      return
    }
    const { status, code, message } = describeError(error)
    if (status >= 500) logger.error('request failed', { path: request.path, error })
    response.status(status).json({ error: { code, message } })
  }
}

function describeError(error: unknown): { status: number; code: string; message: string } {
  if (error instanceof RequestError) return error
  if (isClientError(error)) {
    return { status: error.status, code: 'bad_request', message: error.message }
  }
  return { status: 500, code: 'internal', message: 'Something went wrong on our side' }
}

// express.json() and the router set a status below 500 on client errors.
function isClientError(error: unknown): error is Error & { status: number } {
  return (
    error instanceof Error &&
    'status' in error &&
    typeof error.status === 'number' &&
    error.status >= 400 &&
    error.status < 500
  )
}
