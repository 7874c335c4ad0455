import { call } from '../../api/client';
import type { KeepSecret, SecretStatus } from '../../api/generated/commands';

/** Where a key goes unless the user chooses: the keyring; without one there is no default but this run. */
export function usualPlace(secrets: SecretStatus | undefined): KeepSecret {
  if (secrets?.keyring === true) return 'keyring';
  return secrets?.fileOpen === true ? 'file' : 'run';
}

/** Keeps a key; the passphrase file is opened or made first where it is the place. */
export async function keepKey(
  modelId: number,
  key: string,
  keep: KeepSecret,
  passphrase: string,
  secrets: SecretStatus | undefined,
): Promise<void> {
  if (keep === 'file' && secrets?.fileOpen !== true) await call('secret.open', { passphrase });
  await call('secret.set', { modelId, key, keep });
}
