import type { PublicationDetail } from '@atoll/contract/publications/entity';
import { useSession } from '../../session/queries.ts';
import { DeliveryPanel } from './delivery-panel.tsx';
import { SubscribePanel } from './subscribe-panel.tsx';

/** For its authors where it goes, for readers whether they want it. */
export function ReportDelivery({ publication }: { publication: PublicationDetail }) {
  const { features, is_guest } = useSession();
  const isEditable = publication.permissions.includes('edit') && features?.publish?.enabled === true;
  return (
    <>
      {isEditable && <DeliveryPanel id={publication.id} projectId={publication.project.id} />}
      {!is_guest && <SubscribePanel id={publication.id} />}
    </>
  );
}
