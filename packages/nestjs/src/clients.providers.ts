import type { Provider } from '@nestjs/common'
import { ConfigurationError } from '@tonplug/core'
import { createTransport } from '@tonplug/core/toncenter'
import type { TransferClientOptions, Transport, TransportOptions } from '@tonplug/core/toncenter'
import { nameInstance } from './name-instance.js'
import { checkInstanceOptions } from './check-options.js'
import type { TonplugOptions } from './tonplug.options.js'
import {
  getTransferToken,
  getV2Token,
  getV3Token,
  TONPLUG_OPTIONS,
  TRANSPORT,
} from './tonplug.tokens.js'
import { TransferService } from './transfer.service.js'
import { V2Service } from './v2.service.js'
import { V3Service } from './v3.service.js'

/** Returns the providers of an instance's clients. The clients of the data APIs share one transport. */
export function clientsOf(name: string): Provider[] {
  return [
    {
      provide: TRANSPORT,
      inject: [TONPLUG_OPTIONS],
      useFactory: (options: TonplugOptions = {}) =>
        nameInstance(name, () => createTransport(transportOptionsOf(options))),
    },
    {
      provide: getV2Token(name),
      inject: [TRANSPORT, TONPLUG_OPTIONS],
      useFactory: (transport: Transport, { jsonRpc }: TonplugOptions = {}) =>
        new V2Service({ transport, jsonRpc }),
    },
    {
      provide: getV3Token(name),
      inject: [TRANSPORT],
      useFactory: (transport: Transport) => new V3Service({ transport }),
    },
    {
      provide: getTransferToken(name),
      inject: [TONPLUG_OPTIONS],
      useFactory: (options: TonplugOptions = {}) =>
        nameInstance(name, () => new TransferService(gatewayOptionsOf(options))),
    },
  ]
}

/** @throws {ConfigurationError} for an unknown option of the instance, because all its parts depend on the transport. */
function transportOptionsOf(options: TonplugOptions): TransportOptions {
  checkInstanceOptions(options)
  const rest = { ...options }
  delete rest.payments
  delete rest.webhook
  delete rest.watcher
  delete rest.jsonRpc
  delete rest.gateway
  return rest
}

/**
 * Returns the options of the gateway client, which uses the instance's network unless `gateway` sets its own.
 * @throws {ConfigurationError} when the gateway's network is unknown.
 */
function gatewayOptionsOf({
  gateway,
  network,
  baseUrl,
}: TonplugOptions): TransferClientOptions | undefined {
  if (gateway?.network !== undefined || gateway?.baseUrl !== undefined) return gateway
  if (baseUrl === undefined) return { ...gateway, network }
  if (gateway === undefined) return undefined
  throw new ConfigurationError({
    option: 'gateway',
    problem:
      "must set network or baseUrl when the module has baseUrl; for example { network: 'testnet', apiKey }",
  })
}
