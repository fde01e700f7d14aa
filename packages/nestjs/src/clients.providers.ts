import type { Provider } from '@nestjs/common'
import { ConfigurationError, createTransport } from '@tonplug/core'
import type { TransferClientOptions, Transport, TransportOptions } from '@tonplug/core'
import { nameInstance } from './name-instance.js'
import { checkInstanceNames } from './option-names.js'
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

/** The clients of an instance. Those of the data APIs share one transport, which sends nothing by itself. */
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

/** @throws {ConfigurationError} for an option that does not exist; every client and the receiver need the transport. */
function transportOptionsOf(options: TonplugOptions): TransportOptions {
  checkInstanceNames(options)
  const rest = { ...options }
  delete rest.webhook
  delete rest.jsonRpc
  delete rest.gateway
  return rest
}

/**
 * The gateway is that of the instance's network, unless its own options name another one.
 * @throws {ConfigurationError} when nothing does.
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
      "does not say which gateway is meant, and beside baseUrl nothing else does; give { network: 'testnet', apiKey }, or a baseUrl of its own",
  })
}
