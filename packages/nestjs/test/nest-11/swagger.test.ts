import { Module } from '@nestjs/common'
import { ApiOperation, ApiTags, DocumentBuilder, SwaggerModule } from '@nestjs/swagger'
import { expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, optionsOf } from '../support/shop.js'

@ApiTags('payments')
@WebhookController('webhooks/ton')
class PaymentsController {
  @ApiOperation({ summary: 'unused, and no route' })
  other(): void {}
}

it.each(platforms)(
  'an API description has only the POST route, with tags, on %s',
  async (platform) => {
    @Module({
      imports: [TonplugModule.forRoot({ ...optionsOf(createShop()) })],
      controllers: [PaymentsController],
    })
    class AppModule {}
    const { app } = await startApp(AppModule, { platform })
    const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build())
    expect(paths).toEqual({
      '/webhooks/ton': {
        post: {
          operationId: 'PaymentsController_receiveWebhook',
          parameters: [],
          responses: { '200': { description: '' } },
          tags: ['payments'],
        },
      },
    })
  },
)
