import type { INestApplication } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import request from 'supertest'
import type TestAgent from 'supertest/lib/agent'
import { AppModule } from '../src/app.module'
import { setUpApp } from '../src/app.setup'
import { env } from '../src/env'
import type { OrderView } from '../src/orders/order-view'

/** The app on a free port, with clients of the back office and without the API key. */
export interface StartedApp {
  app: INestApplication
  /** Sends the API key. */
  backOffice: TestAgent
  /** Sends no API key. */
  anonymous: TestAgent
  order(): Promise<OrderView>
  show(reference: string): Promise<OrderView>
}

/** Starts the app as it runs in production. */
export async function startApp(): Promise<StartedApp> {
  const testingModule = await Test.createTestingModule({ imports: [AppModule] }).compile()
  const app = setUpApp(testingModule.createNestApplication())
  await app.listen(0, '127.0.0.1')
  const backOffice = request.agent(app.getHttpServer()).set('x-api-key', env('API_KEY'))
  return {
    app,
    backOffice,
    anonymous: request.agent(app.getHttpServer()),
    async order() {
      const { body } = await backOffice.post('/api/orders').send({ sku: 'tote', quantity: 2 })
      return body as OrderView
    },
    async show(reference) {
      const { body } = await backOffice.get(`/api/orders/${reference}`)
      return body as OrderView
    },
  }
}
