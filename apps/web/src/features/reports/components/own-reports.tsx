import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { NothingHere } from '../../../ui/rows.tsx';
import { reportListQuery } from '../queries.ts';
import { ReportList } from './report-list.tsx';

export function OwnReports() {
  const { data, error } = useQuery(reportListQuery({}, true));
  if (error) return <NothingHere>{messageOf(error)}</NothingHere>;
  if (data?.entries.length === 0)
    return <NothingHere>You have no reports. Open a publication and choose Report to create one.</NothingHere>;
  return <ReportList reports={data?.entries} />;
}
