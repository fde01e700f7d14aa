import { ConfigurationError } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import * as handlers from '../../src/payments/handlers.decorators.js'
import * as tokens from '../../src/tonplug.tokens.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'

type Standard = (value: unknown, context: object) => unknown

const { readHandlers: _r, handlerPrototypes: _p, ...handlerDecorators } = handlers
const { InjectInvoices, InjectPayments, InjectReceiver, InjectV2, InjectV3, InjectWatcher } = tokens
const injectors = {
  InjectInvoices,
  InjectPayments,
  InjectReceiver,
  InjectV2,
  InjectV3,
  InjectWatcher,
}

const contextOf = (kind: string, name: string) => {
  return { kind, name, static: false, private: false, addInitializer() {}, metadata: {} }
}

describe('a decorator that was compiled as a standard decorator', () => {
  const method = contextOf('method', 'ship')
  const field = contextOf('field', 'payments')
  const cases: [name: string, call: () => unknown][] = [
    [
      'WebhookController',
      () => asStandard(WebhookController('a'))(class {}, contextOf('class', 'Shop')),
    ],
    ...Object.entries(handlerDecorators).map(([name, decorator]): [string, () => unknown] => [
      name,
      () => asStandard(decorator())(async () => undefined, method),
    ]),
    ...Object.entries(injectors).map(([name, decorator]): [string, () => unknown] => [
      name,
      () => asStandard(decorator())(undefined, field),
    ]),
  ]

  it.each(cases)('names the compiler option: %s', (_name, call) => {
    expect(call).toThrow(ConfigurationError)
    expect(call).toThrow(
      /^(class Shop|method ship|field payments): .*"experimentalDecorators": true/,
    )
  })
})

function asStandard(decorator: unknown): Standard {
  return decorator as Standard
}
