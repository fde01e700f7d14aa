import { createV3Client, type V3ClientOptions } from '../../../src/toncenter/v3/client.js'
import { v3Endpoints } from '../../../src/toncenter/v3/endpoints/table.js'
import { v3Decoders } from '../../../src/toncenter/v3/generated/decoders.js'
import { v3Results } from '../../../src/toncenter/v3/results.js'

export const endpoints = v3Endpoints
export const decoders = v3Decoders

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints

export const endpointNames = Object.keys(endpoints) as EndpointName[]

export function isEndpointName(name: string): name is EndpointName {
  return name in endpoints
}

/** The schema of the results of an endpoint. */
export function schemaOf(name: EndpointName) {
  return v3Results[endpoints[name].path as keyof typeof v3Results]
}

export const createEveryMethod = (options?: V3ClientOptions) => createV3Client(options)

/** Calls a method as a program without types does. */
export async function callMethod(
  methods: ReturnType<typeof createEveryMethod>,
  name: EndpointName,
  ...given: readonly unknown[]
): Promise<unknown> {
  return await (methods[name] as (...args: readonly unknown[]) => Promise<unknown>)(...given)
}
