import { call } from '../../api/client';
import type { KeepSecret, KeyOwner, KeyPlace, SecretStatus } from '../../api/generated/commands';
import { t } from '../../messages/index.svelte';

/** Where a key goes unless the user chooses: the keyring; without one there is no default but this run. */
export function usualPlace(secrets: SecretStatus | undefined): KeepSecret {
  if (secrets?.keyring === true) return 'keyring';
  return secrets?.fileOpen === true ? 'file' : 'run';
}

/** Where a key is, in words. */
export function keyPlaceWords(place: KeyPlace): string {
  return { none: t('settings.keyNone'), keyring: t('settings.keyKeyring'), file: t('settings.keyFile'), run: t('settings.keyRun') }[place];
}

/** Keeps a key; the passphrase file is opened or made first where it is the place. */
export async function keepKey(
  of: KeyOwner,
  key: string,
  keep: KeepSecret,
  passphrase: string,
  secrets: SecretStatus | undefined,
): Promise<void> {
  if (keep === 'file' && secrets?.fileOpen !== true) await call('secret.open', { passphrase });
  await call('secret.set', { of, key, keep });
}
