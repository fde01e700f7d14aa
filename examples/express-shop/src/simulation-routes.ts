import type { OrderRepository } from '@tonplug/core'
import { Router } from 'express'
import { simulations } from './payment-gateway.js'
import type { DevelopmentGateway, Simulation } from './payment-gateway.js'
import { RequestError } from './request-error.js'
import type { ShopOrder } from './shop-order.js'

/** Dependencies of the simulation route. */
export interface SimulationDependencies {
  orders: OrderRepository<ShopOrder>
  gateway: DevelopmentGateway
}

/** Creates the route that simulates payments. Mounted with a development gateway only. */
export function createSimulationRoutes({ orders, gateway }: SimulationDependencies): Router {
  const routes = Router()
  routes.post('/orders/:reference/simulate', async (request, response) => {
    const { reference } = request.params
    const simulation = readSimulation(request.body)
    const order = await orders.find({ reference })
    if (order === null) {
      throw new RequestError({
        status: 404,
        code: 'unknown_order',
        message: `Unknown order ${JSON.stringify(reference)}`,
      })
    }
    response.json(await gateway.simulate(order, simulation))
  })
  return routes
}

function readSimulation(body: unknown): Simulation {
  const outcome =
    typeof body === 'object' && body !== null && 'outcome' in body ? body.outcome : undefined
  const simulation = simulations.find((known) => known === outcome)
  if (simulation !== undefined) return simulation
  throw new RequestError({
    status: 400,
    code: 'unknown_outcome',
    message: `Send JSON with "outcome" set to one of: ${simulations.join(', ')}`,
  })
}
