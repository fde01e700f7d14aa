import type { Provider } from '@nestjs/common'
import { ModulesContainer } from '@nestjs/core'
import {
  ConfigurationError,
  createPaymentProof,
  createWebhookReceiver,
  memoryInbox,
} from '@tonplug/core'
import type { PaymentProof, Reconciler, WebhookReceiver } from '@tonplug/core'
import { nameInstance } from '../name-instance.js'
import { createNestLogger } from '../nest-logger.js'
import { checkObject, checkProofNames } from '../option-names.js'
import type { ResolvedWebhookOptions, TonplugOptions, WebhookOptions } from '../tonplug.options.js'
import {
  getReceiverToken,
  getReconcilerToken,
  getTransferToken,
  getV3Token,
  TONPLUG_OPTIONS,
  WEBHOOK_INSTANCE,
  WEBHOOK_INSTANCES,
  WEBHOOK_OPTIONS,
} from '../tonplug.tokens.js'
import type { TransferService } from '../transfer.service.js'
import type { V3Service } from '../v3.service.js'
import { findInjector } from './find-injector.js'
import { reconcilerOf } from './reconciler-of.js'
import type { WebhookInstance, WebhookInstances } from './webhook-instances.js'

/** The receiver of an instance and what goes with it; all of them `undefined` when its options have no webhook. */
export function receiverOf(name: string, path: string | undefined): Provider[] {
  const token = getReceiverToken(name)
  return [
    {
      provide: WEBHOOK_OPTIONS,
      inject: [getV3Token(name), TONPLUG_OPTIONS],
      useFactory: (v3: V3Service, options?: TonplugOptions) =>
        resolveOptions(options, { name, path, v3 }),
    },
    {
      provide: token,
      inject: [WEBHOOK_OPTIONS, ModulesContainer],
      useFactory: (options: ResolvedWebhookOptions | undefined, modules: ModulesContainer) => {
        if (options === undefined) return refuseInjection(name, findInjector(modules, token))
        const { reconcile: _, ...ofReceiver } = options
        return nameInstance(name, () =>
          createWebhookReceiver({ ...ofReceiver, name, autoStart: false }),
        )
      },
    },
    {
      provide: WEBHOOK_INSTANCE,
      inject: [
        WEBHOOK_INSTANCES,
        TONPLUG_OPTIONS,
        getV3Token(name),
        getTransferToken(name),
        WEBHOOK_OPTIONS,
        token,
      ],
      useFactory: (
        instances: WebhookInstances,
        given: TonplugOptions,
        v3: V3Service,
        transfers: TransferService,
        options?: ResolvedWebhookOptions,
        receiver?: WebhookReceiver,
      ): WebhookInstance | undefined => {
        instances.claim(name)
        if (options === undefined || receiver === undefined) return undefined
        checkReceiver(name, receiver)
        // Without options of its own nobody has said that the gateway is to be asked.
        const source = given.gateway === undefined ? undefined : transfers
        const reconciler = nameInstance(name, () =>
          reconcilerOf(options, { receiver, v3, transfers: source }, given),
        )
        const servers = serversOf(given)
        return instances.add({ name, servers, receiver, reconciler, options, handlers: [] })
      },
    },
    {
      provide: getReconcilerToken(name),
      inject: [{ token: WEBHOOK_INSTANCE, optional: true }],
      useFactory: (instance?: WebhookInstance): Reconciler | undefined => instance?.reconciler,
    },
  ]
}

/** The instance that options are for. */
interface Instance {
  name: string
  path: string | undefined
  v3: V3Service
}

/** @throws {ConfigurationError} when there is a path and nothing to receive with, or a factory returned nothing. */
function resolveOptions(
  options: TonplugOptions | undefined,
  { name, path, v3 }: Instance,
): ResolvedWebhookOptions | undefined {
  if (options?.webhook === undefined) {
    if (options !== undefined && path === undefined) return undefined
    const fix = path === undefined ? '' : ', or take path away if it is for the clients alone'
    throw new ConfigurationError({
      option: 'webhook',
      problem: `is missing from the options of TonplugModule '${name}'; give { webhook: { secrets, orders } }${fix}`,
    })
  }
  const { webhook, instrumentation } = options
  return nameInstance(name, () => ({ ...fillIn(webhook, v3), instrumentation }))
}

function fillIn(webhook: WebhookOptions, v3: V3Service) {
  const { inbox = memoryInbox(), logger = createNestLogger('Tonplug') } = webhook
  checkObject('inbox', inbox, 'an inbox, or leave it out')
  checkObject('logger', logger, 'a logger, or leave it out')
  return { ...webhook, inbox, logger, verifyOnChain: resolveProof(webhook.verifyOnChain, v3) }
}

function resolveProof(
  given: WebhookOptions['verifyOnChain'],
  v3: V3Service,
): PaymentProof | undefined {
  if (given === undefined || given === false) return undefined
  if (given === true) return createPaymentProof({ v3 })
  checkObject('verifyOnChain', given, 'true, the options of the proof, or a proof')
  if ('prove' in given) return given
  checkProofNames(given)
  return createPaymentProof({ ...given, v3 })
}

/** @throws {ConfigurationError} when somebody wants the receiver of an instance that has none. */
function refuseInjection(name: string, injector: string | undefined): undefined {
  if (injector === undefined) return
  throw new ConfigurationError({
    option: 'webhook',
    problem: `is missing from the options of TonplugModule '${name}', so there is no receiver for ${injector} to inject; give { webhook: { secrets, orders } }`,
  })
}

const USED = [
  'addHandler',
  'start',
  'receive',
  'close',
] as const satisfies readonly (keyof WebhookReceiver)[]

/** @throws {ConfigurationError} when a test has overridden it with something that the instance cannot use. */
function checkReceiver(name: string, receiver: WebhookReceiver): void {
  const missing = USED.filter((method) => typeof receiver[method] !== 'function')
  if (missing.length === 0) return
  throw new ConfigurationError({
    option: `getReceiverToken('${name}')`,
    problem: `is overridden with what has no ${missing.join(', ')}; give a receiver of createWebhookReceiver({ secrets, orders, autoStart: false })`,
  })
}

/** Own servers are not named: a part of their address may be a secret. */
function serversOf({ network = 'mainnet', baseUrl }: TonplugOptions): string {
  return baseUrl === undefined ? network : 'own servers'
}
