import { createV3Client, type V3ClientOptions } from '../../src/toncenter/v3/client.js'
import { v3Endpoints } from '../../src/toncenter/v3/endpoints/table.js'
import { v3Decoders } from '../../src/toncenter/v3/generated/decoders.js'
import { v3Results } from '../../src/toncenter/v3/results.js'
import { createValidatorsClient } from '../../src/toncenter/validators/client.js'
import { validatorsEndpoints } from '../../src/toncenter/validators/endpoints/table.js'
import { validatorsDecoders } from '../../src/toncenter/validators/generated/decoders.js'
import { validatorsResults } from '../../src/toncenter/validators/results.js'

/** The endpoints of both clients of API v3. */
export const endpoints = { ...v3Endpoints, ...validatorsEndpoints }
export const decoders = { ...v3Decoders, ...validatorsDecoders }
const results = { ...v3Results, ...validatorsResults }

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints

export const endpointNames = Object.keys(endpoints) as EndpointName[]

export function isEndpointName(name: string): name is EndpointName {
  return name in endpoints
}

/** The schema of the results of an endpoint. */
export function schemaOf(name: EndpointName) {
  return results[endpoints[name].path as keyof typeof results]
}

/** The methods of both clients. */
export function createEveryMethod(options?: V3ClientOptions) {
  return { ...createV3Client(options), ...createValidatorsClient(options) }
}

/** Calls a method as a program without types does. */
export async function callMethod(
  methods: ReturnType<typeof createEveryMethod>,
  name: EndpointName,
  ...given: readonly unknown[]
): Promise<unknown> {
  return await (methods[name] as (...args: readonly unknown[]) => Promise<unknown>)(...given)
}
