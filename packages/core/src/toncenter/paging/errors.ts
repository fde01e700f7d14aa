import {
  ApiError,
  InvalidParamsError,
  ResponseShapeError,
  type ApiErrorCode,
} from '../errors/api.js'

// Errors that paging detects itself.

export function invalidOption(endpoint: string, path: string, problem: string): InvalidParamsError {
  return new InvalidParamsError({ endpoint, issues: [{ path, problem }] })
}

/** A page contradicts its request. @param expected as the end of "the body of the response is not …" */
export function invalidPage(endpoint: string, expected: string): ResponseShapeError {
  return new ResponseShapeError({ endpoint, attempts: 1, path: '', expected, requestId: undefined })
}

/** A list ends too early, without an error of the server. */
export function incompleteList(endpoint: string, code: ApiErrorCode, reason: string): ApiError {
  const isRetryable = code === 'ERR_TONPLUG_SERVER'
  const details = { endpoint, attempts: 1, status: 200, reason, requestId: undefined }
  return new ApiError({ ...details, code, isRetryable })
}
