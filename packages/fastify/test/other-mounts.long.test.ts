import { describeWebhookAdapter } from '@tonplug/testing'
import { fastify } from 'fastify'
import { describe, it } from 'vitest'
import { otherMounts, startWith } from './support/webhook-apps.js'

for (const [name, mount] of Object.entries(otherMounts)) {
  const start = startWith(() => fastify(), mount)
  describeWebhookAdapter(`Fastify 5, ${name}`, () => ({ start }), { describe, it })
}
