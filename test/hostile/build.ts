// Builds the service once for all attacks.
import { buildService } from '../support/processes/service-process.js'

export default async (): Promise<void> => {
  await buildService()
}
