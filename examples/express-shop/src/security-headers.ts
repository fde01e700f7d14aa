import type { RequestHandler } from 'express'

/** Lets pages load from this server alone: no inline script, no foreign origin, no framing. */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'content-security-policy': "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  })
  next()
}
