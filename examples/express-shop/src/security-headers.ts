import type { RequestHandler } from 'express'

/** Restricts pages to this server: no inline scripts, no other origins, no framing. */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'content-security-policy': "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  })
  next()
}
