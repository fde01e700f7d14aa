import { context, SpanKind, trace, type Attributes, type Span } from '@opentelemetry/api'
import { isTonplugError } from '../shared/tonplug-error.js'
import type { AttemptEvent, TransportInstrumentation } from '../toncenter/transport/hooks.js'
import { API, ENDPOINT, endpointName, errorType } from './attributes.js'
import { failSpan, secondsSince, type Telemetry } from './telemetry.js'

type Hook<Name extends 'call' | 'attempt'> = NonNullable<TransportInstrumentation[Name]>

/** Creates metrics and spans of transports and their clients. */
export function clientInstrumentation(telemetry: Telemetry): TransportInstrumentation {
  const { meters } = telemetry
  return {
    call: observeCalls(telemetry),
    attempt: observeAttempts(telemetry),
    wait({ endpoint, waitedMs }) {
      const attributes = { [ENDPOINT]: endpointName(endpoint) }
      meters.instruments().waitDuration.record(waitedMs / 1000, attributes)
    },
    retry({ endpoint, error }) {
      const attributes = { [ENDPOINT]: endpointName(endpoint), ...errorType(error) }
      meters.instruments().clientRetries.add(1, attributes)
    },
  }
}

function observeCalls({ meters, tracer }: Telemetry): Hook<'call'> {
  return ({ endpoint }, run) => {
    const beganMs = performance.now()
    const attributes = { [ENDPOINT]: endpointName(endpoint) }
    const { callDuration } = meters.instruments()
    const span = tracer().startSpan(`tonplug.call ${endpointName(endpoint)}`, { attributes })
    const end = (failure: Attributes, error?: unknown): void => {
      callDuration.record(secondsSince(beganMs), { ...attributes, ...failure })
      endSpan(span, failure, error)
    }
    return context.with(trace.setSpan(context.active(), span), run).then(
      () => end({}),
      (error: unknown) => end(errorType(error), error),
    )
  }
}

function observeAttempts({ meters, tracer }: Telemetry): Hook<'attempt'> {
  return (event, run) => {
    const beganMs = performance.now()
    const attributes = requestAttributes(event)
    const { requestDuration, rateLimited } = meters.instruments()
    const resends = event.attempts - 1
    const span = tracer().startSpan(`${event.method} ${endpointName(event.endpoint)}`, {
      kind: SpanKind.CLIENT,
      attributes: {
        ...attributes,
        [API]: event.api,
        ...(resends > 0 && { 'http.request.resend_count': resends }),
      },
    })
    const end = (status: number | undefined, error: unknown): void => {
      const result = {
        ...(status !== undefined && { 'http.response.status_code': status }),
        ...(error !== undefined && errorType(error)),
      }
      requestDuration.record(secondsSince(beganMs), { ...attributes, ...result })
      if (isTonplugError(error) && error.code === 'ERR_TONPLUG_RATE_LIMIT') {
        rateLimited.add(1, attributes)
      }
      endSpan(span, result, error)
    }
    return context.with(trace.setSpan(context.active(), span), run).then(
      ({ status, error }) => end(status, error),
      // All callers have aborted.
      (reason: unknown) => end(undefined, reason),
    )
  }
}

/** Ends the span. An error that is not a TonplugError is the caller's abort reason, not a failure. */
function endSpan(span: Span, attributes: Attributes, error: unknown): void {
  if (isTonplugError(error)) {
    failSpan(span, error, attributes)
    return
  }
  span.setAttributes(attributes)
  span.end()
}

/** Leaves out path and query, since they may contain a secret of a private server. */
function requestAttributes({ endpoint, method, url }: AttemptEvent): Attributes {
  const { hostname, port, protocol } = new URL(url)
  const defaultPort = protocol === 'https:' ? 443 : 80
  return {
    [ENDPOINT]: endpointName(endpoint),
    'http.request.method': method,
    'server.address': hostname,
    'server.port': port === '' ? defaultPort : Number(port),
  }
}
