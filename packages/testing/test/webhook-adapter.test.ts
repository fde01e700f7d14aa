import { describeWebhookAdapter } from '@tonplug/testing'
import { describe, it } from 'vitest'
import { serveFetch } from './fetch-server.js'
import { serveNode } from './node-server.js'

describeWebhookAdapter(
  'receiver.handle behind a Fetch server',
  () => ({ start: (receiver) => serveFetch((request) => receiver.handle(request)) }),
  { describe, it },
)

describeWebhookAdapter('receiver.receive behind node:http', () => ({ start: serveNode }), {
  describe,
  it,
})
