// The shortest correct bridges to a receiver that an engineer would write for one app: the framework's own raw parser, and the
// receiver's response.
import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common'
import express from 'express'
import { PATH } from '../webhooks.mjs'

export function bridgeExpress(app, receiver) {
  app.post(PATH, express.raw({ type: '*/*', limit: '64kb' }), async (request, response, next) => {
    try {
      const { method, originalUrl: url, headers, body: rawBody } = request
      const {
        status,
        headers: given,
        body,
      } = await receiver.receive({
        method,
        url,
        headers,
        rawBody,
      })
      response.status(status).set(given).send(body)
    } catch (error) {
      next(error)
    }
  })
}

export function bridgeFastify(app, receiver) {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 65_536 }, (_, body, done) =>
      done(null, body),
    )
    scope.post(PATH, async ({ method, originalUrl: url, headers, body: rawBody }, reply) => {
      const response = await receiver.receive({ method, url, headers, rawBody })
      return reply.code(response.status).headers(response.headers).send(response.body)
    })
  })
}

/** The bodies of the other bridges are limited by a parser; a request without a length could have any size. */
export function bridgeFetch(receiver) {
  return async (request) => {
    const { method, url, headers } = request
    const length = headers.get('content-length')
    if (length === null || Number(length) > 65_536) return new Response(null, { status: 413 })
    const rawBody = await request.arrayBuffer()
    const response = await receiver.receive({ method, url, headers, rawBody })
    return new Response(response.body, { status: response.status, headers: response.headers })
  }
}

/** A controller for an app with `rawBody: true`. @param write writes status and headers on the platform of the app */
export function bridgeNest(receiver, write) {
  class WebhookController {
    async receive({ method, originalUrl: url, headers, rawBody }, response) {
      const {
        status,
        headers: given,
        body,
      } = await receiver.receive({
        method,
        url,
        headers,
        rawBody,
      })
      write(response, status, given)
      return JSON.parse(body)
    }
  }
  const { prototype } = WebhookController
  Req()(prototype, 'receive', 0)
  Res({ passthrough: true })(prototype, 'receive', 1)
  const method = Object.getOwnPropertyDescriptor(prototype, 'receive')
  Post(PATH)(prototype, 'receive', method)
  HttpCode(200)(prototype, 'receive', method)
  Controller()(WebhookController)
  return WebhookController
}
