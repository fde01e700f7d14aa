export { bullmqQueue, type BullmqQueue, type BullmqQueueOptions } from './bullmq-queue.js'
