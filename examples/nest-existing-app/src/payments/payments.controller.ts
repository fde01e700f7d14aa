import { WebhookController } from '@tonplug/nestjs'
import { Public } from '../auth/public.decorator'

@Public()
@WebhookController('webhooks/ton')
export class PaymentsController {}
