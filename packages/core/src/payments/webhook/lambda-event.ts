import { ConfigurationError } from '../../shared/configuration-error.js'
import { describeType } from '../../shared/describe-type.js'
import { isObject } from '../../shared/is-object.js'
import type { WebhookRequest } from './request.js'

/**
 * An HTTP event of AWS Lambda: from API Gateway in format 1.0 (REST APIs) or 2.0 (HTTP APIs), or from a function URL. The
 * types of `@types/aws-lambda` fit.
 */
export interface LambdaHttpEvent {
  /** Format 1.0. */
  httpMethod?: string | undefined
  path?: string | undefined
  multiValueQueryStringParameters?:
    Readonly<Record<string, readonly string[] | undefined>> | null | undefined
  queryStringParameters?: Readonly<Record<string, string | undefined>> | null | undefined
  multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
  /** Format 2.0. */
  rawPath?: string | undefined
  rawQueryString?: string | undefined
  requestContext?:
    | {
        /** Unused: a field of both formats, without which TypeScript would refuse the type of format 1.0. */
        accountId?: string
        http?: { method: string } | undefined
      }
    | undefined
  headers?: Readonly<Record<string, string | undefined>> | null | undefined
  body?: string | null | undefined
  isBase64Encoded?: boolean | undefined
}

/**
 * Returns the request of an HTTP event of AWS Lambda, for {@link WebhookReceiver.receive}. A repeated header of format 1.0
 * stays recognizable.
 * @throws {ConfigurationError} for an event that is not an HTTP request, and for a body that was parsed.
 * @example
 * ```ts
 * import { readLambdaEvent, type LambdaHttpEvent, type WebhookReceiver } from '@tonplug/core'
 *
 * export const createHandler = (receiver: WebhookReceiver) => async (event: LambdaHttpEvent) => {
 *   const { status, headers, body } = await receiver.receive(readLambdaEvent(event))
 *   return { statusCode: status, headers, body }
 * }
 * ```
 */
export function readLambdaEvent(event: LambdaHttpEvent): WebhookRequest {
  const { httpMethod, requestContext, headers, multiValueHeaders } = checked(event)
  const text = textOf(event)
  const hasLists = Object.keys(multiValueHeaders ?? {}).length > 0
  return {
    // A method that is missing must not count as POST.
    method: httpMethod ?? requestContext?.http?.method ?? '',
    url: urlOf(event),
    // `headers` of format 1.0 has the last one of repeated headers only; some simulators fill nothing else.
    headers: (hasLists ? multiValueHeaders : headers) ?? {},
    rawBody: event.isBase64Encoded === true ? Buffer.from(text, 'base64') : text,
  }
}

function checked(event: LambdaHttpEvent): LambdaHttpEvent {
  const { headers, multiValueHeaders }: LambdaHttpEvent = isObject(event) ? event : {}
  // A test event of the console has null.
  if (headers !== undefined || multiValueHeaders !== undefined) return event
  const received = isObject(event) ? 'an event without headers' : describeType(event)
  const problem = `must be an HTTP event of API Gateway or of a function URL; received ${received}`
  throw new ConfigurationError({ option: 'event', problem })
}

function textOf({ body }: LambdaHttpEvent): string {
  const given: unknown = body ?? ''
  if (typeof given === 'string') return given
  const problem = `must be the string of the event, or null; received ${describeType(given)}. Call readLambdaEvent() before a middleware that parses the body`
  throw new ConfigurationError({ option: 'event.body', problem })
}

function urlOf(event: LambdaHttpEvent): string {
  const { path, rawPath, rawQueryString } = event
  const query = rawQueryString ?? queryOf(event)
  return `${path ?? rawPath ?? '/'}${query === '' ? '' : `?${query}`}`
}

function queryOf(event: LambdaHttpEvent): string {
  const { queryStringParameters: last, multiValueQueryStringParameters: all } = event
  const query = new URLSearchParams()
  const given: Readonly<Record<string, string | readonly string[] | undefined>> = all ?? last ?? {}
  for (const [name, values = []] of Object.entries(given)) {
    for (const value of [values].flat()) query.append(name, value)
  }
  return query.toString()
}
